/** The section about activity over time: a chart, figures, and a table of all months. */
import { explainUncounted, formatCommitCounts } from "../../../contract/people/commit-counts.ts";
import { type ByMonth, formatCreditedWork } from "../../../contract/people/credit-facts.ts";
import { isStale } from "../../../contract/people/history-end.ts";
import {
  formatAmount,
  formatCommits,
  formatCount,
  formatCounted,
  formatDate,
  formatEnded,
  formatRate,
  formatShortMonth,
  formatSpan,
} from "../look/format.ts";
import { FactList, Fold, List, Panel } from "../look/parts.tsx";
import type { DeveloperProperties } from "./about-sections.tsx";

export function Activity({ analysis, facts }: DeveloperProperties) {
  const { firstCommit, lastCommit, until = analysis.asOf } = analysis.activity;
  const history = facts?.commits && readMonthlyCommits(facts.commits.volume, until.slice(0, 7));
  const { coAuthored, reviews, mergedElsewhere, credits = [] } = analysis.activity;
  const more = [
    coAuthored !== undefined && `${formatCounted(coAuthored, "commit")} with others`,
    reviews !== undefined && formatCounted(reviews, "review"),
    mergedElsewhere !== undefined &&
      `${formatCounted(mergedElsewhere, "change")} merged into repositories of others`,
  ].filter(Boolean);
  return (
    <Panel title="Activity" id="activity">
      <p>
        {formatCommitCounts(analysis.activity)}
        {firstCommit && lastCommit && `, ${formatDate(firstCommit)} to ${formatDate(lastCommit)}`}.{" "}
        {explainUncounted(analysis.activity)} {more.length > 0 && `${more.join(", ")}.`}
      </p>
      {history && <MonthChart history={history} />}
      <HistoryEnd analysis={analysis} />
      {credits.length > 0 && (
        <List
          class="plain-list small"
          items={credits.map(({ kind, count, first, last }) => (
            <>
              {creditWords[kind]} {formatCount(count)} {formatCreditedWork(kind, count)} of others{" "}
              <span class="muted">{formatSpan({ from: first, to: last })}</span>
            </>
          ))}
        />
      )}
      <Fold label="This year, the best year, and every month">
        <ActivityYears analysis={analysis} />
        {facts?.commits && <Years volume={facts.commits.volume} />}
      </Fold>
    </Panel>
  );
}

/** Says where the known history ends. The person may have worked after that day. */
function HistoryEnd({ analysis }: Pick<DeveloperProperties, "analysis">) {
  const { activity, asOf, repositories } = analysis;
  const { until = asOf } = activity;
  const named = formatEnded(repositories);
  // If all data ends early, the introduction says so.
  return named === "" || isStale(until, asOf) ? undefined : (
    <p class="small caveats">Data ends early: {named}. Later work may exist.</p>
  );
}

function ActivityYears({ analysis }: Pick<DeveloperProperties, "analysis">) {
  const { commitsPerMonth, frequencyLabel, current, bestYear, scoreUses } = analysis.activity;
  if (!current || !bestYear) {
    return <p>{`Commits: ${formatRate(commitsPerMonth)} (${frequencyLabel}).`}</p>;
  }
  const describe = ({ commits, activeMonths, ...span }: typeof current) =>
    `${formatCommits(commits)} in ${activeMonths} of 12 months, ${formatSpan(span)}`;
  return (
    <FactList
      facts={[
        ["Last 12 months", `${describe(current)} (${frequencyLabel})`],
        ["Best year of the last three", describe(bestYear)],
        ["Score uses", scoreUses === "current" ? "the last 12 months" : "90 % of the best year"],
      ]}
    />
  );
}

const creditWords = {
  reviewed: "Reviewed",
  tested: "Tested",
  reported: "Reported what led to",
  signedOff: "Signed off",
  acked: "Agreed to",
  approved: "Approved",
  changesRequested: "Asked for changes to",
} as const;

const yearMonths = Array.from({ length: 12 }, (_, at) => {
  const month = String(at + 1).padStart(2, "0");
  const name = formatShortMonth(`2000-${month}`).slice(0, 3);
  return { month, name, letter: name.charAt(0) };
});

/** A table of commits by year and month. A darker cell has more commits. */
function Years({ volume }: { readonly volume: ByMonth }) {
  const years = [...new Set(Object.keys(volume).map((month) => month.slice(0, 4)))].sort();
  const most = Math.max(1, ...Object.values(volume));
  const first = Number(years[0]);
  const count = Number(years.at(-1)) - first + 1;
  if (years.length === 0) return undefined;
  const rows = Array.from({ length: count }, (_, at) => String(first + count - 1 - at));
  return (
    <section class="scroll years" tabindex={0} aria-label="Commits by year and month">
      <table class="heat small">
        <caption class="unseen">Commits by year and month</caption>
        <thead>
          <tr>
            <th scope="col">Year</th>
            {yearMonths.map(({ name, letter }) => (
              <th scope="col" aria-label={name}>
                {letter}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((year) => (
            <tr>
              <th scope="row">{year}</th>
              {yearMonths.map(({ month }) => {
                const commits = volume[`${year}-${month}`] ?? 0;
                return (
                  <td class={`tint-${Math.ceil((commits / most) * 4)}`}>
                    {commits > 0 ? formatAmount(Math.round(commits)) : ""}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

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
