/** Decides which archives go, in the folder of backups and in each copy elsewhere. */

/** Numbers the periods of which the newest archive is kept: the archive itself, its day, its week from Monday, and its month. */
const periods = {
  keep: (_: number, place: number) => place,
  keepDaily: (days: number) => Math.floor(days),
  keepWeekly: (days: number) => Math.floor((days + 3) / 7),
  keepMonthly: (days: number) => new Date(days * dayMs).toISOString().slice(0, 7),
};
const dayMs = 86_400_000;

/** @package How many periods are kept. Only those that have an archive are counted. */
export type KeepTerms = Readonly<Record<keyof typeof periods, number>>;

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
  return archives.toSorted((a, b) => place(a) - place(b) || Number(a.madeAt) - Number(b.madeAt));
}

/** @package @param archives sorted, oldest first. @returns those that need not be kept. Requested ones are counted separately. */
export function listOutdated<Archive extends KeptArchive>(
  archives: readonly Archive[],
  terms: KeepTerms,
): readonly Archive[] {
  const newestFirst = archives.toReversed();
  const kept = [true, false].flatMap((isScheduled) => {
    const ofKind = newestFirst.filter((one) => one.isScheduled === isScheduled);
    return Object.entries(periods).flatMap(([name, number]) => {
      const groups = Map.groupBy(ofKind, ({ madeAt }, at) => number(Number(madeAt) / dayMs, at));
      return [...groups.values()]
        .slice(0, terms[name as keyof KeepTerms])
        .map(([newest]) => newest);
    });
  });
  return archives.filter((archive) => !kept.includes(archive));
}
