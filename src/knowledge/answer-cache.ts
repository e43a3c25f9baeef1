/** Keeps the answers to questions that were asked last, until anything in the pool changes. */

/** Files and people of all answers: about 100 bytes each. */
const rowsMax = 200_000;

/** @package @param countRows of an answer. @param most of all answers that are kept. */
export function createAnswerCache<Answer>(countRows: (answer: Answer) => number, most = rowsMax) {
  const sizeOf = (answer: Answer) => 1 + countRows(answer);
  const kept = new Map<string, Answer>();
  let rows = 0;
  let current = "";
  return {
    /** @param edition of everything that the answer depends on and that its key does not name. */
    find(edition: string, key: string): Answer | undefined {
      if (edition !== current) {
        kept.clear();
        rows = 0;
        current = edition;
      }
      const answer = kept.get(key);
      if (answer) {
        kept.delete(key);
        kept.set(key, answer);
      }
      return answer;
    },
    keep(edition: string, key: string, answer: Answer): void {
      // Another question may have asked the same meanwhile, or seen a newer edition.
      if (edition !== current || kept.has(key)) return;
      kept.set(key, answer);
      rows += sizeOf(answer);
      for (const [oldest, old] of kept) {
        if (rows <= most) break;
        kept.delete(oldest);
        rows -= sizeOf(old);
      }
    },
  };
}
