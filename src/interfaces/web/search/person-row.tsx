/** A person in the results of a search: the row, and the reasons for the place. */
import {
  askedShares,
  askedWeights,
  overallWeights,
  type SearchResultItem,
} from "../../../contract/people/developer.ts";
import { formatCount, formatCounted, formatScore } from "../look/format.ts";
import type { Html } from "../look/jsx-runtime.ts";
import { ButtonLink } from "../look/parts.tsx";
import { Bar, DeveloperLink, formatDeveloperPath, ScoreBar } from "../look/people.tsx";
import type { CardFigures } from "./card-figures.tsx";
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
  /** Whether to show the number of followers. */
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
  /** The form that puts the person on a list. */
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
