/** Activity over time. The charts are SVG drawn here, because they are simple and pages may not have style attributes. */
import type { ByMonth } from "../../../contract/people/credit-facts.ts";
import { isStale } from "../../../contract/people/history-end.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import {
  formatCount,
  formatDate,
  formatEnded,
  formatShortMonth,
  formatSpan,
} from "../look/format.ts";
import { FactList, List, Panel } from "../look/parts.tsx";
import type { DeveloperProperties } from "./developer-properties.ts";

type Month = ProfileAnalysis["activity"]["months"][number];

export function Activity({ analysis, facts }: DeveloperProperties) {
  const { months, totalCommits, firstCommit, lastCommit } = analysis.activity;
  const { coAuthored, reviews, mergedElsewhere, credits = [] } = analysis.activity;
  const more = [
    coAuthored === undefined ? undefined : `${formatCount(coAuthored)} commits with others`,
    reviews === undefined ? undefined : `${formatCount(reviews)} reviews`,
    mergedElsewhere === undefined
      ? undefined
      : `${formatCount(mergedElsewhere)} changes merged into repositories of others`,
  ].filter((text) => text !== undefined);
  return (
    <Panel title="Activity" id="activity">
      <p>
        {formatCount(totalCommits)} commits
        {firstCommit && lastCommit
          ? `, ${formatDate(firstCommit)} to ${formatDate(lastCommit)}`
          : ""}
        . {more.length > 0 && `${more.join(", ")}.`}
      </p>
      <HistoryEnd analysis={analysis} />
      <ActivityYears analysis={analysis} />
      {credits.length > 0 && (
        <List
          class="plain-list small"
          items={credits.map(({ kind, count, first, last }) => (
            <>
              {creditWords[kind]} {formatCount(count)} {count === 1 ? "commit" : "commits"} of
              others{" "}
              <span class="muted">
                {formatShortMonth(first)} to {formatShortMonth(last)}
              </span>
            </>
          ))}
        />
      )}
      {months.some(({ commits }) => commits > 0) && <Columns months={months} />}
      {facts?.commits && <Years volume={facts.commits.volume} />}
    </Panel>
  );
}

/** Says where later work is not known because it was not read. */
function HistoryEnd({ analysis }: Pick<DeveloperProperties, "analysis">) {
  const { activity, repositories, asOf } = analysis;
  const { until } = activity;
  const named = formatEnded(repositories);
  if (until !== undefined && isStale(until, asOf)) {
    return (
      <p class="caveats">
        All of this is up to {formatDate(until)}, the end of what was read
        {named === "" ? "" : `: ${named}`}. Whether work went on is not known.
      </p>
    );
  }
  return named === "" ? undefined : (
    <p class="caveats">Later work is not known where what was read ends: {named}.</p>
  );
}

/** Two figures with two names: activity now, and the best year of three. */
function ActivityYears({ analysis }: Pick<DeveloperProperties, "analysis">) {
  const { commitsPerMonth, frequencyLabel, current, bestYear, scoreUses } = analysis.activity;
  if (!current || !bestYear) {
    return (
      <p>
        {commitsPerMonth} commits a month ({frequencyLabel}).
      </p>
    );
  }
  const describe = ({ commits, activeMonths, ...span }: typeof current) =>
    `${formatCommits(commits)} in ${activeMonths} of 12 months, ${formatSpan(span)}`;
  return (
    <FactList
      facts={[
        [
          "Current activity",
          `${describe(current)}${frequencyLabel === "Unknown" ? "" : ` (${frequencyLabel})`}`,
        ],
        ["Best year of three", describe(bestYear)],
        [
          "The score counts",
          scoreUses === "current"
            ? "current activity, which is no less than nine tenths of the best year"
            : "nine tenths of the best year, which are more than current activity",
        ],
      ]}
    />
  );
}

/** Kinds of trailers in commit messages. */
const creditWords = {
  reviewed: "Reviewed",
  tested: "Tested",
  reported: "Reported what led to",
  signedOff: "Signed off",
  acked: "Agreed to",
} as const;

const width = 720;
const height = 120;

/** 36 months as columns. */
function Columns({ months }: { readonly months: readonly Month[] }) {
  const most = Math.max(...months.map(({ commits }) => commits));
  const step = width / months.length;
  const busiest = months.find(({ commits }) => commits === most) as Month;
  const words = `Commits by month, ${formatShortMonth(months[0]?.month ?? "")} to ${formatShortMonth(months.at(-1)?.month ?? "")}; most in ${formatShortMonth(busiest.month)}: ${formatCommits(most)}.`;
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${height + 20}`} role="img" aria-label={words}>
        <line class="chart-line" x1="0" x2={width} y1={height} y2={height} />
        {months.map(({ month, commits }, at) => {
          const tall = (commits / most) * (height - 16);
          return (
            <g>
              <rect class="chart-hover" x={at * step} width={step} y="0" height={height}>
                <title>{`${formatShortMonth(month)}: ${formatCommits(commits)}`}</title>
              </rect>
              <rect
                class="chart-column"
                x={at * step + 2}
                width={step - 4}
                y={height - tall}
                height={tall}
              />
              {month.endsWith("-01") && (
                <text class="chart-label" x={at * step + 2} y={height + 15}>
                  {month.slice(0, 4)}
                </text>
              )}
              {month === busiest.month && (
                <text class="chart-label chart-middle" x={at * step + step / 2} y="11">
                  {formatAmount(commits)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <figcaption class="small muted">
        Commits by month,{" "}
        {formatSpan({ from: months[0]?.month ?? "", to: months.at(-1)?.month ?? "" })}
      </figcaption>
    </figure>
  );
}

const formatCommits = (commits: number) =>
  `${formatAmount(commits)} ${commits === 1 ? "commit" : "commits"}`;

/** A commit that k people share counts 1/k for each. */
const formatAmount = (amount: number) =>
  Number.isInteger(amount) ? formatCount(amount) : amount.toFixed(1);

const monthNames = [..."JFMAMJJASOND"];

/** A table of months by years; the tint of a cell shows its figure. */
function Years({ volume }: { readonly volume: ByMonth }) {
  const years = [...new Set(Object.keys(volume).map((month) => month.slice(0, 4)))].sort();
  const most = Math.max(1, ...Object.values(volume));
  const first = Number(years[0]);
  const count = Number(years.at(-1)) - first + 1;
  if (years.length === 0) return undefined;
  const rows = Array.from({ length: count }, (_, at) => String(first + count - 1 - at));
  return (
    <details class="more">
      <summary>All years, month by month</summary>
      <section class="scroll" tabindex={0} aria-label="Commits by year and month">
        <table class="heat small">
          <caption class="unseen">Commits by year and month</caption>
          <thead>
            <tr>
              <th scope="col">Year</th>
              {monthNames.map((letter, at) => (
                <th
                  scope="col"
                  aria-label={formatShortMonth(`2000-${String(at + 1).padStart(2, "0")}`).slice(
                    0,
                    3,
                  )}
                >
                  {letter}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((year) => (
              <tr>
                <th scope="row">{year}</th>
                {monthNames.map((_, at) => {
                  const commits = volume[`${year}-${String(at + 1).padStart(2, "0")}`] ?? 0;
                  return (
                    <td class={`heat-${Math.ceil((commits / most) * 4)}`}>
                      {commits > 0 ? formatAmount(Math.round(commits)) : ""}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
