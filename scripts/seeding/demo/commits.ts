import type { CommitFacts } from "../../../src/contract/people/facts.ts";
import type { Chance } from "./chance.ts";
import { dayIn, lastMonth, type MonthNumber, monthName } from "./months.ts";

/** One developer's working life. */
export interface Career {
  /** Commits by month; the last three years month by month, before that one month stands for half a year. */
  readonly volume: ReadonlyMap<MonthNumber, number>;
  readonly total: number;
}

const monthsInDetail = 36;
/**
 * Commits a month follow a log-normal curve around 1.33, the reference median of the model, wide enough
 * that each label of the frequency scale has its people. That is richer than a public repository, where two
 * of three authors have a single commit: somebody with a profile has usually done more than one thing.
 */
const perMonthMedian = 1.33;
const perMonthSpread = 1.6;

export function makeCareer(
  chance: Chance,
  { start, perMonth }: { readonly start: MonthNumber; readonly perMonth?: number },
): Career {
  const rate = perMonth ?? perMonthMedian * Math.exp(perMonthSpread * chance.normal());
  const isLapsed = perMonth === undefined && chance.is(12);
  const end = isLapsed ? Math.max(start, lastMonth - chance.whole(12, 60)) : lastMonth;
  const gap = chance.is(15) ? lastMonth - chance.whole(4, 30) : undefined;
  const volume = new Map<MonthNumber, number>();
  const detailed = Math.max(start, lastMonth - monthsInDetail + 1);
  for (let month = start; month < Math.min(detailed, end); month += 6) {
    const commits = chance.poisson(Math.min(4 * rate, 120));
    if (commits > 0) volume.set(month + Math.min(2, detailed - 1 - month), commits);
  }
  for (let month = detailed; month <= end; month++) {
    const isAway = gap !== undefined && month >= gap && month < gap + 4;
    const commits = isAway ? 0 : chance.poisson(rate * Math.exp(0.45 * chance.normal() - 0.1));
    if (commits > 0) volume.set(month, Math.min(commits, 150));
  }
  if (volume.size === 0) volume.set(end, 1);
  return { volume, total: [...volume.values()].reduce((sum, commits) => sum + commits, 0) };
}

export function asCommitFacts(
  chance: Chance,
  { volume, total }: Career,
  isCareful: boolean,
): CommitFacts {
  const months = [...volume.keys()].sort((a, b) => a - b);
  const first = months[0] ?? lastMonth;
  const last = months.at(-1) ?? lastMonth;
  const firstDay = chance.whole(1, 14);
  return {
    total,
    volume: Object.fromEntries(months.map((month) => [monthName(month), volume.get(month) ?? 0])),
    first: dayIn(first, firstDay),
    last: dayIn(last, chance.whole(14, 28)),
    semantic: { eligible: total, matches: Math.round(total * semanticShare(chance, isCareful)) },
    quality: qualityOf(chance, total, isCareful),
    ...(chance.is(40) ? { coAuthored: chance.poisson(total * 0.04) } : {}),
    ...(chance.is(50) ? { reviews: chance.poisson(total * 0.15) } : {}),
    ...(chance.is(55) ? { mergedElsewhere: chance.poisson(total * 0.06) } : {}),
    ...(chance.is(50) ? { excluded: { merge: chance.poisson(total * 0.08) } } : {}),
  };
}

/** People either know the conventional form or do not; few are in between. */
function semanticShare(chance: Chance, isCareful: boolean): number {
  if (isCareful) return 0.96;
  if (chance.is(45)) return chance.between(0, 0.03);
  return chance.is(55) ? chance.between(0.85, 0.99) : chance.between(0.03, 0.85);
}

function qualityOf(chance: Chance, n: number, isCareful: boolean): CommitFacts["quality"] {
  const share = isCareful ? 0.88 : Math.min(0.97, Math.max(0.03, 0.46 + 0.2 * chance.normal()));
  const good = Math.round(n * share);
  const part = (low: number, high: number) => Math.round(good * chance.between(low, high));
  const withBody = part(0.3, 0.7);
  const withReference = part(0.3, 0.6);
  // What is good without a body or a reference is good for its reason.
  const withReason = Math.max(part(0.2, 0.5), good - withBody - withReference);
  return { n, good, withBody, withReference, withReason };
}
