/** Finds what has become too old: ended runs, and files from before restores and upgrades. */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Config } from "../config/config.ts";
import type { ControlStore } from "../control/control-store.ts";
import { listReplaced } from "../restore/swap.ts";
import { listUpgradeBackups } from "./folder/upgrade.ts";

const dayMs = 86_400_000;

/**
 * @param isTaken whether somebody may be downloading an archive of this name.
 * @returns what is too old, with its number of rows or files and the way to remove it. Nothing is removed yet.
 */
export async function planCleanup(
  { runs }: Pick<ControlStore, "runs">,
  { data, keep }: Pick<Config, "data" | "keep">,
  now: Date,
  isTaken?: (name: string) => boolean,
) {
  const isOld = (at: Date, days: number) => days > 0 && now.getTime() - at.getTime() > days * dayMs;
  const ids = (await runs.list())
    .filter(({ endedAt }) => isOld(endedAt, keep.runsDays))
    .map(({ id }) => id);
  const isFileOld = (path: string) =>
    isOld(statSync(path).mtime, keep.leftoversDays) && !isTaken?.(basename(path));
  const planFile = (path: string) => {
    const isFolder = statSync(path).isDirectory();
    const files = isFolder ? readdirSync(path).map((name) => join(path, name)) : [path];
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    const remove = async () => (await import("../backup/backup.ts")).removeGently(path);
    return { what: basename(path), count: files.length, bytes, remove };
  };
  // The newest of each kind stays.
  const old = [listReplaced(data), listUpgradeBackups(data)].flatMap((paths) =>
    paths.toSorted().slice(0, -1).filter(isFileOld),
  );
  const ended = { what: "ended runs", count: ids.length, bytes: 0, remove: () => runs.remove(ids) };
  return [...(ids.length > 0 ? [ended] : []), ...old.map(planFile)];
}
