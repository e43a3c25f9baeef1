import { startRepeating } from "../contract/start-repeating.ts";
import { createTurns } from "../contract/turns.ts";
import type { SearchParts } from "./search-parts.ts";

const pollMilliseconds = 1000;
/** The longest pause after failures, in polls. Each failure in a row doubles the pause. */
const pausePollsMax = 64;

/** Checks the pool's revision every second, because another process or node may import. */
export function followPool(
  { log }: Pick<SearchParts, "log">,
  refresh: () => Promise<void>,
  stop: AbortSignal,
): void {
  let failures = 0;
  const { close } = startRepeating(async () => {
    try {
      await refresh();
      failures = 0;
    } catch (error) {
      failures++;
      log.error({ err: error }, "search index could not be built; the old one stays in use");
    }
    return pollMilliseconds * Math.min(2 ** failures, pausePollsMax);
  }, pollMilliseconds);
  stop.addEventListener("abort", close);
}

/** Runs one build at a time. A call during a build waits and then starts another, because the pool may have a newer revision. */
export function createRefresh(catchUp: () => Promise<void>): () => Promise<void> {
  const inTurn = createTurns();
  return () => inTurn("", catchUp);
}
