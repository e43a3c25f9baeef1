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
import { MonthChart, readMonthlyCommits } from "./month-chart.tsx";

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
