import {
  askedWeights,
  overallWeights,
  type SearchResultItem,
} from "../../../contract/people/developer.ts";
import { formatRole } from "../../../contract/people/profile-analysis.ts";
import { formatActivity } from "../look/format.ts";
import type { Html } from "../look/jsx-runtime.ts";
import { PersonHeading, ScoreBar } from "../look/people.tsx";
import type { CardFigures } from "./card-figures.ts";

interface PersonCardProperties {
  readonly person: SearchResultItem;
  /** `undefined` if the person was erased. */
  readonly figures: CardFigures | undefined;
  /** Id of the role that the search asks for; `undefined` if it asks for none. */
  readonly role: string | undefined;
  /** The query of the search. With it, the page of the person explains the match. */
  readonly query: string;
  /** Whether the search names a role or skills. The score is then not the overall score. */
  readonly isMatch: boolean;
  readonly actions: Html;
}

export function ScoreMeaning({ isMatch }: Pick<PersonCardProperties, "isMatch">) {
  const { profile, techStack, activity } = isMatch ? askedWeights : overallWeights;
  const weights = `${profile} % profile, ${activity} % activity`;
  return (
    <p class="small muted">
      {isMatch ? (
        <>
          <strong>Match for this search</strong>, of 100: {techStack} % what is asked, {weights}.{" "}
          <strong>Overall</strong> is the score for the best role of each, whatever is asked.
        </>
      ) : (
        <>
          <strong>Overall score</strong>, of 100: {techStack} % tech stack for the best role of
          each, {weights}.
        </>
      )}
    </p>
  );
}

export function PersonCard(properties: PersonCardProperties) {
  const { person, figures, role, query, isMatch, actions } = properties;
  const { login, name, location, last_active_date: lastActive, score } = person;
  const repositories = [
    // For the person's own repositories, the owner is left out, because the card already shows the login.
    ...person.top_repositories.map((one) => one.name.replace(`${login}/`, "")),
    ...person.top_oss_contributions.map(({ repository }) => repository),
  ];
  const [first] = figures?.roleMatch ?? [];
  const asked = figures?.roleMatch.find((one) => one.role === role && one !== first);
  const facts = [
    location,
    asked && formatRole(asked),
    figures?.experience,
    figures && formatActivity(lastActive, figures.asOf, figures.until),
  ];
  return (
    <li class="person">
      <PersonHeading login={login} name={name} query={query} heading="h3" />
      <p class="person-facts small">{facts.filter(Boolean).join(" · ")}</p>
      <p class="person-score">
        <span class="number">{score.toFixed(1)}</span>{" "}
        <span class="small muted person-score-name">{isMatch ? "match" : "overall"}</span>
        {figures && isMatch && (
          <span class="small muted person-score-name">
            <span class="number">{figures.overall.toFixed(1)}</span> overall
          </span>
        )}
      </p>
      <div class="person-bars">
        <ScoreBar label="profile" value={person.profile_score} />
        <ScoreBar label="tech stack" value={person.tech_stack_score} />
        <ScoreBar label="activity" value={person.activity_score} />
        {figures && <span class="small muted">confidence {figures.confidence}</span>}
      </div>
      <div class="person-foot">
        <p class="person-evidence small">
          {figures && <span class="person-role">{figures.role}</span>}
          {figures && renderEvidence(isMatch ? person.matching_keywords : "", figures.skills)}
          {repositories.length > 0 && (
            <span class="muted">{repositories.slice(0, 2).join(", ")}</span>
          )}
        </p>
        <div class="person-actions small">{actions}</div>
      </div>
    </li>
  );
}

const evidenceMax = 3;

/** Shows three skills with their evidence: first the skills that the search asks for, then those with most work. */
function renderEvidence(keywords: string, skills: CardFigures["skills"]) {
  const named = keywords.split(", ");
  const rankOf = (skill: string) => {
    const at = named.indexOf(skill);
    return at < 0 ? named.length : at;
  };
  return skills
    .toSorted((a, b) => rankOf(a.skill) - rankOf(b.skill))
    .slice(0, evidenceMax)
    .map(({ skill, strength, title, commits }) => (
      <span class="chip" title={title}>
        {skill} <b class="number">{strength}</b>
        {commits && (
          <span class="muted">
            {" "}
            in {commits} {commits === "1" ? "commit" : "commits"}
          </span>
        )}
      </span>
    ));
}
