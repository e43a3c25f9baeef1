/** The people who know each file. From these, the knowledge of any set of files is summed up. */

/** The people who know one existing file. */
export interface FileKnowers {
  /** The number of surviving lines. 0 for files from elsewhere, which nobody knows. */
  readonly lines: number;
  readonly people: readonly {
    /** `number` is the position in `Knowledge.people`; -1 for a person who knows none of the files. */
    readonly person: { readonly number: number };
    /** Share of the knowledge of the file, 0 to 1. */
    readonly share: number;
    /** The person's latest change, in UTC days since 1970. */
    readonly lastDay: number;
  }[];
}

/**
 * Sums up the knowledge of files, weighted by their lines.
 * @returns people, best first, with fields like `FileKnowers`. Equally good people are ordered by number.
 */
export function sumKnowers(files: readonly FileKnowers[]) {
  let weight = 0;
  const sums = new Map<number, { person: number; share: number; lastDay: number }>();
  for (const { lines, people } of files) {
    weight += lines + 1;
    for (const { person, share, lastDay } of people) {
      const { number } = person;
      if (number < 0) continue;
      const sum = sums.getOrInsertComputed(number, () => ({
        person: number,
        share: 0,
        lastDay: 0,
      }));
      sum.share += (lines + 1) * share;
      sum.lastDay = Math.max(sum.lastDay, lastDay);
    }
  }
  const found = [...sums.values()].map((one) => ({ ...one, share: one.share / weight }));
  return found.sort((a, b) => b.share - a.share || a.person - b.person);
}
