/**
 * Tells whether a repository is one that is known. What makes it the same: its name (by the remote, or by
 * the folder) and its history. Its first commit alone would take a fork for the original, its name alone
 * would take two folders called `app` for one, and its path alone would forget it when it moves.
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
  /** All that was read is still in the history: only what came after is new. */
  readonly isContinued: boolean;
}

export interface Recogniser {
  /** What is known under this path, whatever stands there now. */
  at(directory: string): KnownClone | undefined;
  /**
   * Finds the known repository that this is, and gives it to no other. In this order: the same path and name;
   * the same path under another name, when the history goes on (the remote was renamed); a path that is gone,
   * when the history goes on and either the name is the same (it moved) or neither name comes from a forge or
   * an owner (the folder was renamed); the same name at a path that is gone, when the history began with the
   * same commit (it moved, and was rewritten).
   *
   * @param roots of the history, asked for only where the rest does not tell.
   * @returns undefined for a repository that is new.
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
    // Two places are read at a time: while git was asked, the other may have been given it.
    if (taken.has(place)) return undefined;
    taken.add(place);
    return { place, isContinued };
  };
  return {
    at: (directory) => byDirectory.get(directory),
    async recognise(found, roots) {
      const { origin } = found;
      const goesOn = async (place: KnownClone): Promise<boolean> =>
        place.head === found.commit || (await found.has(place.head));
      const here = byDirectory.get(found.directory);
      if (here) {
        const isContinued = await goesOn(here);
        if (isContinued || here.name === origin.name) return take(here, isContinued);
      }
      for (const place of gone()) {
        const isUnnamed = origin.owner === undefined && place.owner === undefined;
        if (place.name !== origin.name && !isUnnamed) continue;
        const same = (await goesOn(place)) && take(place, true);
        if (same) return same;
      }
      const sameName = gone().filter(({ name }) => name === origin.name);
      if (sameName.length === 0) return undefined;
      const began = new Set(await roots());
      const moved = sameName.find((place) => place.roots.some((root) => began.has(root)));
      return moved && take(moved, false);
    },
  };
}

/**
 * Puts the places of one repository together, the fullest first, and the repositories in an order that depends
 * on their histories and names only: so it does not matter where they lie or when they were read.
 */
export function groupClones(known: readonly KnownClone[]): readonly (readonly KnownClone[])[] {
  const groups: KnownClone[][] = [];
  for (const place of [...known].sort(byFullness)) {
    const group = groups.find(([first]) => first && isSame(first, place));
    if (group) group.push(place);
    else groups.push([place]);
  }
  return groups;
}

function isSame(a: KnownClone, b: KnownClone): boolean {
  return a.name === b.name && a.roots.some((root) => b.roots.includes(root));
}

function byFullness(a: KnownClone, b: KnownClone): number {
  return b.commits - a.commits || compare(a.name, b.name) || compare(a.head, b.head);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
