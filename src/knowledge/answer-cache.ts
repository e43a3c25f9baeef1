/** Caches the answers to recent questions until anything in the pool changes. */
import { RecentlyUsed } from "../contract/recently-used.ts";

/** The maximum number of files and people in all cached answers. Each takes about 100 bytes. */
const rowsMax = 200_000;

/** @param countRows counts the files and people of an answer. */
export function createAnswerCache<Answer extends object>(countRows: (answer: Answer) => number) {
  let cached = new RecentlyUsed<Answer>(rowsMax);
  let current = "";
  /**
   * Returns the cached answer, or computes and caches it.
   * @param edition identifies the state of the pool and the model. A new edition empties the cache.
   */
  return async (edition: string, key: string, compute: () => Promise<Answer>): Promise<Answer> => {
    if (edition !== current) {
      cached = new RecentlyUsed(rowsMax);
      current = edition;
    }
    const answer = cached.get(key) ?? (await compute());
    // Meanwhile another request may have seen a newer edition.
    if (edition === current) cached.set(key, answer, 1 + countRows(answer));
    return answer;
  };
}
