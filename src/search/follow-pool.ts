import type { SearchParts } from "./search-parts.ts";

const pollMilliseconds = 1000;
/** Each failure in a row doubles the number of polls to skip before the next attempt, up to this many. */
const pausePollsMax = 64;

/** Checks the pool's revision every second, because another process or node may import. */
export function followPool(
  { log }: Pick<SearchParts, "log">,
  refresh: () => Promise<void>,
  stop: AbortSignal,
): void {
  let pausePolls = 0;
  let failures = 0;
  const look = async () => {
    if (pausePolls-- > 0) return;
    pausePolls = 0;
    try {
      await refresh();
      failures = 0;
    } catch (error) {
      failures++;
      pausePolls = Math.min(2 ** failures, pausePollsMax);
      log.error({ err: error }, "search index could not be built; the old one stays in use");
    }
  };
  const timer = setInterval(() => void look(), pollMilliseconds);
  timer.unref();
  stop.addEventListener("abort", () => clearInterval(timer));
}
