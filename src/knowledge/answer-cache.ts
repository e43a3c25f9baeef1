/** Caches the answers to recent questions until anything in the pool changes. */

/** The maximum number of files and people in all cached answers. Each takes about 100 bytes. */
const rowsMax = 200_000;

/** @param countRows counts the files and people of an answer. */
export function createAnswerCache<Answer>(countRows: (answer: Answer) => number) {
  const sizeOf = (answer: Answer) => 1 + countRows(answer);
  const cached = new Map<string, Answer>();
  let rows = 0;
  let current = "";
  return {
    /** @param edition identifies the state of the pool and the model. A new edition empties the cache. */
    find(edition: string, key: string): Answer | undefined {
      if (edition !== current) {
        cached.clear();
        rows = 0;
        current = edition;
      }
      const answer = cached.get(key);
      if (answer) {
        cached.delete(key);
        cached.set(key, answer);
      }
      return answer;
    },
    keep(edition: string, key: string, answer: Answer): void {
      // Meanwhile another request may have asked the same question, or seen a newer edition.
      if (edition !== current || cached.has(key)) return;
      cached.set(key, answer);
      rows += sizeOf(answer);
      for (const [oldest, old] of cached) {
        if (rows <= rowsMax) break;
        cached.delete(oldest);
        rows -= sizeOf(old);
      }
    },
  };
}
