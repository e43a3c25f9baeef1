import type { ByMonth } from "../../../contract/people/credit-facts.ts";
import { formatAmount, formatCommits, formatShortMonth, formatSpan } from "../look/format.ts";

/** Consecutive months, including those without commits. */
export interface MonthlyCommits {
  readonly from: string;
  readonly to: string;
  readonly commits: readonly number[];
}

/** Adds the months without commits. @param to the last month as YYYY-MM. @returns undefined if no month has commits. */
export function readMonthlyCommits(volume: ByMonth, to: string): MonthlyCommits | undefined {
  const known = Object.keys(volume).filter((month) => month <= to && (volume[month] ?? 0) > 0);
  if (known.length === 0) return undefined;
  const from = known.sort()[0] as string;
  const first = toNumber(from);
  const length = toNumber(to) - first + 1;
  const commits = Array.from({ length }, (_, at) => volume[toMonth(first + at)] ?? 0);
  return { from, to, commits };
}

const toNumber = (month: string) => 12 * Number(month.slice(0, 4)) + Number(month.slice(5, 7)) - 1;
const toMonth = (number: number) =>
  `${String(Math.floor(number / 12)).padStart(4, "0")}-${String((number % 12) + 1).padStart(2, "0")}`;

const [above, height, below] = [18, 104, 20];

export function MonthChart({ history }: { readonly history: MonthlyCommits }) {
  const { from, commits } = history;
  const most = Math.max(...commits);
  const first = toNumber(from);
  const busiest = commits.indexOf(most);
  return (
    <figure class="chart">
      <svg
        class="month-chart"
        height={above + height + below}
        role="img"
        aria-label={describeMonths(history)}
      >
        <Plot history={history} />
        <line class="chart-line" x1="0" x2="100%" y1={above + height} y2={above + height} />
        <YearLabels from={first} length={commits.length} y={above + height + 15} />
        <text
          class="chart-label chart-middle"
          x={toPercent(Math.min(0.97, Math.max(0.03, (busiest + 0.5) / commits.length)))}
          y="12"
        >
          {formatAmount(most)}
        </text>
      </svg>
      <figcaption class="small muted">Commits by month. The number is the highest.</figcaption>
    </figure>
  );
}

/** Writes `Commits by month, Nov 2023 to Oct 2026; most in May 2025: 23 commits.` */
export function describeMonths({ from, to, commits }: MonthlyCommits): string {
  const most = Math.max(...commits);
  if (most === 0) return `No commits ${formatSpan({ from, to })}.`;
  const busiest = formatShortMonth(toMonth(toNumber(from) + commits.indexOf(most)));
  return `Commits by month, ${formatSpan({ from, to })}; most in ${busiest}: ${formatCommits(most)}.`;
}

/** Draws the columns. A tooltip shows the commits of a month. */
function Plot({ history: { from, commits } }: { readonly history: MonthlyCommits }) {
  const length = commits.length;
  const highest = Math.max(...commits);
  const first = toNumber(from);
  // With so many months, columns are too thin for gaps.
  const gap = length > 120 ? 0 : 0.12;
  const used = commits.flatMap((amount, at) => (amount > 0 ? [{ amount, at }] : []));
  const columns = used.map(({ amount, at }) => {
    const up = round((100 * amount) / highest);
    return `M${round(at + gap)} 100v-${up}h${round(1 - 2 * gap)}v${up}z`;
  });
  return (
    <svg
      aria-hidden="true"
      y={above}
      width="100%"
      height={height}
      viewBox={`0 0 ${length} 100`}
      preserveAspectRatio="none"
    >
      {used.map(({ amount, at }) => (
        <rect class="chart-hover" x={at} width="1" y="0" height="100">
          <title>{`${formatShortMonth(toMonth(first + at))}: ${formatCommits(amount)}`}</title>
        </rect>
      ))}
      <path class="chart-column" d={columns.join("")} />
    </svg>
  );
}

const yearsMax = { narrow: 6, wide: 20 };

/**
 * Draws the years below their months. Years are left out if there is not enough room.
 * @param from the first month, as 12 times the year plus the month.
 * @param length in months.
 */
function YearLabels({ from, length, y }: { from: number; length: number; y: number }) {
  const last = Math.floor((from + length - 1) / 12);
  const years = last - Math.floor(from / 12) + 1;
  const wide = Math.ceil(years / yearsMax.wide);
  const narrow = wide * Math.ceil(years / (yearsMax.narrow * wide));
  const shown = Array.from({ length: years }, (_, at) => last - at).filter((year) => {
    const months = Math.min(12 * year + 12, from + length) - Math.max(12 * year, from);
    // A label needs the space of six months. In a chart of one or two years, every year has a label.
    return (last - year) % wide === 0 && (months >= 6 || years < 3);
  });
  return (
    <>
      {shown.map((year) => {
        const start = Math.max(12 * year - from, 0);
        const end = Math.min(12 * year + 12 - from, length);
        return (
          <text
            class={["chart-label chart-middle", (last - year) % narrow === 0 ? "" : "wide"]}
            x={toPercent((start + end) / 2 / length)}
            y={y}
          >
            {year}
          </text>
        );
      })}
    </>
  );
}

const toPercent = (share: number) => `${round(100 * share)}%`;
const round = (value: number) => Math.round(value * 100) / 100;
