/**
 * Runs saved searches after each change of the pool, when the search index includes the change. Nodes share the work: one node
 * claims each search. The searches count toward the limit of simultaneous calls, but not toward a quota.
 */
import { Problem } from "../contract/problem.ts";
import { startRepeating } from "../contract/start-repeating.ts";
import { createSearchMail, type SearchMail, type SearchMailParts } from "../delivery/delivery.ts";
import type { Log } from "../operations/log-call.ts";
import type { Modules } from "../operations/operation.ts";

interface ScheduleParts extends SearchMailParts {
  readonly modules: Modules;
  readonly log: Log;
}

const lookEveryMs = 2000;
/** The pause after all searches have run. Afterwards, new searches may have been saved. */
const lookAgainMs = 30_000;
/** The pause after a fault, such as an absent database. */
const retryMs = 60_000;
/** The most searches that a node runs after one change. */
const searchesPerChangeMax = 1000;
/** How long the searches of one account may run after a change of the pool, in milliseconds. */
const accountMsMax = 1000;
/** The pause after a run is this many times longer than the run. */
const pausesPerRun = 9;
const pauseMsMin = 20;

export function startSavedSearches(given: ScheduleParts) {
  const mail = createSearchMail(given);
  const parts = { ...given, mail };
  let done: { readonly revision: number; readonly atMs: number } | undefined;
  const look = async (stop: AbortSignal) => {
    try {
      const revision = parts.modules.search.generation?.revision;
      const isDone =
        done !== undefined &&
        done.revision === revision &&
        performance.now() - done.atMs < lookAgainMs;
      if (revision !== undefined && !isDone && (await runPending(parts, revision, stop))) {
        done = { revision, atMs: performance.now() };
      }
      return lookEveryMs;
    } catch (err) {
      const text = "saved searches could not be run; they are tried again";
      if (!stop.aborted) parts.log.warn({ err }, text);
      return retryMs;
    }
  };
  return { ...startRepeating(look, lookEveryMs), mail };
}

/** @returns whether all searches have run since this change. */
async function runPending(
  { modules, control, now, mail }: ScheduleParts & { readonly mail: SearchMail },
  revision: number,
  stop: AbortSignal,
): Promise<boolean> {
  const { pool, search, admission } = modules;
  const shares = createRunShares();
  // With an older index, the results would be outdated.
  const isCurrent = async () =>
    search.generation?.revision === revision && (await pool.revision()) === revision;
  for (let runs = 0; runs < searchesPerChangeMax; runs++) {
    if (stop.aborted || !(await isCurrent())) return false;
    const leave = tryEnter(admission);
    if (!leave) return false;
    let pauseMs = 0;
    try {
      const pending = await control.saved.claimPending(revision);
      if (!pending) return true;
      if (!shares.hasTime(pending.accountId)) continue;
      const { runSearchAgain } = await import("../interfaces/web/web.ts");
      const startedMs = performance.now();
      const run = await runSearchAgain(pending.query, modules, now()).catch(ignoreProblem);
      pauseMs = shares.noteRun(pending.accountId, performance.now() - startedMs);
      // A person who was erased meanwhile must not return in the results.
      if (run && (await isCurrent()))
        await control.saved.noteRun(pending.accountId, pending.id, run, mail.isOn());
    } finally {
      leave();
    }
    await Bun.sleep(pauseMs);
  }
  return true;
}

/** @returns undefined while the server is at its limit of simultaneous calls. */
function tryEnter(admission: Modules["admission"]): (() => void) | undefined {
  try {
    return admission.enter();
  } catch (error) {
    return ignoreProblem(error);
  }
}

/** Ignores expected errors, such as a search for a role that no longer exists. */
function ignoreProblem(error: unknown): undefined {
  if (error instanceof Problem) return undefined;
  throw error;
}

/**
 * Limits the time of saved searches. All searches together run for a tenth of the time. Each account has the same limit. @package
 */
export function createRunShares() {
  const usedMs = new Map<string, number>();
  const readUsed = (accountId: string) => usedMs.get(accountId) ?? 0;
  return {
    hasTime: (accountId: string) => readUsed(accountId) < accountMsMax,
    /** Records a run's duration. @returns how many milliseconds to wait before the next run. */
    noteRun(accountId: string, ms: number): number {
      usedMs.set(accountId, readUsed(accountId) + ms);
      return Math.max(pauseMsMin, pausesPerRun * ms);
    },
  };
}
