import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Unread } from "../../contract/people/history-end.ts";
import type { KnownClone } from "./ledger/locations.ts";
import { isRepositoryAt } from "./repository/find-repositories.ts";
import type { RepositoryRefusal } from "./repository/refusal.ts";

const remedy =
  "Check whether its disk is mounted, or read it from its new path. Its data counts until `roster ingest forget`.";
const missing = { state: "gone", reason: "no repository is there any more.", remedy } as const;
const displaced = { ...missing, reason: "another repository is at its path now." } as const;

/**
 * Finds why known locations were not read in this run.
 * @returns reasons by location id. Undefined marks a location that is read again after it was left out.
 */
export function findLeftOut(
  locations: readonly KnownClone[],
  read: readonly { readonly directory: string }[],
  refused: readonly RepositoryRefusal[],
): ReadonlyMap<number, Omit<Unread, "since"> | undefined> {
  // A run that reads nothing gives no reasons, because the folders may be unreachable.
  if (read.length + refused.length === 0) return new Map();
  const readAt = new Set(read.map(({ directory }) => directory));
  const refusals = new Map(refused.map((refusal) => [findRealPath(refusal.path), refusal]));
  const judge = ({ directory, path }: KnownClone) => {
    if (directory === null) return displaced;
    if (!isRepositoryAt(directory)) return missing;
    const refusal = refusals.get(findRealPath(path)) ?? findAbove(directory, refusals);
    return (
      refusal && { state: "left_out" as const, reason: refusal.reason, remedy: refusal.remedy }
    );
  };
  return new Map(
    locations.flatMap((location) => {
      const { id, directory, leftOut } = location;
      const isRead = directory !== null && readAt.has(directory);
      const found = isRead ? undefined : judge(location);
      return found || (isRead && leftOut) ? [[id, found]] : [];
    }),
  );
}

/** @returns a refusal for each known repository that is gone. Repositories in `refused` are left out. */
export function refuseGone(
  locations: readonly KnownClone[],
  paths: readonly string[],
  refused: readonly RepositoryRefusal[],
): readonly RepositoryRefusal[] {
  const named = new Map(paths.map((path) => [findRealPath(path), path]));
  const known = new Set(refused.map(({ path }) => findRealPath(path)));
  return locations.flatMap(({ directory, path, leftOut }) => {
    if (leftOut?.state !== "gone" || directory === null) return [];
    if (known.has(directory) || known.has(findRealPath(path))) return [];
    const { reason, remedy } = leftOut;
    return findAbove(directory, named) === undefined ? [] : [{ path, reason, remedy }];
  });
}

/** Finds the entry for a path, or else for the nearest parent folder that has an entry. */
function findAbove<Value>(path: string, known: ReadonlyMap<string, Value>): Value | undefined {
  const found = known.get(path);
  return found !== undefined || path === dirname(path) ? found : findAbove(dirname(path), known);
}

/** Resolves the real path. A path that does not exist is returned as it is. */
export function findRealPath(given: string): string {
  const path = resolve(given).replace(/[\\/]\.git$/, "");
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
