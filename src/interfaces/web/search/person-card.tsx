/** One person in a list of results: name, score, confidence and evidence. */
import type { SearchResultItem } from "../../../contract/people/developer.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { formatActivity, formatCount, formatFraction } from "../look/format.ts";
import { PersonHeading, ScoreBar } from "../look/people.tsx";

interface PersonCardProperties {
  readonly person: SearchResultItem;
  /** `undefined` if the person was erased a moment ago. */
  readonly analysis: ProfileAnalysis | undefined;
  /** Id of the role in the search. */
  readonly role: string | undefined;
}

export function PersonCard({ person, analysis, role }: PersonCardProperties) {
  const { login, name, location, last_active_date: lastActive, score } = person;
  const match = analysis?.roleMatch.find((one) => role === undefined || one.role === role);
  const facts = [
    location,
    match && `${match.displayName} ${match.score}`,
    analysis?.proficiency.level,
    `${person.platform_experience} years`,
    analysis && formatActivity(lastActive, analysis.asOf, analysis.activity.until),
  ];
  return (
    <li class="person">
      <PersonHeading login={login} name={name} heading="h3" />
      <p class="person-facts small">{facts.filter(Boolean).join(" · ")}</p>
      <p class="person-score number" title="Score of 100, for this search">
        {score.toFixed(1)}
        <span class="unseen"> of 100</span>
      </p>
      <div class="person-bars">
        <ScoreBar label="profile" value={person.profile_score} />
        <ScoreBar label="tech stack" value={person.tech_stack_score} />
        <ScoreBar label="activity" value={person.activity_score} />
        {analysis && (
          <span class="small muted" title="How much evidence the score rests on, 0 to 1">
            confidence <span class="number">{formatFraction(analysis.confidence)}</span>
          </span>
        )}
      </div>
      <p class="person-evidence small">
        {analysis && <StrongestEvidence person={person} analysis={analysis} />}
        <Repositories person={person} />
      </p>
      <label class="person-pick small">
        <input type="checkbox" name="login" value={login} />{" "}
        <span>
          compare<span class="unseen"> {name ?? login}</span>
        </span>
      </label>
    </li>
  );
}

const evidenceMax = 3;

interface StrongestEvidenceProperties {
  readonly person: SearchResultItem;
  readonly analysis: ProfileAnalysis;
}

/** The skills that the search names; without any, the strongest. */
function StrongestEvidence({ person, analysis }: StrongestEvidenceProperties) {
  const asked = person.matching_keywords.split(", ");
  const rankOf = (skill: string) => {
    const at = asked.indexOf(skill);
    return at < 0 ? asked.length : at;
  };
  const { skills } = analysis.repositories;
  const shown = skills
    .slice()
    .sort((a, b) => rankOf(a.skill) - rankOf(b.skill))
    .slice(0, evidenceMax);
  return (
    <>
      {shown.map(({ skill, strength, evidence }) => (
        <span class="chip" title={evidence[0]}>
          {skill} <b class="number">{strength}</b>
          <Commits evidence={evidence} />
        </span>
      ))}
    </>
  );
}

/** The largest count of commits that the evidence of a skill names. */
function Commits({ evidence }: { readonly evidence: readonly string[] }) {
  const counts = evidence.map((line) => Number(/^(\d{1,9}) commits/.exec(line)?.[1] ?? 0));
  const most = Math.max(0, ...counts);
  return most > 0 ? <span class="muted"> {formatCount(most)} commits</span> : undefined;
}

function Repositories({ person }: { readonly person: SearchResultItem }) {
  const { top_repositories: own, top_oss_contributions: others } = person;
  const names = [
    // The card already names the owner.
    ...own.map(({ name }) => name.replace(`${person.login}/`, "")),
    ...others.map(({ repository }) => repository),
  ];
  if (names.length === 0) return undefined;
  return <span class="muted">{names.slice(0, 2).join(", ")}</span>;
}
