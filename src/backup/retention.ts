/** Decides which archives go. The folder of backups and each copy elsewhere follow the same rules. */

/** @package */
export interface KeepTerms {
  /** How many of the newest archives are kept. Scheduled and requested ones are counted separately. */
  readonly keep: number;
  /** Of how many days the newest archive is kept, too. Only days that have an archive are counted. */
  readonly keepDaily: number;
  readonly keepWeekly: number;
  readonly keepMonthly: number;
}

/** @package */
export interface KeptArchive {
  readonly madeAt: Date;
  readonly isScheduled: boolean;
  /** The number of the last audit entry. Each later archive has a higher number, even if the clock goes back. */
  readonly sequence: number;
}

/**
 * Sorts archives, oldest first. @package
 * @param latest the number of the last audit entry now. An archive with a higher number is from before a restore to an earlier state.
 */
export function sortArchives<Archive extends KeptArchive>(
  archives: readonly Archive[],
  latest: number,
): readonly Archive[] {
  const place = ({ sequence }: Archive) => (sequence > latest ? 0 : sequence);
  return archives.toSorted(
    (a, b) => place(a) - place(b) || a.madeAt.getTime() - b.madeAt.getTime(),
  );
}

const dayMs = 86_400_000;
/** Numbers the days, the weeks from Monday, and the months, all in UTC. */
const periods = {
  keepDaily: (at: Date) => Math.floor(at.getTime() / dayMs),
  keepWeekly: (at: Date) => Math.floor((at.getTime() / dayMs + 3) / 7),
  keepMonthly: (at: Date) => 12 * at.getUTCFullYear() + at.getUTCMonth(),
};

/** @package @param archives sorted, oldest first. @returns the archives that need not be kept, oldest first. */
export function listOutdated<Archive extends KeptArchive>(
  archives: readonly Archive[],
  terms: KeepTerms,
): readonly Archive[] {
  const kept = new Set<Archive>();
  for (const isScheduled of [true, false]) {
    const newestFirst = archives.filter((one) => one.isScheduled === isScheduled).reverse();
    for (const archive of newestFirst.slice(0, terms.keep)) kept.add(archive);
    for (const name of ["keepDaily", "keepWeekly", "keepMonthly"] as const) {
      const newest = new Map<number, Archive>();
      for (const archive of newestFirst) {
        const period = periods[name](archive.madeAt);
        if (!newest.has(period)) newest.set(period, archive);
      }
      for (const archive of [...newest.values()].slice(0, terms[name])) kept.add(archive);
    }
  }
  return archives.filter((archive) => !kept.has(archive));
}
