/** Who worked on each file, so that the knowers of any set of files are summed without measuring them again. */

/** Of one file that is there now. */
export interface FileKnowers {
  /** Lines that survive. */
  readonly lines: number;
  readonly people: readonly {
    /** Its number in `Knowledge.people`; -1 for a person who knows nothing of the files. */
    readonly person: { readonly number: number };
    /** Of what is known of the file, 0 to 1. */
    readonly share: number;
    /** Their latest change, in UTC days since 1970. */
    readonly lastDay: number;
  }[];
}

/** What one person knows of several files: as in `FileKnowers`. */
export interface SummedKnower {
  readonly person: number;
  readonly share: number;
  readonly lastDay: number;
}

/** Sums up files, each of which counts by its lines. @returns best first, ties by number. */
export function sumKnowers(files: readonly FileKnowers[]): readonly SummedKnower[] {
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
