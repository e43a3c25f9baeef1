/** Reads standard input until it ends or the signal aborts. */
export async function* readStandardInput(signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = Bun.stdin.stream().getReader();
  const stop = () => void reader.cancel();
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
