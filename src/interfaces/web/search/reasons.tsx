import {
  askedWeights,
  overallWeights,
  type SearchResultItem,
} from "../../../contract/people/developer.ts";
import { formatCount, formatScore } from "../look/format.ts";
import type { Html } from "../look/jsx-runtime.ts";
import { formatDeveloperPath, ScoreBar } from "../look/people.tsx";
import type { CardFigures } from "./card-figures.tsx";
import { computeCost, type findTerms, getReasonsId, isAsked } from "./person-row.tsx";
import { isMatch, type SearchFilters } from "./search-query.ts";

interface ReasonsProperties {
  readonly person: SearchResultItem;
  readonly figures: CardFigures | undefined;
  readonly terms: ReturnType<typeof findTerms>;
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
        <span class="why-score number">{formatScore(person.score)}</span>
        <p class="small">
          {hasMatch ? "match" : "overall"}, number {formatCount(rank)} of {formatCount(total)}
          {hasMatch && figures && <br />}
          {hasMatch && figures && <span class="muted">{formatScore(figures.overall)} overall</span>}
        </p>
      </div>
      <ScoreParts person={person} hasMatch={hasMatch} />
      <Work {...properties} />
      {figures?.sparkline}
      {figures && <p class="small muted">{figures.sparklineLabel}</p>}
      {figures?.sureness && (
        <p class="small">
          {figures.sureness.level} confidence: {figures.sureness.reason}. {figures.sureness.remedy}
        </p>
      )}
      {figures && figures.repositories.length > 0 && (
        <p class="small muted">Worked in {figures.repositories.join(", ")}</p>
      )}
      <div class="actions">
        {adder}
        <a class="button plain small-button" href={formatDeveloperPath(login, "", query)}>
          Open<span class="unseen"> {name}</span>
        </a>
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
  const cost = Math.round(computeCost(terms, filters));
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
