/**
 * Group commit: calls that arrive at nearly the same time share one commit, because each commit takes a disk sync. A lone call is
 * committed at the end of its turn of the event loop.
 */
interface GroupCommitOptions {
  /** A batch of this many calls is committed immediately. */
  readonly callsMax?: number;
  /** A batch whose first call has waited this long is committed when the next call arrives. */
  readonly waitMsMax?: number;
  /** A monotonic clock, in milliseconds. */
  readonly elapsedMs?: () => number;
}

/** @param commit returns one outcome per call. If it rejects, every call of the batch rejects. */
export function createGroupCommit<Call, Outcome>(
  commit: (calls: readonly Call[]) => Promise<readonly Outcome[]>,
  {
    callsMax = 256,
    waitMsMax = 5,
    elapsedMs = performance.now.bind(performance),
  }: GroupCommitOptions = {},
) {
  let waiting: Waiting<Call, Outcome>[] = [];
  let firstAtMs = 0;
  let isScheduled = false;
  let flushing: Promise<void> | undefined;

  // Only one batch is committed at a time. Calls that arrive during a commit form the next batch.
  const flush = async (): Promise<void> => {
    if (waiting.length > 0) flushing ??= flushAll();
    await flushing;
  };
  const flushAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, callsMax);
      waiting = waiting.slice(callsMax);
      await runUnguarded(batch, commit);
    }
    // No `await` may stand between the loop and this line, because a call added in between would never be committed.
    flushing = undefined;
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    commitOnceQuiet(waiting.length);
  };
  const commitOnceQuiet = (seen: number) => {
    setImmediate(() => {
      if (waiting.length > seen) return commitOnceQuiet(waiting.length);
      isScheduled = false;
      void flush();
    });
  };
  return {
    /** Resolves with the outcome of the call once its batch is committed. */
    add: (call: Call) =>
      new Promise<Outcome>((resolve, reject) => {
        if (waiting.length === 0) firstAtMs = elapsedMs();
        waiting.push({ call, resolve, reject });
        if (waiting.length >= callsMax || elapsedMs() - firstAtMs >= waitMsMax) void flush();
        else schedule();
      }),
    /** Commits all waiting calls. */
    drain: async () => {
      while (waiting.length > 0 || flushing !== undefined) await flush();
    },
  };
}

interface Waiting<Call, Outcome> {
  readonly call: Call;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (reason: unknown) => void;
}

async function runUnguarded<Call, Outcome>(
  batch: readonly Waiting<Call, Outcome>[],
  commit: (calls: readonly Call[]) => Promise<readonly Outcome[]>,
): Promise<void> {
  try {
    const outcomes = await commit(batch.map(({ call }) => call));
    if (outcomes.length !== batch.length) {
      throw new Error(
        `a batch of ${batch.length} calls came back with ${outcomes.length} outcomes`,
      );
    }
    batch.forEach(({ resolve }, index) => {
      resolve(outcomes[index] as Outcome);
    });
  } catch (reason) {
    for (const { reject } of batch) reject(reason);
  }
}
