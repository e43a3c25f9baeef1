/** Caches the answers to recent questions until anything in the pool changes. */

/** The maximum number of files and people in all cached answers. Each takes about 100 bytes. */
const rowsMax = 200_000;

/** @param countRows counts the files and people of an answer. */
export function createAnswerCache<Answer extends object>(countRows: (answer: Answer) => number) {
  const cached = new Map<string, Answer>();
  let rows = 0;
  let current = "";
  const drop = (key: string) => {
    const answer = cached.get(key);
    if (answer) rows -= 1 + countRows(answer);
    cached.delete(key);
  };
  /**
   * Returns the cached answer, or computes and caches it.
   * @param edition identifies the state of the pool and the model. A new edition empties the cache.
   */
  return async (edition: string, key: string, compute: () => Promise<Answer>): Promise<Answer> => {
    if (edition !== current) {
      cached.clear();
      [rows, current] = [0, edition];
    }
    const answer = cached.get(key) ?? (await compute());
    // Meanwhile another request may have asked the same question, or seen a newer edition.
    if (edition !== current) return answer;
    drop(key);
    cached.set(key, answer);
    rows += 1 + countRows(answer);
    for (const oldest of cached.keys()) {
      if (rows <= rowsMax) break;
      drop(oldest);
    }
    return answer;
  };
}
