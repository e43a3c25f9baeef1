import type { SearchParts } from "./search-parts.ts";

const pollMilliseconds = 1000;
/** The maximum number of polls to skip after failures. Each failure in a row doubles the number of skipped polls. */
const pausePollsMax = 64;

/** Checks the pool's revision every second, because another process or node may import. */
export function followPool(
  { log }: Pick<SearchParts, "log">,
  refresh: () => Promise<void>,
  stop: AbortSignal,
): void {
  let pausePolls = 0;
  let failures = 0;
  let isLooking = false;
  const look = async () => {
    // A build may take longer than the time between two polls. Polls during a build do nothing.
    if (isLooking || pausePolls-- > 0) return;
    pausePolls = 0;
    isLooking = true;
    try {
      await refresh();
      failures = 0;
    } catch (error) {
      failures++;
      pausePolls = Math.min(2 ** failures, pausePollsMax);
      log.error({ err: error }, "search index could not be built; the old one stays in use");
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), pollMilliseconds);
  timer.unref();
  stop.addEventListener("abort", () => clearInterval(timer));
}

/** Runs one build at a time. A call during a build waits and then starts another, because the pool may have a newer revision. */
export function createRefresh(catchUp: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  const refresh = (): Promise<void> => {
    if (running !== undefined) return running.then(refresh);
    running = catchUp().finally(() => {
      running = undefined;
    });
    return running;
  };
  return refresh;
}
