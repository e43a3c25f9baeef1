/** The stage `authorship`. It stores in the pool who changed which file, from commits and reviews. */
import type { Pool, RepositoryAuthorship } from "../../../pool/pool.ts";
import { type ForgePeople, toAccountKey } from "../../forges/forge-people.ts";
import type { KnownReview } from "../../forges/reviews.ts";
import { formatSignedName, type SignedName } from "../commit/logged-commit.ts";
import type { IdentifiedPeople, IdentifiedPerson } from "../identify/identified-people.ts";
import { readOthers } from "../ledger/commit-index.ts";
import { readStoredHistory } from "../ledger/histories.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type KnownClone, listLocations, listMentions } from "../ledger/locations.ts";
import { dropContained, groupClones, rankClones } from "../ledger/recognise.ts";
import { readStatements } from "../notes/note-rows.ts";
import { resolveOwners } from "../ownership/resolve-owners.ts";
import type { CountedRepository } from "../tally/tally-rows.ts";
import { buildAuthorship, type CloneAuthors } from "./build-authorship.ts";

interface PublishingContext {
  readonly ledger: Ledger;
  readonly people: IdentifiedPeople;
  readonly forges: ForgePeople;
  readonly pool: Pick<Pool, "authorship">;
  readonly repositories: ReadonlyMap<number, CountedRepository>;
  /** Whether to write everything again, even if nothing changed. */
  readonly isWhole: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export async function publishAuthorship(context: PublishingContext): Promise<void> {
  const { ledger, pool, repositories, isWhole, signal, onProgress } = context;
  const { sqlite } = ledger;
  const stored = await pool.authorship.fingerprints({ whole: isWhole });
  const rows = sqlite.readRows<{ id: number; authors: string; inputs: string }>`
    SELECT id, authors, inputs FROM repository`;
  const known = new Map(rows.map((row) => [row.id, row]));
  const places = listLocations(ledger).filter(({ repositoryId }) => repositoryId !== undefined);
  const keys = new Set<string>();
  const groups = groupClones(sqlite, places);
  const rankOf = rankClones(groups);
  for (const [at, { origin, clones }] of groups.entries()) {
    const ids = clones.map((clone) => clone.id);
    const id = Math.min(...ids);
    const key = formatKey(origin);
    keys.add(key);
    const authors = listAuthors(context, ids);
    const reviews = listReviewsIn(clones, authors.length, context);
    const { authors: named = "", inputs } = known.get(id) ?? {};
    const isShared = (repositories.get(id)?.elsewhere ?? 0) > 0;
    const fingerprint = fingerprintClones(clones, [
      named,
      // Which commits count in another repository depends on all that was counted.
      ...(isShared ? [inputs] : []),
      ...(reviews.digest ? [reviews.digest] : []),
    ]);
    const logins = authors.map((person) =>
      person?.class === "human" && person.isShown ? person.login : undefined,
    );
    for (const [number, login] of reviews.logins) logins[number] = login;
    const stated = repositories.get(id)?.ownership[0]?.rules ?? [];
    const rules = resolveOwners(stated, origin.forge, context.people);
    const hasLogins = rules.some(({ owners }) => owners.some((owner) => "login" in owner));
    const accountless = authors.flatMap((person, number) =>
      hasLogins && person && !person.hasAccount ? number : [],
    );
    if (stored.get(key) !== fingerprint) {
      const { name, forge } = origin;
      const repository: RepositoryAuthorship = {
        ...{ key, name, forge, fingerprint },
        ...buildAuthorship(
          readClones(ledger, dropContained(sqlite, clones)),
          {
            stated: readStatements(sqlite, ids),
            others: isShared ? readOthers(sqlite, ids, rankOf) : undefined,
          },
          reviews.days,
        ),
      };
      await pool.authorship.replace(repository);
    }
    // Compares names even if nothing else changed, because an erasure may have removed names.
    await pool.authorship.nameAuthors(key, logins);
    await pool.authorship.stateOwnership(key, { rules, accountless });
    onProgress?.(at + 1, repositories.size);
    await Bun.sleep(0);
    signal?.throwIfAborted();
  }
  await pool.authorship.keepOnly(keys);
}

/** Formats the key of a repository. The key contains the first commit, because two repositories may have the same name. */
function formatKey({ forge, name, roots }: KnownClone): string {
  return [forge, name, roots[0]].filter((part) => part !== undefined).join("\n");
}

/** The version of the stored form. Increase the version when the form changes. */
const form = 9;

function fingerprintClones(clones: readonly KnownClone[], others: readonly unknown[]): string {
  const read = clones.map(({ id, head, notes, edition, commits }) =>
    notes ? [id, head, edition, commits, notes] : [id, head, edition, commits],
  );
  const hash = Bun.hash(JSON.stringify([read, ...others]));
  return `${form}.${hash.toString(36)}`;
}

/** Lists the authors of a repository by their numbers. An unknown person is undefined. */
function listAuthors({ ledger, people }: PublishingContext, ids: readonly number[]) {
  const read = ledger.sqlite.query<{ number: number; spelling: number }, [number]>(
    "SELECT number, spelling_id AS spelling FROM mention WHERE place_id = ?",
  );
  const authors: (IdentifiedPerson | undefined)[] = [];
  for (const id of ids) {
    for (const { number, spelling } of read.all(id)) authors[number] ??= people.personOf(spelling);
  }
  return Array.from(authors);
}

function readClones(ledger: Ledger, clones: readonly KnownClone[]): readonly CloneAuthors[] {
  const ids = clones.map(({ id }) => id);
  const mentions = listMentions(ledger, ids);
  const numbers = new Map(mentions.map((one) => [formatSignedName(one), one.number]));
  const find = (one: SignedName) => numbers.get(formatSignedName(one));
  return ids.map((id) => {
    const history = readStoredHistory(ledger.sqlite, id);
    const { signatures, coAuthors } = history.metadata;
    return {
      history,
      authors: signatures.map((one) => (one.isErased ? undefined : find(one))),
      trailers: coAuthors.map((one) => (one ? find(one) : undefined)),
    };
  });
}

/**
 * @param authors the number of authors in the repository.
 * @returns the days with reviews, oldest first; a digest of these days; and the logins of human reviewers by number.
 */
function listReviewsIn(
  clones: readonly Pick<KnownClone, "forge" | "name">[],
  authors: number,
  { people, forges }: { readonly people: IdentifiedPeople; readonly forges: ForgePeople },
) {
  const [repository] = clones.flatMap(
    ({ forge, name }) => forges.findRepository(forge, name) ?? [],
  );
  const reviews = repository ? forges.reviewsIn(repository) : [];
  const logins = new Map<number, string>();
  if (!repository || reviews.length === 0) return { digest: undefined, days: [], logins };
  const reviewers = [...new Set(reviews.map(({ reviewer }) => reviewer))].sort();
  const numberOf = new Map(reviewers.map((reviewer, at) => [reviewer, authors + at]));
  const days = listDays(reviews, numberOf);
  for (const [number, at] of numberOf) {
    const person = people.ofAccount(toAccountKey({ forge: repository.forge, number }));
    if (person?.class === "human") logins.set(at, person.login);
  }
  return { digest: Bun.hash(JSON.stringify(days)).toString(36), days, logins };
}

function listDays(reviews: readonly KnownReview[], numberOf: ReadonlyMap<string, number>) {
  const byDay = Map.groupBy(reviews, ({ change, day }) => `${change} ${day}`);
  const days = [...byDay.values()].flatMap((some) =>
    some.slice(0, 1).map(({ content, day }) => ({
      ...{ ...content, day: Date.parse(day) / 86_400_000 },
      reviewers: some.map(({ reviewer }) => numberOf.get(reviewer) ?? 0),
    })),
  );
  return days.sort((a, b) => a.day - b.day);
}
