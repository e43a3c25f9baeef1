/** Reads what a row of search results and its reasons show from the analyses of the people. */
import type { WrittenCard } from "../../../contract/people/developer.ts";
import { isStale } from "../../../contract/people/history-end.ts";
import { explainSureness, isQuiet } from "../../../contract/people/introduction.ts";
import { type ProfileAnalysis, readCommits } from "../../../contract/people/profile-analysis.ts";
import type { Modules } from "../../../operations/operation.ts";
import {
  formatDate,
  formatScore,
  formatShortMonth,
  formatSpan,
  formatYears,
} from "../look/format.ts";
import { Avatar, Sparkline } from "../look/people.tsx";

export type CardFigures = ReturnType<typeof toCardFigures>;

/**
 * The figures of each card object, because reading the analyses is slow. The pool replaces the object if the person changes, so
 * the figures are never outdated.
 */
const cached = new WeakMap<WrittenCard, CardFigures>();

/** @returns the figures of each login, in the same order; `undefined` for an erased person. */
export async function readCardFigures(
  pool: Pick<Modules["pool"], "findWrittenCards" | "findAnalyses">,
  logins: readonly string[],
): Promise<readonly (CardFigures | undefined)[]> {
  const cards = await pool.findWrittenCards(logins);
  const unknown = logins.flatMap((login, at) => {
    const card = cards[at];
    return card && !cached.has(card) ? [{ login, card }] : [];
  });
  // The analyses are read after the cards, so the figures are never older than their cards.
  const analyses =
    unknown.length === 0 ? [] : await pool.findAnalyses(unknown.map(({ login }) => login));
  for (const [at, { card }] of unknown.entries()) {
    const analysis = analyses[at];
    if (analysis) cached.set(card, toCardFigures(analysis));
  }
  return cards.map((card) => card && cached.get(card));
}

const monthsPerBar = 3;

/** @package */
export function toCardFigures(analysis: ProfileAnalysis) {
  const { asOf, activity, scores, profile, proficiency, repositories } = analysis;
  const { months, until } = activity;
  const values = Array.from({ length: Math.ceil(months.length / monthsPerBar) }, (_, bar) =>
    months
      .slice(bar * monthsPerBar, (bar + 1) * monthsPerBar)
      .reduce((sum, { commits }) => sum + commits, 0),
  );
  const [from = "", to = ""] = [months[0]?.month, months.at(-1)?.month];
  const label = `Commits by quarter, ${formatSpan({ from, to })}`;
  const sparkline = <Sparkline values={values} label={label} />;
  const sureness = explainSureness(analysis);
  const worked = [
    ...repositories.top.map(({ name }) => name),
    ...repositories.contributions.map(({ repository }) => repository),
  ].slice(0, repositoriesMax);
  return {
    asOf,
    overall: (
      <>
        <br />
        <span class="muted">{formatScore(scores.score)} overall</span>
      </>
    ),
    role: analysis.roleMatch[0]?.displayName,
    seen: describeLastActivity(activity.lastCommit, until ?? asOf),
    years: profile.experienceSource === "none" ? "" : formatYears(proficiency.experienceYears),
    /** The day when the known history ends, if later work may exist. */
    ends: until !== undefined && isStale(until, asOf) ? formatDate(until) : undefined,
    // Rendered once, because rendering took most of the time of a page.
    avatar: <Avatar login={profile.login} name={profile.name} />,
    sparkline,
    about: (
      <>
        {sparkline}
        <p class="small muted">{label}</p>
        {sureness && (
          <p class="small">
            {sureness.level} confidence: {sureness.reason}. {sureness.remedy}
          </p>
        )}
        {worked.length > 0 && <p class="small muted">Worked in {worked.join(", ")}</p>}
      </>
    ),
    strengths: new Map(repositories.skills.map(({ skill, strength }) => [skill, strength])),
    work: listWork(repositories.skills),
  };
}

const repositoriesMax = 4;

/** Lists the skills that work shows, most commits first, each with its evidence as an entry of a list. */
function listWork(skills: ProfileAnalysis["repositories"]["skills"]) {
  return skills
    .map(({ skill, type, evidence: [most = ""] }) => {
      const commits = Number(readCommits(most)?.replaceAll(",", "") ?? 0);
      // Fields of work and the person's own libraries are not what others know by name.
      const isNamed = type !== "domain" && type !== "library";
      const reason = (
        <li>
          <strong>{skill}</strong> <span class="muted">{most}</span>
        </li>
      );
      return { skill, isNamed, commits, reason };
    })
    .filter(({ commits }) => commits > 0)
    .sort((one, other) => other.commits - one.commits);
}

/** Describes the last commit as `active Nov 2026` or `quiet since Mar 2025`. Both days are YYYY-MM-DD. */
function describeLastActivity(lastCommit: string | undefined, until: string): string {
  if (lastCommit === undefined) return "no commits";
  return `${isQuiet(lastCommit, until) ? "quiet since" : "active"} ${formatShortMonth(lastCommit)}`;
}
