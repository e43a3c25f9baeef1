/** The stage tally: counts what each author did in each repository. Counts a repository again when its inputs change. */
import { parseDayNumber } from "../commit/day-number.ts";
import { extendIndex, readKin, readOthers } from "../ledger/commit-index.ts";
import { readMetadata, readSegments } from "../ledger/histories.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type KnownClone, listLocations } from "../ledger/locations.ts";
import { groupClones } from "../ledger/recognise.ts";
import { readStatements } from "../notes/note-rows.ts";
import { digestRepository, type RepositoryDigest } from "./digest-repository.ts";
import { keepTallies, readInputs, writeTally } from "./tally-rows.ts";

export interface TallyOptions {
  /** The last day that counts, YYYY-MM-DD. Commits of later days are only reported. */
  readonly asOf: string;
  /** Ids of locations that no longer count. */
  readonly leaving?: readonly number[] | undefined;
  /** Counts every repository again, even if nothing changed. */
  readonly anew?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((repositories: number, all: number) => void) | undefined;
}

/** Counts the repositories that have changed, each in one transaction. @returns their ids. */
export async function countRepositories(
  ledger: Ledger,
  { asOf, leaving = [], anew = false, signal, onProgress }: TallyOptions,
): Promise<ReadonlySet<number>> {
  const { sqlite } = ledger;
  extendIndex(sqlite);
  const known = readInputs(sqlite);
  const counted = new Set<number>();
  const groups = listGroups(ledger, leaving);
  for (const [at, group] of groups.entries()) {
    const inputs = describeInputs(group, asOf);
    if (known.get(group.id) === inputs && !anew) continue;
    writeTally(sqlite, {
      ...{ repository: group.id, places: group.places.map(({ id }) => id), inputs },
      digest: digestGroup(ledger, group, asOf),
    });
    counted.add(group.id);
    onProgress?.(at + 1, groups.length);
    await Bun.sleep(0);
    signal?.throwIfAborted();
  }
  keepTallies(sqlite, new Set(groups.map(({ id }) => id)));
  return counted;
}

/** Counts some repositories without storing the result, for reports. */
export function digestLocations(
  ledger: Ledger,
  asOf: string,
  placeIds: ReadonlySet<number>,
): readonly RepositoryDigest[] {
  return listGroups(ledger, [])
    .filter(({ places }) => places.some(({ id }) => placeIds.has(id)))
    .map((group) => digestGroup(ledger, group, asOf));
}

/** The clones of one repository. */
interface CloneGroup {
  /** The lowest id of the locations. */
  readonly id: number;
  /** The locations, most commits first. */
  readonly places: readonly KnownClone[];
  /** Locations that share commits with this repository and count before it, in order. Each has the name of its repository. */
  readonly before: readonly (readonly [place: number, repository: string])[];
  readonly rankOf: (place: number) => number | undefined;
}

/** Lists repositories in the order of counting: a commit counts in the first repository that contains it. */
function listGroups(ledger: Ledger, leaving: readonly number[]): readonly CloneGroup[] {
  const groups = groupClones(listLocations(ledger).filter(({ id }) => !leaving.includes(id)));
  const rank = new Map(groups.flatMap((places, at) => places.map(({ id }) => [id, at] as const)));
  const kin = readKin(ledger.sqlite);
  const rankOf = (place: number) => rank.get(place);
  return groups.map((places, at) => {
    const others = new Set(places.flatMap(({ id }) => [...(kin.get(id) ?? [])]));
    const before = [...others]
      .filter((place) => (rank.get(place) ?? at) < at)
      .sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0) || a - b)
      .map((place) => [place, groups[rank.get(place) ?? 0]?.[0]?.name ?? ""] as const);
    return { id: Math.min(...places.map(({ id }) => id)), places, before, rankOf };
  });
}

/** Version of the counting. Increase it when the same commits are counted differently. */
const form = 5;

function describeInputs({ places, before }: CloneGroup, asOf: string): string {
  const [origin] = places;
  const { name, forge, owner } = origin ?? {};
  const read = places.map(({ id, changes }) => [id, changes]);
  const end = Date.parse(asOf) / 1000 + secondsPerDay;
  // The as-of day matters only if there are commits after it.
  const isAhead = places.some(({ latest }) => latest >= end);
  return JSON.stringify([form, read, name, forge, owner, before, isAhead ? asOf : ""]);
}

const secondsPerDay = 86_400;

function digestGroup(
  { sqlite }: Ledger,
  { places, rankOf }: CloneGroup,
  asOf: string,
): RepositoryDigest {
  const [origin] = places;
  if (!origin) throw new Error("A repository without a location.");
  const ids = places.map(({ id }) => id);
  const counting = {
    asOfDay: parseDayNumber(asOf),
    others: readOthers(sqlite, ids, rankOf),
    stated: readStatements(sqlite, ids),
  };
  return digestRepository(counting, origin, readClones(sqlite, ids));
}

function* readClones(sqlite: Ledger["sqlite"], ids: readonly number[]) {
  for (const id of ids) {
    yield { id, metadata: readMetadata(sqlite, id), segments: readSegments(sqlite, id) };
  }
}
