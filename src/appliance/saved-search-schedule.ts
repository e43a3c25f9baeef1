/**
 * Runs saved searches after each change of the pool, once the index shows the change. Nodes share the work: one node claims
 * each search. There is a pause after each run; runs count among the calls at once, but against no quota. Each account has a
 * limited time for each change; searches that were not run come first after the next change.
 */
import { Problem } from "../contract/problem.ts";
import type { ControlStore } from "../control/control-store.ts";
import type { Log } from "../operations/log-call.ts";
import type { Modules } from "../operations/operation.ts";
import { createRunShares } from "./run-shares.ts";

interface ScheduleParts {
  readonly modules: Modules;
  readonly control: Pick<ControlStore, "saved">;
  readonly now: () => Date;
  readonly log: Log;
}

const lookEveryMs = 2000;
/** After everything was run: a search that was saved while the index was behind is run without a change of the pool. */
const lookAgainMs = 30_000;
/** After a fault, for example while the database is away. */
const retryMs = 60_000;
/** The most searches that a node runs at a time: those that have waited longest. */
const searchesPerChangeMax = 1000;

export function startSavedSearches(parts: ScheduleParts) {
  const closing = new AbortController();
  let done: { readonly revision: number; readonly atMs: number } | undefined;
  let running: Promise<void> | undefined;
  let timer: Timer | undefined;
  const look = async () => {
    let waitMs = lookEveryMs;
    try {
      const revision = parts.modules.search.generation?.revision;
      const isDone =
        done !== undefined &&
        done.revision === revision &&
        performance.now() - done.atMs < lookAgainMs;
      if (
        revision !== undefined &&
        !isDone &&
        (await runPending(parts, revision, closing.signal))
      ) {
        done = { revision, atMs: performance.now() };
      }
    } catch (error) {
      if (closing.signal.aborted) return;
      parts.log.warn({ err: error }, "saved searches could not be run; they are tried again");
      waitMs = retryMs;
    }
    lookIn(waitMs);
  };
  const lookIn = (milliseconds: number) => {
    if (closing.signal.aborted) return;
    timer = setTimeout(() => {
      running = look();
    }, milliseconds).unref();
  };
  lookIn(lookEveryMs);
  return {
    /** Ends with the run in progress. */
    async close() {
      closing.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/** @returns whether this change needs no other look. */
async function runPending(
  { modules, control, now }: ScheduleParts,
  revision: number,
  stop: AbortSignal,
): Promise<boolean> {
  const { pool, search, admission } = modules;
  const shares = createRunShares();
  // While the index is behind the pool, its results are old, and another node may be ahead.
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
      const { runDueSearch } = await import("../interfaces/web/web.ts");
      const startedMs = performance.now();
      const run = await runDueSearch(pending.query, modules, now()).catch(ignoreProblem);
      pauseMs = shares.noteRun(pending.accountId, performance.now() - startedMs);
      // A person who was erased meanwhile must not come back with what was found before.
      if (run && (await isCurrent()))
        await control.saved.noteRun(pending.accountId, pending.id, run);
    } finally {
      leave();
    }
    await Bun.sleep(pauseMs);
  }
  return true;
}

/** @returns `undefined` while the server has as many calls as it can answer. */
function tryEnter(admission: Modules["admission"]): (() => void) | undefined {
  try {
    return admission.enter();
  } catch (error) {
    return ignoreProblem(error);
  }
}

/** A search whose role or place no longer exists finds nobody new. */
function ignoreProblem(error: unknown): undefined {
  if (error instanceof Problem) return undefined;
  throw error;
}
