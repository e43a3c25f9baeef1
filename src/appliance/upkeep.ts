/** Maintains the pool of a running server, soon after the start and then once a minute. */
import type { ServerBackups } from "../backup/backup.ts";
import type { Config } from "../config/config.ts";
import { startRepeating } from "../contract/start-repeating.ts";
import type { ControlStore } from "../control/control-store.ts";
import type { Pool } from "../pool/pool.ts";
import { planCleanup } from "./cleanup.ts";
import type { ServerDependencies } from "./folder/open-files.ts";
import { type ChildProgram, listFolderFlags, startChild } from "./runs/child-program.ts";

const everyMs = 60_000;
const turnsPerCleanup = 60;
/** The pause between two steps. Waiting calls run during the pause. */
const pauseMs = 100;
/** The age at which an unfinished erasure counts as interrupted. A younger erasure may still be running. */
const patienceMs = 30_000;

interface UpkeepParts {
  readonly modules: { readonly pool: Pick<Pool, "reclaim" | "erasing" | "changes"> };
  readonly control: Pick<ControlStore, "runs">;
  readonly faults: { list(): readonly unknown[] };
  readonly backups?: Pick<ServerBackups, "isTaken"> | undefined;
}

/**
 * Frees unused space in small steps, deletes logins that copies need no longer, and completes interrupted erasures in a child
 * process. Once an hour it removes what is too old.
 * @returns a function that ends the maintenance.
 */
export function startUpkeep(
  config: Config,
  { modules: { pool }, control, faults, backups }: UpkeepParts,
  { self, now, log, live }: Pick<ServerDependencies, "self" | "now" | "log" | "live">,
): () => void {
  let child: ChildProgram | undefined;
  let reported: string | undefined;
  const finishErasures = async () => {
    if (!self) return;
    const latest = now().getTime() - patienceMs;
    const unfinished = await pool.erasing.unfinished();
    if (!unfinished.some((receipt) => Date.parse(receipt.at) < latest)) return;
    child = startChild(self, ["forget", "--finish", ...listFolderFlags(config)]);
    const { fault } = await child.ended;
    child = undefined;
    if (fault === undefined) log.info("erasures that were interrupted are finished");
    else if (fault !== reported) log.error({ fault }, "an erasure is unfinished");
    reported = fault;
  };
  const cleanUp = async (stop: AbortSignal) => {
    // Older files may be the last without the damage.
    if (faults.list().length > 0) return;
    const plan = await planCleanup(control, { ...config, ...live() }, now(), backups?.isTaken);
    for (const { remove, ...gone } of plan) {
      if (stop.aborted) return;
      await remove();
      log.info(gone, "removed, because it was too old");
    }
  };
  let turns = 0;
  const work = async (stop: AbortSignal) => {
    try {
      while (!stop.aborted && (await pool.reclaim())) await Bun.sleep(pauseMs);
      if (!stop.aborted) await pool.changes.prune(live().changes.keepDays);
      if (!stop.aborted) await finishErasures();
      if (!stop.aborted && turns++ % turnsPerCleanup === 0) await cleanUp(stop);
    } catch (error) {
      log.warn({ err: error }, "space could not be freed, or something was not removed");
    }
    return everyMs;
  };
  const { close } = startRepeating(work, pauseMs);
  return () => {
    void close();
    child?.end();
  };
}
