import { Fault } from "../contract/fault.ts";
import { splitBatches } from "../contract/split-batches.ts";
import type { Pool } from "../pool/pool.ts";

/** Number of developers in one batch. Signals are handled between batches. */
const batchSize = 100;

/**
 * @package Streams the stored facts and analyses of these people. People without stored facts are left out.
 * @returns batches; `done` counts the logins read so far.
 * @throws Fault `interrupted` when the signal is aborted.
 */
export async function* readStored(
  pool: Pick<Pool, "findFacts" | "findAnalyses">,
  logins: readonly string[],
  signal: AbortSignal | undefined,
) {
  let done = 0;
  for (const some of splitBatches(logins, batchSize)) {
    const [stored, analyses] = await Promise.all([pool.findFacts(some), pool.findAnalyses(some)]);
    done += some.length;
    const people = stored.flatMap((facts, at) => {
      const analysis = analyses[at];
      return facts && analysis ? [{ facts, analysis }] : [];
    });
    yield { people, done };
    await Bun.sleep(0);
    if (signal?.aborted) throw new Fault("interrupted", "Stopped. Nothing was changed.");
  }
}
