import { askedWeights, overallWeights } from "../../../contract/people/developer.ts";
import type { ProfileAnalysis, Term } from "../../../contract/people/profile-analysis.ts";
import { formatEvidence } from "../look/figures.ts";
import { DataTable } from "../look/lists.tsx";
import { Panel } from "../look/parts.tsx";
import { Bar } from "../look/people.tsx";

const parts = [
  ["Profile", "profile"],
  ["Tech stack", "techStack"],
  ["Activity", "activity"],
] as const;

export function ScoreTerms({ analysis }: { readonly analysis: ProfileAnalysis }) {
  const { scores, explanation, roleMatch } = analysis;
  const [best] = roleMatch;
  return (
    <Panel title={`Why the overall score is ${scores.score.toFixed(1)}`} id="score">
      <p class="muted">
        {overallWeights.profile} % profile, {overallWeights.techStack} % tech stack for the best
        role, {overallWeights.activity} % activity. Each part is made of terms; the five largest are
        shown. A search for a role or skills has a score of its own, the match: it weighs the parts{" "}
        {askedWeights.profile}, {askedWeights.techStack} and {askedWeights.activity} %, and its tech
        stack is what is asked.
      </p>
      {parts.map(([title, name]) => (
        <Part
          title={title}
          value={scores.scores[name]}
          share={overallWeights[name]}
          terms={explanation[name]}
        />
      ))}
      {best && (
        <Part
          title={`Match as ${best.displayName}`}
          value={best.score}
          terms={explanation.roleMatch}
        />
      )}
    </Panel>
  );
}

interface PartProperties {
  readonly title: string;
  readonly value: number;
  /** The weight of the part in the score, in percent. */
  readonly share?: number;
  readonly terms: readonly Term[];
}

function Part({ title, value, share, terms }: PartProperties) {
  return (
    <details class="score-part" open={share === 50}>
      <summary>
        <span class="score-part-head">
          <strong>{title}</strong>
          <Bar value={value} />
          <span class="number">{value}</span>
          <span class="small muted wide">
            {share === undefined ? "" : `${share} % of the score`}
          </span>
        </span>
      </summary>
      <DataTable
        class="terms small stacked"
        columns={[
          ["Term", ({ term }) => term],
          ["Value", ({ value }) => Math.round(value), "number"],
          [
            "Points",
            ({ points, cap }) => (
              <>
                {points.toFixed(1)} <span class="muted">of {cap.toFixed(1)}</span>
              </>
            ),
            "number",
          ],
          ["Evidence", ({ evidence }) => evidence.map(formatEvidence).join("; "), "free"],
        ]}
        rows={terms}
      />
    </details>
  );
}
