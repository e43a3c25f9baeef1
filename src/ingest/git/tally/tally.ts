/** The stage tally: counts what each author did in each repository. Counts a repository again when its inputs change. */

import { parseDayNumber } from "../commit/day-number.ts";
import { setApplied } from "../ledger/applied.ts";
import { extendIndex, hasCommit, readKin, readOthers } from "../ledger/commit-index.ts";
import { readMetadata, readSegments } from "../ledger/histories.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { listLocations } from "../ledger/locations.ts";
import { groupClones, type RepositoryClones, rankClones } from "../ledger/recognise.ts";
import { readStatements } from "../notes/note-rows.ts";
import { digestRepository } from "./digest-repository.ts";
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
    // Forgotten people may be among the new authors. Unless this run looks for them, the next one looks everywhere.
    if (counted.size === 0) setApplied(ledger, { erasures: "unchecked" });
    writeTally(sqlite, {
      ...{ repository: group.id, places: group.clones.map(({ id }) => id), inputs },
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
export function digestLocations(ledger: Ledger, asOf: string, placeIds: ReadonlySet<number>) {
  return listGroups(ledger, [])
    .filter(({ clones }) => clones.some(({ id }) => placeIds.has(id)))
    .map((group) => digestGroup(ledger, group, asOf));
}

/** What a location adds nothing to. */
export interface CopyOf {
  /** The repository in which the commits count. */
  readonly name: string;
  /** Where the other clone is; undefined if the location has another name by its remote. */
  readonly path?: string | undefined;
}

/** Finds the clones of repositories, and the repositories that have no commit of their own. */
export function findCopies(ledger: Ledger): ReadonlyMap<number, CopyOf> {
  const found = new Map<number, CopyOf>();
  for (const { origin, clones, before } of listGroups(ledger, [])) {
    const { name, path } = origin;
    for (const { id } of clones) if (id !== origin.id) found.set(id, { name, path });
    const { head } = clones[0] ?? origin;
    const whole = before.find(([place]) => hasCommit(ledger.sqlite, place, head));
    if (whole) found.set(origin.id, { name: whole[1] });
  }
  return found;
}

interface CloneGroup extends RepositoryClones {
  /** The lowest id of the locations. */
  readonly id: number;
  /** Locations that share commits with this repository and count before it, in order. Each has the name of its repository. */
  readonly before: readonly (readonly [place: number, repository: string])[];
  readonly rankOf: (place: number) => number | undefined;
}

/** Lists repositories in the order of counting: a commit counts in the first repository that contains it. */
function listGroups(ledger: Ledger, leaving: readonly number[]): readonly CloneGroup[] {
  const { sqlite } = ledger;
  const staying = listLocations(ledger).filter(({ id }) => !leaving.includes(id));
  const groups = groupClones(sqlite, staying);
  const rankOf = rankClones(groups);
  const kin = readKin(sqlite);
  return groups.map(({ origin, clones }, at) => {
    const others = new Set(clones.flatMap(({ id }) => [...(kin.get(id) ?? [])]));
    const before = [...others]
      .filter((place) => (rankOf(place) ?? at) < at)
      .sort((a, b) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0) || a - b)
      .map((place) => [place, groups[rankOf(place) ?? 0]?.origin.name ?? ""] as const);
    return { id: Math.min(...clones.map(({ id }) => id)), origin, clones, before, rankOf };
  });
}

/** Version of the counting. Increase it when the same commits are counted differently. */
const form = 6;

function describeInputs({ origin, clones, before }: CloneGroup, asOf: string): string {
  const { name, forge, owner } = origin;
  const read = clones.map(({ id, changes }) => [id, changes]);
  const end = Date.parse(asOf) / 1000 + secondsPerDay;
  // The as-of day matters only if there are commits after it.
  const isAhead = clones.some(({ latest }) => latest >= end);
  return JSON.stringify([form, read, name, forge, owner, before, isAhead ? asOf : ""]);
}

const secondsPerDay = 86_400;

function digestGroup({ sqlite }: Ledger, { origin, clones, rankOf }: CloneGroup, asOf: string) {
  const ids = clones.map(({ id }) => id);
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
