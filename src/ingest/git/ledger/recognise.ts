/**
 * Recognises known repositories by name (from the remote or the folder) and history. The first commit alone would
 * confuse a fork with the original, the name alone would confuse two folders called `app`, and the path alone would
 * not find a moved repository.
 */
import { existsSync } from "node:fs";
import type { RepositoryOrigin } from "../repository/origin.ts";
import type { KnownClone } from "./ledger.ts";

interface FoundClone {
  /** Real path. */
  readonly directory: string;
  readonly origin: RepositoryOrigin;
  readonly commit: string;
  /** Whether an earlier HEAD is in this history. */
  readonly has: (head: string) => Promise<boolean>;
}

interface RecognisedClone {
  readonly place: KnownClone;
  /** Whether the history still contains everything that was read, so that only later commits are new. */
  readonly isContinued: boolean;
}

export interface Recogniser {
  /** The place known under this path, whatever is there now. */
  at(directory: string): KnownClone | undefined;
  /**
   * Finds the known place of a repository, and reserves it. Tries in this order:
   *
   * 1. the same path and name;
   * 2. the same path and a continued history (the remote was renamed);
   * 3. a missing path with a continued history, if the name is the same (it moved) or neither has an owner (the
   *    folder was renamed);
   * 4. a missing path with the same name and the same first commit (it moved and was rewritten).
   *
   * @param roots of the history; called only when the other criteria do not decide.
   * @returns undefined for a new repository.
   */
  recognise(
    found: FoundClone,
    roots: () => Promise<readonly string[]>,
  ): Promise<RecognisedClone | undefined>;
}

export function createRecogniser(places: readonly KnownClone[]): Recogniser {
  const byDirectory = new Map(places.map((place) => [place.directory, place]));
  const taken = new Set<KnownClone>();
  let missing: readonly KnownClone[] | undefined;
  const gone = (): readonly KnownClone[] => {
    missing ??= places.filter(({ directory }) => directory === null || !existsSync(directory));
    return missing.filter((place) => !taken.has(place));
  };
  const take = (place: KnownClone, isContinued: boolean): RecognisedClone | undefined => {
    // Places are read in parallel: another one may have taken it while git was running.
    if (taken.has(place)) return undefined;
    taken.add(place);
    return { place, isContinued };
  };
  return {
    at: (directory) => byDirectory.get(directory),
    async recognise(found, roots) {
      const { origin } = found;
      const isContinuedAt = async (place: KnownClone): Promise<boolean> =>
        place.head === found.commit || (await found.has(place.head));
      const here = byDirectory.get(found.directory);
      if (here) {
        const isContinued = await isContinuedAt(here);
        if (isContinued || here.name === origin.name) return take(here, isContinued);
      }
      for (const place of gone()) {
        const isUnnamed = origin.owner === undefined && place.owner === undefined;
        if (place.name !== origin.name && !isUnnamed) continue;
        const same = (await isContinuedAt(place)) && take(place, true);
        if (same) return same;
      }
      const sameName = gone().filter(({ name }) => name === origin.name);
      if (sameName.length === 0) return undefined;
      const current = new Set(await roots());
      const moved = sameName.find((place) => place.roots.some((root) => current.has(root)));
      return moved && take(moved, false);
    },
  };
}

/**
 * Groups the places of one repository, most commits first. The order of repositories depends only on their histories
 * and names, not on their paths or on when they were read.
 */
export function groupClones(known: readonly KnownClone[]): readonly (readonly KnownClone[])[] {
  const groups: KnownClone[][] = [];
  const byName = new Map<string, KnownClone[][]>();
  for (const place of [...known].sort(byFullness)) {
    const named = byName.getOrInsertComputed(place.name, () => []);
    const group = named.find(([first]) => first && isSame(first, place));
    if (group) {
      group.push(place);
      continue;
    }
    const begun = [place];
    groups.push(begun);
    named.push(begun);
  }
  return groups;
}

function isSame(a: KnownClone, b: KnownClone): boolean {
  return a.roots.some((root) => b.roots.includes(root));
}

function byFullness(a: KnownClone, b: KnownClone): number {
  return b.commits - a.commits || compare(a.name, b.name) || compare(a.head, b.head);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
