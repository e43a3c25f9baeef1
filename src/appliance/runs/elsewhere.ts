/** Runs that this server did not start: those of commands, of schedules and of other nodes. */
import { hostname } from "node:os";
import type { ElsewhereRun } from "../../interfaces/web/web.ts";
import type { EndedImport, ImportUnderWay, Pool } from "../../pool/pool.ts";

const keptMax = 5;

/**
 * Reads what the lock of imports says of its holder, and keeps what it has said.
 *
 * @param isOwn whether a process is a run of this server.
 */
export function createElsewhere(
  pool: Pick<Pool, "importUnderWay" | "lastImport">,
  isOwn: (pid: number) => boolean,
) {
  const seen = new Map<string, ElsewhereRun>();
  const note = (found: ImportUnderWay | EndedImport | undefined) => {
    const run = found && describeRun(found);
    // Another machine has its own numbers of processes.
    if (!run || (run.machine === undefined && isOwn(run.pid))) return;
    seen.set(run.holder, run);
    const [oldest] = seen.keys();
    if (seen.size > keptMax && oldest !== undefined) seen.delete(oldest);
  };
  return {
    /** Those under way first, then the latest. */
    async list(): Promise<readonly ElsewhereRun[]> {
      const [underWay, last] = await Promise.all([pool.importUnderWay(), pool.lastImport()]);
      for (const [holder, run] of seen) {
        // The next one has taken its place before anyone looked at how it ended.
        if (run.state === "running") seen.set(holder, { ...run, state: "unknown" });
      }
      note(last);
      note(underWay);
      return [...seen.values()].reverse();
    },
  };
}

const holderForm =
  /^(?<title>.*), process (?<pid>\d+)(?: on (?<machine>\S+))?, since (?<since>\S+)$/;

function describeRun(found: ImportUnderWay | EndedImport): ElsewhereRun | undefined {
  const { holder } = found;
  const { title = "", pid, machine, since = "" } = holderForm.exec(holder)?.groups ?? {};
  if (pid === undefined || Number.isNaN(Date.parse(since))) return undefined;
  const known = {
    ...{ holder, title, pid: Number(pid), startedAt: new Date(since) },
    machine: machine === hostname() ? undefined : machine,
  };
  const none = { progress: undefined, endedAt: undefined, changes: undefined };
  if ("progress" in found) {
    return { ...known, ...none, state: "running", progress: found.progress };
  }
  const { endedAt, counts } = found;
  if (!endedAt) return { ...known, ...none, state: "died" };
  return { ...known, ...none, state: counts ? "done" : "unchanged", endedAt, changes: counts };
}
