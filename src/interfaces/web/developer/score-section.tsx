import type { ProfileAnalysis, Term } from "../../../contract/people/profile-analysis.ts";
import { Bar } from "../look/people.tsx";

/** The score opened into its terms: what each is worth, and what it rests on. */
export function ScoreTerms({ analysis }: { readonly analysis: ProfileAnalysis }) {
  const { scores, explanation, roleMatch } = analysis;
  const best = roleMatch[0];
  const { profile, techStack, activity } = scores.scores;
  return (
    <section class="card" id="score" aria-labelledby="score-title">
      <h2 id="score-title">Why the score is {scores.score.toFixed(1)}</h2>
      <p class="muted">
        15 % profile, 50 % tech stack, 35 % activity. Each part is made of terms; the five largest
        are shown.
      </p>
      <Part title="Profile" value={profile} share={15} terms={explanation.profile} />
      <Part title="Tech stack" value={techStack} share={50} terms={explanation.techStack} />
      <Part title="Activity" value={activity} share={35} terms={explanation.activity} />
      {best && (
        <Part
          title={`Match as ${best.displayName}`}
          value={best.score}
          terms={explanation.roleMatch}
        />
      )}
    </section>
  );
}

interface PartProperties {
  readonly title: string;
  readonly value: number;
  /** Percent of the score. */
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
      <table class="terms small stacked">
        <thead>
          <tr>
            <th scope="col">Term</th>
            <th scope="col" class="number">
              Value
            </th>
            <th scope="col" class="number">
              Points
            </th>
            <th scope="col">Evidence</th>
          </tr>
        </thead>
        <tbody>
          {terms.map((term) => (
            <tr>
              <th scope="row">{term.term}</th>
              <td class="number">{Math.round(term.value)}</td>
              <td class="number">
                {term.points.toFixed(1)} <span class="muted">of {term.cap.toFixed(1)}</span>
              </td>
              <td class="free">{term.evidence.join("; ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
