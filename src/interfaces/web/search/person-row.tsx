import {
  askedShares,
  askedWeights,
  type SearchResultItem,
} from "../../../contract/people/developer.ts";
import { formatScore } from "../look/format.ts";
import { Bar, DeveloperLink } from "../look/people.tsx";
import type { CardFigures } from "./card-figures.tsx";
import type { AskedTerm, SearchFilters } from "./search-query.ts";

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
  const met = new Set(matching.split(", "));
  return asked.map((term) => ({
    ...term,
    isMet: met.has(term.name),
    strength: figures?.strengths.get(term.name),
  }));
}

/** Computes the points that a person lacks at most because one of the asked skills is missing. */
export function computeCost(asked: readonly AskedTerm[], { role }: SearchFilters): number {
  const skills = asked.filter(({ isSkill }) => isSkill).length;
  const share = role === "" ? 1 : askedShares.skills;
  return (askedWeights.techStack * share) / Math.max(1, skills);
}

export const isAsked = (terms: readonly { readonly name: string }[], skill: string) =>
  terms.some(({ name }) => name === skill);

/** The id of the part of the page that shows the reasons for a person. */
export const getReasonsId = (login: string) => `why-${login}`;

interface PersonRowProperties {
  readonly person: SearchResultItem;
  readonly figures: CardFigures | undefined;
  readonly terms: readonly PersonTerm[];
  readonly query: string;
  readonly isPicked: boolean;
}

export function PersonRow({ person, figures, terms, query, isPicked }: PersonRowProperties) {
  const { login, name = login, location = "" } = person;
  // The place is last, because a long line loses its end.
  const facts = [figures?.seen, figures?.years, location.split(",")[0]];
  return (
    <li class="result" id={`row-${login}`} data-login={login}>
      {figures?.avatar}
      <div class="result-who">
        <h3>
          <DeveloperLink login={login} name={name} query={query} />
        </h3>
        <p class="small muted">{facts.filter(Boolean).join(" · ")}</p>
      </div>
      <RowSkills person={person} figures={figures} terms={terms} />
      {figures?.sparkline}
      <a class="result-score number" href={`#${encodeURIComponent(getReasonsId(login))}`}>
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
function RowSkills({ person, figures, terms }: Omit<PersonRowProperties, "query" | "isPicked">) {
  const has = terms.filter(({ isMet, strength }) => isMet || strength !== undefined);
  const lacks = terms.filter((term) => !has.includes(term)).map(({ name }) => name);
  const best = person.matching_keywords.split(", ").filter((name) => !isAsked(terms, name));
  const leading =
    terms.length > 0
      ? has
      : best
          .splice(0, othersMax)
          .map((name) => ({ name, isMet: true, strength: figures?.strengths.get(name) }));
  const work = (figures?.work ?? []).filter(
    ({ isNamed, skill }) => isNamed && !isAsked(leading, skill),
  );
  const others = new Set([...best, ...work.map(({ skill }) => skill)].filter(Boolean));
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
