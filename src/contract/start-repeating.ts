/**
 * Repeats work in the background until `close` is called. The next turn begins after a pause, when the turn before has ended.
 * @param work returns the pause in milliseconds. It must not throw. Its signal is aborted by `close`.
 */
export function startRepeating(work: (stop: AbortSignal) => Promise<number>, firstMs: number) {
  const closing = new AbortController();
  let timer: Timer | undefined;
  let running: Promise<void> | undefined;
  let isHurried = false;
  const turn = async () => {
    isHurried = false;
    const pauseMs = await work(closing.signal);
    running = undefined;
    beginIn(isHurried ? 0 : pauseMs);
  };
  const beginIn = (milliseconds: number) => {
    clearTimeout(timer);
    if (closing.signal.aborted) return;
    timer = setTimeout(() => {
      running = turn();
    }, milliseconds).unref();
  };
  beginIn(firstMs);
  return {
    /** Begins the next turn now, or at the end of the turn that is under way. */
    hurry() {
      isHurried = true;
      if (!running) beginIn(0);
    },
    /** Waits for the turn that is under way, and begins no more. */
    async close() {
      closing.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
