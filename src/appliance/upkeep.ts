/** Maintains the pool of a running server, soon after the start and then once a minute. */
import type { Config } from "../config/config.ts";
import { startRepeating } from "../contract/start-repeating.ts";
import type { Pool } from "../pool/pool.ts";
import type { Dependencies } from "./folder/open-files.ts";
import { type ChildProgram, listFolderFlags, startChild } from "./runs/child-program.ts";

const everyMs = 60_000;
/** The pause between two steps. Waiting calls run during the pause. */
const pauseMs = 100;
/** The age at which an unfinished erasure counts as interrupted. A younger erasure may still be running. */
const patienceMs = 30_000;

/**
 * Frees unused space in small steps, deletes logins that copies need no longer, and completes interrupted erasures in a child
 * process.
 * @returns a function that ends the maintenance.
 */
export function startUpkeep(
  config: Config,
  pool: Pick<Pool, "reclaim" | "erasing" | "changes">,
  { self, now, log }: Pick<Dependencies, "self" | "now" | "log">,
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
  const work = async (stop: AbortSignal) => {
    try {
      while (!stop.aborted && (await pool.reclaim())) await Bun.sleep(pauseMs);
      if (!stop.aborted) await pool.changes.prune(config.changes.keepDays);
      if (!stop.aborted) await finishErasures();
    } catch (error) {
      log.warn({ err: error }, "space could not be freed, or an erasure could not be finished");
    }
    return everyMs;
  };
  const { close } = startRepeating(work, pauseMs);
  return () => {
    void close();
    child?.end();
  };
}
