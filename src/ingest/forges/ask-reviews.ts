/** Asks a forge for the reviews in each counted repository. A repository without new reviews costs one request. */
import { isFault } from "../../contract/fault.ts";
import type { WalkQuestions } from "./ask-authors.ts";
import { ForgeDenial, ForgeOverload, type ForgeRepository, MissingList } from "./forge.ts";
import { readForgeContent } from "./forge-content.ts";
import { readForgePeople } from "./forge-people.ts";
import { listWalked } from "./repositories.ts";
import { findReviewProgress, putReviews, type ReviewProgress } from "./reviews.ts";

type ReviewQuestions = WalkQuestions<"readReviews">;

/** How far back the first reading of a repository goes, in milliseconds. */
const horizonMs = 365 * 86_400_000;
/** The most changes of one repository that a walk reads. The changes with the latest updates come first. */
const changesMax = 1000;

/** Reading stops after this many unreadable repositories in a row. */
const faultsMax = 3;

/** Asks for the reviews in all counted repositories. @returns warnings. */
export async function askReviews(questions: ReviewQuestions): Promise<readonly string[]> {
  const { walk, tell } = questions;
  const warnings: string[] = [];
  let faults = 0;
  for (const repository of listCounted(questions)) {
    const progress = findReviewProgress(walk, repository.number);
    if (!progress) continue;
    tell(`the reviews in ${repository.name}`);
    try {
      warnings.push(...(await readRepository(questions, repository, progress)));
      faults = 0;
    } catch (error) {
      // One unreadable repository must not prevent the reading of the others.
      const isFaulty = isFault(error, "forge") || error instanceof ForgeOverload;
      if (isFaulty) faults += 1;
      const isLeft = error instanceof ForgeDenial || (isFaulty && faults < faultsMax);
      if (isLeft) warnings.push(error.message);
      else if (!(error instanceof MissingList)) throw error;
      putReviews(walk, repository.number, [], { until: progress.until });
    }
  }
  return warnings;
}

function listCounted({ walk, histories }: ReviewQuestions) {
  const { findRepository } = readForgePeople(readForgeContent(walk.ledger));
  const counted = new Set(
    histories.places().flatMap((place) => {
      const owned = findRepository(place.forge, place.name);
      return owned?.forge === walk.forge ? [owned.number] : [];
    }),
  );
  return listWalked(walk).filter(({ number }) => counted.has(number));
}

async function readRepository(
  { adapter, walk, now }: ReviewQuestions,
  { number, name }: ForgeRepository,
  { until, open }: ReviewProgress,
): Promise<readonly string[]> {
  const horizon = toInstant(now().getTime() - horizonMs);
  const since = until !== undefined && until > horizon ? until : horizon;
  let [cursor, changes, latest] = [open?.cursor, open?.changes ?? 0, open?.latest ?? since];
  for (;;) {
    const { changes: fresh, next } = await adapter.readReviews({ name }, { cursor, since });
    changes += fresh.length;
    // A time in the future is replaced by today. Otherwise the next walk would miss the changes before that time.
    const today = toInstant(now().getTime());
    for (const { updatedAt } of fresh) if (updatedAt > latest) latest = updatedAt;
    if (latest > today) latest = today;
    const isFull = changes >= changesMax;
    const isOver = next === undefined || fresh.length === 0;
    if (isOver || isFull || next === cursor) {
      putReviews(walk, number, fresh, { until: latest });
      return isFull && !isOver
        ? [`Only the latest ${changesMax} changes of ${name} are read for reviews.`]
        : [];
    }
    cursor = next;
    putReviews(walk, number, fresh, { until, open: { cursor: next, changes, latest } });
  }
}

/** Formats an instant in UTC, such as `2026-01-31T12:00:00Z`. */
function toInstant(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
