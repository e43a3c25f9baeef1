/** A person in the results of a search: the row, and the reasons for the place. */
import {
  askedShares,
  askedWeights,
  overallWeights,
  type SearchResultItem,
  type WrittenCard,
} from "../../../contract/people/developer.ts";
import { isStale } from "../../../contract/people/history-end.ts";
import { explainSureness, isQuiet } from "../../../contract/people/introduction.ts";
import { type ProfileAnalysis, readCommits } from "../../../contract/people/profile-analysis.ts";
import type { Modules } from "../../../operations/operation.ts";
import {
  formatCount,
  formatCounted,
  formatDate,
  formatScore,
  formatShortMonth,
  formatSpan,
  formatYears,
} from "../look/format.ts";
import type { Html } from "../look/jsx-runtime.ts";
import { ButtonLink } from "../look/parts.tsx";
import {
  Avatar,
  Bar,
  DeveloperLink,
  formatDeveloperPath,
  ScoreBar,
  Sparkline,
} from "../look/people.tsx";
import { type AskedTerm, isMatch, type SearchFilters } from "./search-query.ts";

/** A skill or language of the search, and what the person has of it. */
interface PersonTerm extends AskedTerm {
  readonly isMet: boolean;
  /** Undefined if only a word in a text shows the skill. */
  readonly strength: number | undefined;
}

/** @param figures `undefined` if the person was erased. */
export function findTerms(
  asked: readonly AskedTerm[],
  { matching_keywords: matching }: SearchResultItem,
  figures: CardFigures | undefined,
): readonly PersonTerm[] {
  const met = matching.split(", ");
  return asked.map((term) => ({
    ...term,
    isMet: met.includes(term.name),
    strength: figures?.strengths.get(term.name),
  }));
}

const isAsked = (terms: readonly { readonly name: string }[], skill: string) =>
  terms.some(({ name }) => name === skill);

const getReasonsId = (login: string) => `why-${login}`;

interface ResultProperties {
  readonly person: SearchResultItem;
  readonly figures: CardFigures | undefined;
  readonly terms: readonly PersonTerm[];
}

interface PersonRowProperties extends ResultProperties {
  readonly query: string;
  readonly isPicked: boolean;
  readonly isFollowed: boolean;
}

export function PersonRow({ query, isPicked, isFollowed, ...result }: PersonRowProperties) {
  const { person, figures } = result;
  const { login, name = login, location = "", followers } = person;
  const followed = isFollowed && followers !== undefined && formatCounted(followers, "follower");
  // The activity is last: a long line loses its end, and the bars beside it show the activity too.
  const facts = [followed, location.split(",")[0], figures?.years, figures?.seen];
  return (
    <li class="result" id={`row-${login}`} data-login={login}>
      {figures?.avatar}
      <div class="result-who">
        <h3>
          <DeveloperLink login={login} name={name} query={query} />
        </h3>
        <p class="small muted">{facts.filter(Boolean).join(" · ")}</p>
      </div>
      <RowSkills {...result} />
      {figures?.sparkline}
      <a class="result-score score number" href={`#${encodeURIComponent(getReasonsId(login))}`}>
        {formatScore(person.score)}
        <span class="unseen"> of 100: why {name}</span>
      </a>
      <label>
        <input
          type="checkbox"
          form="search"
          name="login"
          value={login}
          checked={isPicked}
          data-pick={name}
        />
        <span class="unseen">Select {name}</span>
      </label>
    </li>
  );
}

const termsMax = 3;
const othersMax = 2;

/** Shows the asked skills first, then what is missing, then skills on which the person worked most. */
function RowSkills({ person, figures, terms }: ResultProperties) {
  const toTerm = (name: string) => ({
    ...{ name, isMet: true, strength: figures?.strengths.get(name) },
  });
  const has = terms.filter(({ isMet, strength }) => isMet || strength !== undefined);
  const lacks = terms.filter((term) => !has.includes(term)).map(({ name }) => name);
  const best = person.matching_keywords.split(", ").filter((name) => !isAsked(terms, name));
  const leading = terms.length > 0 ? has : best.splice(0, othersMax).map(toTerm);
  const named = (figures?.work ?? []).filter(({ isNamed }) => isNamed).map(({ skill }) => skill);
  const others = new Set([...best, ...named].filter((skill) => skill && !isAsked(leading, skill)));
  const missing = lacks.length > 0 && (
    <li class="lack">
      no {lacks[0]}
      {lacks.length > 1 && ` +${lacks.length - 1}`}
    </li>
  );
  // A row has two lines of skills. What is missing is always in the first two.
  return (
    <ul class="result-skills small">
      {leading.slice(0, termsMax).map(({ name, isMet, strength }, at) => [
        at === 1 && missing,
        <li class={isMet ? undefined : "lack"}>
          {name} {strength !== undefined && <Bar value={strength} />}{" "}
          {strength !== undefined && <span class="number">{strength}</span>}
        </li>,
      ])}
      {leading.length < 2 && missing}
      {leading.length > termsMax && <li>+{leading.length - termsMax}</li>}
      {[...others].slice(0, othersMax).map((skill) => (
        <li class="muted">{skill}</li>
      ))}
    </ul>
  );
}

interface ReasonsProperties extends ResultProperties {
  readonly filters: SearchFilters;
  readonly query: string;
  /** The place of the person among all people found, counted from 1. */
  readonly rank: number;
  readonly total: number;
  readonly adder: Html;
}

/** Shows why a person has this place in the results. The address of the page chooses whose reasons are visible. */
export function Reasons(properties: ReasonsProperties) {
  const { person, figures, filters, query, rank, total, adder } = properties;
  const { login, name = login } = person;
  const id = getReasonsId(login);
  const hasMatch = isMatch(filters);
  return (
    <section class="why card" id={id} aria-labelledby={`${id}-name`}>
      <div class="why-head">
        {figures?.avatar}
        <div class="result-who">
          <h3 id={`${id}-name`}>{name}</h3>
          <p class="small muted">{[figures?.role, person.location].filter(Boolean).join(" · ")}</p>
        </div>
        <a
          class="button plain small-button why-close"
          href={`#${encodeURIComponent(`row-${login}`)}`}
        >
          Close
        </a>
      </div>
      <div class="why-head">
        <span class="why-score score number">{formatScore(person.score)}</span>
        <p class="small">
          {hasMatch ? "match" : "overall"}, number {formatCount(rank)} of {formatCount(total)}
          {filters.sort && ` by ${filters.sort}`}
          {hasMatch && figures?.overall}
        </p>
      </div>
      <ScoreParts person={person} hasMatch={hasMatch} />
      <Work {...properties} />
      {figures?.about}
      <div class="actions">
        {adder}
        <ButtonLink to={formatDeveloperPath(login, "", query)} label="Open" unseen={` ${name}`} />
        <button
          type="submit"
          form="search"
          formaction="/compare"
          name="add"
          value={login}
          class="plain small-button"
        >
          Compare<span class="unseen"> {name}</span>
        </button>
      </div>
    </section>
  );
}

function ScoreParts({ person, hasMatch }: { person: SearchResultItem; hasMatch: boolean }) {
  const { techStack, activity, profile } = hasMatch ? askedWeights : overallWeights;
  return (
    <div class="why-parts">
      <ScoreBar
        label={`${hasMatch ? "skills of the search" : "tech stack"}, ${techStack} %`}
        value={person.tech_stack_score}
      />
      <ScoreBar label={`activity, ${activity} %`} value={person.activity_score} />
      <ScoreBar label={`experience and breadth, ${profile} %`} value={person.profile_score} />
    </div>
  );
}

const workMax = 3;

/** Lists the largest work and the work with each asked skill, most commits first. Then lists what is missing. */
function Work({ figures, terms, filters }: ReasonsProperties) {
  const all = figures?.work ?? [];
  const shown = all.filter(({ skill }, at) => isAsked(terms, skill) || at < workMax);
  const lacks = terms.filter(({ isMet }) => !isMet);
  // The points that a person lacks at most because one of the asked skills is missing.
  const share = filters.role === "" ? 1 : askedShares.skills;
  const asked = terms.filter(({ isSkill }) => isSkill).length;
  const cost = Math.round((askedWeights.techStack * share) / Math.max(1, asked));
  return (
    <ul class="why-work small">
      {shown.map(({ reason }) => reason)}
      {lacks.map(({ name, isSkill, strength }) => (
        <li class="lack">
          <strong>No {name}</strong>
          {strength !== undefined && ` (${strength} is too little to count)`}
          {isSkill && `: costs up to ${cost} points`}
        </li>
      ))}
      {figures?.ends && <li class="lack">Data ends {figures.ends}; later work may exist.</li>}
    </ul>
  );
}

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
