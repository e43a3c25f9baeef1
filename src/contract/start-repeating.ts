/**
 * Repeats work in the background until `close` is called. The next turn begins after a pause, when the turn before has ended.
 * @param work returns the pause in milliseconds. It must not throw. Its signal is aborted by `close`.
 */
export function startRepeating(work: (stop: AbortSignal) => Promise<number>, firstMs: number) {
  const closing = new AbortController();
  let timer: Timer | undefined;
  let running: Promise<void> | undefined;
  const beginIn = (milliseconds: number) => {
    clearTimeout(timer);
    if (closing.signal.aborted) return;
    timer = setTimeout(() => {
      running = work(closing.signal).then(beginIn);
    }, milliseconds).unref();
  };
  beginIn(firstMs);
  return {
    /** Begins the next turn now. */
    hurry: () => beginIn(0),
    /** Waits for the turn that is under way, and begins no more. */
    async close() {
      closing.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
