/**
 * Stage 4, count: counts the repositories again whose commits have changed, or of whose commits others hold more or fewer than
 * before. What was counted stays in the ledger; nothing is read of the other repositories.
 */

import { parseDayNumber } from "./commit/day-number.ts";
import { digestRepository } from "./commits/digest-repository.ts";
import type { RepositoryDigest } from "./commits/repository-digest.ts";
import type { KnownClone, Ledger } from "./ledger/ledger.ts";
import { groupClones } from "./ledger/recognise.ts";

type CountedLedger = Pick<
  Ledger,
  "places" | "metadata" | "segments" | "notes" | "commits" | "repositories"
>;

export interface CountOptions {
  /** Commits dated later are flagged and not counted. */
  readonly asOf: string;
  /** Counts every repository, whether anything changed or not. */
  readonly anew?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((repositories: number, all: number) => void) | undefined;
}

/** @returns the repositories that were counted, by id. */
export async function countRepositories(
  ledger: CountedLedger,
  { asOf, anew = false, signal, onProgress }: CountOptions,
): Promise<ReadonlySet<number>> {
  ledger.commits.update();
  const counted = new Set<number>();
  const known = ledger.repositories.inputs();
  const groups = listGroups(ledger);
  for (const [at, group] of groups.entries()) {
    const inputs = describeInputs(group, asOf);
    const isSame = known.get(group.id) === inputs && group.places.every((place) => place.isCounted);
    if (isSame && !anew) continue;
    const ids = group.places.map(({ id }) => id);
    ledger.repositories.save(group.id, ids, inputs, digestGroup(ledger, group, asOf));
    counted.add(group.id);
    onProgress?.(at + 1, groups.length);
    await Bun.sleep(0);
    signal?.throwIfAborted();
  }
  ledger.repositories.keepOnly(new Set(groups.map(({ id }) => id)));
  return counted;
}

/** Counts some repositories without storing it, for what only a report needs. */
export function digestPlaces(
  ledger: CountedLedger,
  asOf: string,
  placeIds: ReadonlySet<number>,
): readonly RepositoryDigest[] {
  return listGroups(ledger)
    .filter(({ places }) => places.some(({ id }) => placeIds.has(id)))
    .map((group) => digestGroup(ledger, group, asOf));
}

/** The clones of one repository. */
interface CloneGroup {
  /** The least id of its places. */
  readonly id: number;
  /** Most commits first. */
  readonly places: readonly KnownClone[];
  /** Places of repositories counted before that hold commits of this one. */
  readonly before: readonly number[];
  readonly rankOf: (place: number) => number | undefined;
}

/** In the order in which commits count: a commit counts in the first repository that has it. */
function listGroups(ledger: Pick<Ledger, "places" | "commits">): readonly CloneGroup[] {
  const groups = groupClones(ledger.places().filter(({ isLeaving }) => !isLeaving));
  const rank = new Map(groups.flatMap((places, at) => places.map(({ id }) => [id, at] as const)));
  const kin = ledger.commits.kin();
  const rankOf = (place: number) => rank.get(place);
  return groups.map((places, at) => {
    const others = new Set(places.flatMap(({ id }) => [...(kin.get(id) ?? [])]));
    const before = [...others]
      .filter((place) => (rank.get(place) ?? at) < at)
      .sort((a, b) => a - b);
    return { id: Math.min(...places.map(({ id }) => id)), places, before, rankOf };
  });
}

/** Increased when the same commits are counted in another way. */
const form = 3;

function describeInputs({ places, before }: CloneGroup, asOf: string): string {
  const [origin] = places;
  const { name, forge, owner } = origin ?? {};
  const ids = places.map(({ id }) => id);
  const end = Date.parse(asOf) / 1000 + secondsPerDay;
  // Only commits of the future depend on the day.
  const isAhead = places.some(({ latest }) => latest >= end);
  return JSON.stringify([form, ids, name, forge, owner, before, isAhead ? asOf : ""]);
}

const secondsPerDay = 86_400;

function digestGroup(
  ledger: CountedLedger,
  { places, rankOf }: CloneGroup,
  asOf: string,
): RepositoryDigest {
  const [origin] = places;
  if (!origin) throw new Error("A repository without a place.");
  const ids = places.map(({ id }) => id);
  const counting = {
    asOfDay: parseDayNumber(asOf),
    others: ledger.commits.others(ids, rankOf),
    stated: ledger.notes.statements(ids),
  };
  return digestRepository(counting, origin, historiesOf(ledger, ids));
}

function* historiesOf(ledger: Pick<Ledger, "metadata" | "segments">, ids: readonly number[]) {
  for (const id of ids) {
    yield { id, metadata: ledger.metadata(id), segments: ledger.segments(id) };
  }
}
