/**
 * Recognizes known repositories by name and history. The first commit alone would confuse a fork with the original. The name
 * alone would confuse two folders called `app`.
 */
import type { Connection } from "../../../sqlite/connection.ts";
import type { RepositoryOrigin } from "../../origin.ts";
import { isRepositoryAt } from "../repository/find-repositories.ts";
import { hasCommit, readKin } from "./commit-index.ts";
import { isOfOlderForm, type Ledger } from "./ledger.ts";
import { type KnownClone, listLocations } from "./locations.ts";

interface FoundClone {
  /** Real path of the repository. */
  readonly directory: string;
  readonly origin: RepositoryOrigin;
  readonly commit: string;
  /** Whether an earlier HEAD is in this history. */
  readonly has: (head: string) => Promise<boolean>;
}

export type Recogniser = ReturnType<typeof createRecogniser>;

export function createRecogniser(locations: readonly KnownClone[]) {
  const byDirectory = Map.groupBy(locations, ({ directory }) => directory);
  const at = (directory: string): readonly KnownClone[] => byDirectory.get(directory) ?? [];
  const taken = new Set<KnownClone>();
  const displaced = new Set<KnownClone>();
  let missing: ReadonlySet<KnownClone> | undefined;
  const gone = (): readonly KnownClone[] => {
    missing ??= new Set(locations.filter((location) => !isThere(location)));
    return [...missing.union(displaced).difference(taken)];
  };
  /** Reserves a location. @param isContinued whether the history still contains everything that was read before. */
  const take = (location: KnownClone, isContinued: boolean) => {
    // Repositories are recognized in parallel: another one may have taken the location while git was running.
    if (taken.has(location)) return undefined;
    taken.add(location);
    return { location, isContinued };
  };
  return {
    at,
    /**
     * Finds the known location of a repository, and reserves it. Tries in this order:
     * 1. the same path and a continued history;
     * 2. the same path and name;
     * 3. a location that is not at its path any more, with a continued history, if the name is the same (the repository moved) or
     * neither has an owner (the folder was renamed);
     * 4. such a location with the same name and first commit (the repository moved and was rewritten).
     * @param roots finds the first commits of the history. Called only if the other criteria do not decide.
     * @returns undefined for a new repository.
     */
    async recognise(found: FoundClone, roots: () => Promise<readonly string[]>) {
      const { origin } = found;
      const isContinuedAt = async (location: KnownClone): Promise<boolean> =>
        location.head === found.commit || (await found.has(location.head));
      const here = at(found.directory);
      for (const location of here) {
        const same = (await isContinuedAt(location)) && take(location, true);
        if (same) return same;
      }
      const named = here.find(({ name }) => name === origin.name);
      if (named) return take(named, false);
      for (const location of here) displaced.add(location);
      for (const location of gone()) {
        const isUnnamed = origin.owner === undefined && location.owner === undefined;
        if (location.name !== origin.name && !isUnnamed) continue;
        const same = (await isContinuedAt(location)) && take(location, true);
        if (same) return same;
      }
      const sameName = gone().filter(({ name }) => name === origin.name);
      if (sameName.length === 0) return undefined;
      const current = new Set(await roots());
      const moved = sameName.find((location) => location.roots.some((root) => current.has(root)));
      return moved && take(moved, false);
    },
  };
}

function isThere({ directory }: KnownClone): boolean {
  return directory !== null && isRepositoryAt(directory);
}

/** Lists locations whose folder is gone and whose repository is known elsewhere. */
export function listSuperseded(ledger: Pick<Ledger, "orm" | "path" | "sqlite">): number[] {
  const known = listLocations(ledger);
  const count = Map.groupBy(known, ({ directory }) => directory);
  const isAlone = ({ directory }: KnownClone) => count.get(directory)?.length === 1;
  const there = new Set(known.filter((location) => isAlone(location) && isThere(location)));
  const isSuperseded = (gone: KnownClone) =>
    [...there].some((location) => {
      const isOneForge = location.forge !== undefined && location.forge === gone.forge;
      if (location.name === gone.name) return isOneForge || isSame(location, gone);
      // A repository that was named by its folder may have a remote by now.
      const isUnnamed = gone.owner === undefined;
      return isUnnamed && isSame(location, gone) && hasTip(ledger.sqlite, location, gone);
    });
  return known
    .filter((location) => !there.has(location) && isSuperseded(location))
    .map(({ id }) => id);
}

/** Counts outdated locations: locations of an older form, and locations that their repository has left. */
export function countOutdated(ledger: Parameters<typeof listSuperseded>[0]) {
  const locations = listLocations(ledger);
  const left = new Set(listSuperseded(ledger));
  const groups = Map.groupBy(locations, ({ directory }) => directory);
  for (const [directory, [, ...others]] of groups) {
    if (directory !== null) for (const { id } of others) left.add(id);
  }
  const old = locations.filter((location) => isOfOlderForm(location) && isThere(location));
  return { ofOlderForm: old.length, left: left.size };
}

export interface RepositoryClones {
  /** The location that gives the repository its name: one with a remote, if there is one. */
  readonly origin: KnownClone;
  /** All locations, most commits first. */
  readonly clones: readonly KnownClone[];
}

/**
 * Groups the locations of each repository, the repository with most commits first. Locations of one name are one repository if they
 * began with the same commit. A location whose name only comes from its folder is a clone of the repository that has its newest
 * commit, or whose newest commit it has. Remotes of different names are different repositories, because content does not tell a
 * mirror from a fork.
 */
export function groupClones(sqlite: Connection, known: readonly KnownClone[]) {
  const kin = readKin(sqlite);
  const isClone = (one: KnownClone, other: KnownClone): boolean => {
    const isNamed = hasSameName(one, other) || hasSameName(other, one);
    if (isNamed && isSame(one, other)) return true;
    if (!isNamed && other.owner !== undefined) return false;
    return hasSameRoots(one, other) && (hasTip(sqlite, one, other) || hasTip(sqlite, other, one));
  };
  const groups: KnownClone[][] = [];
  const near = new Map<string | number, number[]>();
  for (const location of [...known].sort((a, b) => byRemote(a, b) || byFullness(a, b))) {
    const keys = [toKey(location), ...(kin.get(location.id) ?? [])];
    const candidates = new Set(keys.flatMap((key) => near.get(key) ?? []));
    const isOf = (at: number) => groups[at]?.some((one) => isClone(one, location));
    // A clone of two repositories belongs to the first, whichever was read first.
    const at = [...candidates].sort((a, b) => a - b).find(isOf) ?? groups.length;
    groups[at] = [...(groups[at] ?? []), location];
    for (const key of [toKey(location), location.id]) {
      near.getOrInsertComputed(key, () => []).push(at);
    }
  }
  return groups.map(toClones).sort((a, b) => byFullness(toFullest(a), toFullest(b)));
}

/** @returns a function from the id of a location to the rank of its repository. */
export function rankClones(groups: readonly RepositoryClones[]) {
  const ranks = new Map(groups.flatMap(({ clones }, at) => clones.map(({ id }) => [id, at])));
  return (id: number): number | undefined => ranks.get(id);
}

/** Leaves out clones of which a fuller one has everything. */
export function dropContained(sqlite: Connection, clones: readonly KnownClone[]) {
  const isIn = (one: KnownClone) => (fuller: KnownClone) =>
    fuller.roots.length > 0 && hasSameRoots(one, fuller) && hasTip(sqlite, fuller, one);
  return clones.filter((one, at) => !clones.slice(0, at).some(isIn(one)));
}

function toClones(group: readonly KnownClone[]): RepositoryClones {
  const [origin] = group.toSorted(
    (a, b) => byRemote(a, b) || compareNames(a, b) || byFullness(a, b),
  );
  if (!origin) throw new Error("A repository without a location.");
  return { origin, clones: group.toSorted(byFullness) };
}

function toFullest({ origin, clones: [first] }: RepositoryClones): KnownClone {
  return { ...(first ?? origin), name: origin.name };
}

/** Puts the shorter name first, without the path of a server. */
function compareNames(a: KnownClone, b: KnownClone): number {
  const text = ({ name, forge = "" }: KnownClone) => `${name}\n${forge}`;
  return a.name.length - b.name.length || compare(text(a), text(b));
}

/** Whether the names are equal in any case, or differ by the path of the server, which addresses of ssh do not have. */
function hasSameName(longer: KnownClone, { forge, ...shorter }: KnownClone): boolean {
  const [one, other] = [toKey(longer), toKey(shorter)];
  return (
    one === other || (forge !== undefined && forge === longer.forge && one.endsWith(`/${other}`))
  );
}

function toKey({ name }: Pick<KnownClone, "name">): string {
  return name.toLowerCase();
}

function hasTip(sqlite: Connection, { id }: KnownClone, { head }: KnownClone): boolean {
  return hasCommit(sqlite, id, head);
}

function isSame(a: KnownClone, b: KnownClone): boolean {
  return a.roots.some((root) => b.roots.includes(root));
}

/** Also true for a shallow clone, which may lack its first commits. A repository that took in another one has more of them. */
function hasSameRoots(a: KnownClone, b: KnownClone): boolean {
  const [fewer, more] = a.roots.length < b.roots.length ? [a, b] : [b, a];
  return fewer.roots.length === 0 || Bun.deepEquals(fewer.roots, more.roots);
}

/** Puts locations with a remote before those with the owner in their path, and these before all others. */
function byRemote(a: KnownClone, b: KnownClone): number {
  const rank = ({ forge, owner }: KnownClone) => Number(!forge) + Number(!owner);
  return rank(a) - rank(b);
}

function byFullness(a: KnownClone, b: KnownClone): number {
  return b.commits - a.commits || compare(a.name, b.name) || compare(a.head, b.head);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
