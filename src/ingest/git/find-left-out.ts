/** Which known repositories a run could not read, or found to be gone. */
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Unread } from "../../contract/people/history-end.ts";
import { isRepositoryAt } from "./find-repositories.ts";
import type { KnownClone, Ledger } from "./ledger/ledger.ts";
import type { RepositoryRefusal } from "./repository/refusal.ts";

const remedy =
  "Check whether its disk is mounted, or read it where it is now; what was read of it counts until it is forgotten.";
const missing = { isGone: true, reason: "no repository is there any more.", remedy };
const displaced = { isGone: true, reason: "another repository is at its path now.", remedy };

/**
 * Judges every known place, since a run that is given others also sees which folders have gone. A place that is there and
 * was not asked for keeps its state.
 *
 * @returns by id; undefined for places that are read again.
 */
export function findLeftOut(
  ledger: Pick<Ledger, "places">,
  read: readonly { readonly directory: string }[],
  refused: readonly RepositoryRefusal[],
): ReadonlyMap<number, Omit<Unread, "since"> | undefined> {
  // A run that reads nothing may not even see the folders.
  if (read.length + refused.length === 0) return new Map();
  const readAt = new Set(read.map(({ directory }) => directory));
  const refusals = new Map(refused.map((refusal) => [findRealPath(refusal.path), refusal]));
  const judge = (directory: string | null) => {
    if (directory === null) return displaced;
    if (!isRepositoryAt(directory)) return missing;
    const refusal = findAbove(directory, refusals);
    return refusal && { isGone: false, reason: refusal.reason, remedy: refusal.remedy };
  };
  return new Map(
    ledger.places().flatMap(({ id, directory, leftOut }) => {
      const isRead = directory !== null && readAt.has(directory);
      const found = isRead ? undefined : judge(directory);
      return found || (isRead && leftOut) ? [[id, found]] : [];
    }),
  );
}

/** @returns the repositories that are gone from below the paths, apart from those that are refused already. */
export function refuseGone(
  places: readonly KnownClone[],
  paths: readonly string[],
  refused: readonly RepositoryRefusal[],
): readonly RepositoryRefusal[] {
  const named = new Map(paths.map((path) => [findRealPath(path), path]));
  const known = new Set(refused.map(({ path }) => findRealPath(path)));
  return places.flatMap(({ directory, path, leftOut }) => {
    if (!leftOut?.isGone || directory === null || known.has(directory)) return [];
    const { reason, remedy } = leftOut;
    return findAbove(directory, named) === undefined ? [] : [{ path, reason, remedy }];
  });
}

/** Finds what is known of a path or of the nearest folder above it. */
function findAbove<Value>(path: string, known: ReadonlyMap<string, Value>): Value | undefined {
  const found = known.get(path);
  return found !== undefined || path === dirname(path) ? found : findAbove(dirname(path), known);
}

/** Follows the folders above a repository that may be missing. */
function findRealPath(given: string): string {
  const path = resolve(given);
  const parent = dirname(path);
  if (basename(path) === ".git") return findRealPath(parent);
  try {
    return realpathSync(path);
  } catch {
    return path === parent ? path : join(findRealPath(parent), basename(path));
  }
}
