/** Keeps the answers to the questions that were asked last, until anything in the pool changes. */

/** Files and people of all answers: about 100 bytes each. */
const rowsMax = 200_000;

/** @param countRows of an answer. */
export function createAnswerCache<Answer>(countRows: (answer: Answer) => number) {
  const sizeOf = (answer: Answer) => 1 + countRows(answer);
  const cached = new Map<string, Answer>();
  let rows = 0;
  let current = "";
  return {
    /** @param edition of everything that the answer depends on and that its key does not name. */
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
      // Another question may have asked the same meanwhile, or seen a newer edition.
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
