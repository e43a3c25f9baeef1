/**
 * Group commit: a durable commit costs one sync of the disk, however many calls it carries, so calls that
 * arrive in one turn of the event loop share one. They wait for the turn's end, not for a timer: alone, a
 * call is committed at once; under load, batches grow by themselves.
 */
export interface GroupCommit<Call, Outcome> {
  /** Resolves with the call's own outcome once its batch is committed; rejects when the batch failed. */
  add(call: Call): Promise<Outcome>;
  /** Commits what waits; resolves when nothing does. */
  drain(): Promise<void>;
}

export interface GroupCommitOptions {
  /** A batch of this many calls is committed at once. */
  readonly callsMax?: number;
  /** So is one whose first call has waited this long, in a turn that has not come to its end. */
  readonly waitMsMax?: number;
  /** A stopwatch in milliseconds. */
  readonly elapsedMs?: () => number;
}

/** @param commit gives one outcome per call, in order; or fails, and then every call of the batch does. */
export function createGroupCommit<Call, Outcome>(
  commit: (calls: readonly Call[]) => Promise<readonly Outcome[]>,
  {
    callsMax = 256,
    waitMsMax = 2,
    elapsedMs = performance.now.bind(performance),
  }: GroupCommitOptions = {},
): GroupCommit<Call, Outcome> {
  let waiting: Waiting<Call, Outcome>[] = [];
  let firstAtMs = 0;
  let isTurnAsked = false;
  let flushing: Promise<void> | undefined;

  // One batch at a time: what arrives while a batch is under way waits for it and goes together.
  const flush = async (): Promise<void> => {
    if (waiting.length > 0) flushing ??= flushAll();
    await flushing;
  };
  const flushAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, callsMax);
      waiting = waiting.slice(callsMax);
      await settle(batch, commit);
    }
    // In the same step as the last look at who waits: a call between the two would be nobody's.
    flushing = undefined;
  };
  const askTurn = () => {
    if (isTurnAsked) return;
    isTurnAsked = true;
    setImmediate(() => {
      isTurnAsked = false;
      void flush();
    });
  };
  return {
    add: (call) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) firstAtMs = elapsedMs();
        waiting.push({ call, resolve, reject });
        if (waiting.length >= callsMax || elapsedMs() - firstAtMs >= waitMsMax) void flush();
        else askTurn();
      }),
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

async function settle<Call, Outcome>(
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
