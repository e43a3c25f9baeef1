import { overallWeights } from "../../../contract/people/developer.ts";
import { explainSureness } from "../../../contract/people/introduction.ts";
import type { ProfileAnalysis, Term } from "../../../contract/people/profile-analysis.ts";
import { formatScore } from "../look/format.ts";
import { List, Panel } from "../look/parts.tsx";
import { ScoreBar } from "../look/people.tsx";
import { PoolRank, type PoolScores } from "./pool-rank.tsx";
import type { SearchMatch } from "./search-match.tsx";

/** The parts of a score, as pages name them. */
export const scoreParts = [
  ["Experience and breadth", "profile"],
  ["Tech stack", "techStack"],
  ["Activity", "activity"],
] as const;

interface ScoreProperties {
  readonly analysis: ProfileAnalysis;
  readonly scores: PoolScores | undefined;
  readonly match: SearchMatch | undefined;
}

export function Score({ analysis, scores, match }: ScoreProperties) {
  const { score, scores: values } = analysis.scores;
  return (
    <section class="card" id="score" aria-labelledby="score-title">
      <h2 class="unseen" id="score-title">
        Score
      </h2>
      <div class="score-head">
        <p class="big-number score">{formatScore(score)}</p>
        <PoolRank analysis={analysis} scores={scores} />
      </div>
      {match?.placing && (
        <p>
          <a href="#match">{formatScore(match.placing.score)} match for this search</a>
        </p>
      )}
      <div class="score-parts">
        {scoreParts.map(([label, name]) => (
          <ScoreBar label={label} value={values[name]} />
        ))}
      </div>
      <details class="folded">
        <summary>How this is counted</summary>
        <div class="folded-body">
          <ScoreTerms analysis={analysis} />
        </div>
      </details>
    </section>
  );
}

function ScoreTerms({ analysis }: Pick<ScoreProperties, "analysis">) {
  const { explanation, roleMatch, scores, summary } = analysis;
  const [best] = roleMatch;
  return (
    <>
      {scoreParts.map(([title, name]) => (
        <Terms
          title={`${title}: ${scores.scores[name]}, counts ${overallWeights[name]} %`}
          terms={explanation[name]}
        />
      ))}
      {best && (
        <Terms
          title={`Role ${best.displayName}: ${best.score}, part of the tech stack`}
          terms={explanation.roleMatch}
        />
      )}
      {summary.caveats.length > 0 && (
        <List class="plain-list caveats small" items={summary.caveats} />
      )}
    </>
  );
}

/** The largest terms of a part, each with its points and its evidence. */
function Terms({ title, terms }: { readonly title: string; readonly terms: readonly Term[] }) {
  return (
    <>
      <h3>{title}</h3>
      <ul class="terms small">
        {terms.map(({ term, points, cap, evidence }) => (
          <li>
            <span>{term}</span>
            <span class="number">
              {formatScore(points)} <span class="muted">of {formatScore(cap)}</span>
            </span>
            <span class="muted">{evidence.join("; ")}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

interface SurenessProperties extends Pick<ScoreProperties, "analysis"> {
  readonly canAdd: boolean;
}

/** Says why the figures are not sure, and what would make them surer. Renders nothing if they are sure. */
export function HowSure({ analysis, canAdd }: SurenessProperties) {
  const sureness = explainSureness(analysis);
  if (!sureness) return undefined;
  const { level, reason, remedy } = sureness;
  return (
    <Panel title="How sure is this?" id="sureness">
      <p>
        <strong>{level}</strong>: {reason}.{" "}
        {canAdd ? <a href="/admin/sources">{remedy}</a> : remedy}
      </p>
    </Panel>
  );
}
