import { overallWeights } from "../../../contract/people/developer.ts";
import { explainSureness } from "../../../contract/people/introduction.ts";
import {
  listNamedRoles,
  type ProfileAnalysis,
  type Term,
} from "../../../contract/people/profile-analysis.ts";
import type { Modules } from "../../../operations/operation.ts";
import type { ComputingModules } from "../calls.ts";
import { formatCount, formatScore } from "../look/format.ts";
import { Fold, List, Panel } from "../look/parts.tsx";
import { ScoreBar } from "../look/people.tsx";
import type { SearchMatch } from "./search-match.tsx";

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
      <Fold label="How this is counted">
        <ScoreTerms analysis={analysis} />
      </Fold>
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

type SurenessProperties = Pick<ScoreProperties, "analysis"> & { readonly canAdd: boolean };

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

export type PoolScores = NonNullable<Awaited<ReturnType<Modules["search"]["countRoleScores"]>>>;

const peopleMin = 20;

/** Reads the scores of people with the same best role. @returns undefined if there are too few people. */
export async function findPoolRank(
  { search }: Pick<ComputingModules, "search">,
  analysis: ProfileAnalysis,
): Promise<PoolScores | undefined> {
  const [best] = listNamedRoles(analysis);
  if (!best || analysis.profile.class !== "human" || !search.generation) return undefined;
  const scores = await search.countRoleScores(best.role);
  return scores && scores.total >= peopleMin ? scores : undefined;
}

const [height, below] = [64, 20];
const dotsMax = 12;
const binWidth = 2;

function PoolRank({ analysis, scores }: Omit<ScoreProperties, "match">) {
  if (!scores) return <p class="muted">of 100</p>;
  const { score } = analysis.scores;
  const words = describePoolRank(analysis, scores);
  const [low, high] = [findQuantile(scores, 0.25), findQuantile(scores, 0.75)];
  const spread = `Half of them score ${formatScore(low)} to ${formatScore(high)}.`;
  const bins = countBins(scores);
  const perDot = Math.ceil(Math.max(...bins) / dotsMax);
  const dots = bins.flatMap((people, bin) =>
    Array.from({ length: Math.ceil(people / perDot) }, (_, dot) => {
      const x = bin * binWidth + binWidth / 2;
      return `M${x} ${100 - (dot + 0.5) * (100 / dotsMax)}h0`;
    }),
  );
  return (
    <>
      <p class="muted">of 100, {words}</p>
      <figure class="chart standing">
        <svg height={height + below} role="img" aria-label={`Score ${words}. ${spread}`}>
          <svg
            aria-hidden="true"
            width="100%"
            height={height}
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
          >
            <path class="standing-dots" d={dots.join("")} />
          </svg>
          <line class="chart-line" x1="0" x2="100%" y1={height} y2={height} />
          <line class="standing-mark" x1={`${score}%`} x2={`${score}%`} y1="0" y2={height} />
          {[0, 25, 50, 75, 100].map((at) => (
            <text class="chart-label chart-middle" x={`${clampLabel(at)}%`} y={height + 15}>
              {at}
            </text>
          ))}
        </svg>
        <figcaption class="small muted">
          {spread} Each dot is {perDot === 1 ? "one person" : `up to ${formatCount(perDot)} people`}
          . The line is this person.
        </figcaption>
      </figure>
    </>
  );
}

const clampLabel = (percent: number) => Math.min(96, Math.max(3, percent));

/** Writes `higher than 98 % of the 1,689 Backend Developers here`. */
function describePoolRank(
  { scores: { score }, roleMatch: [best] }: ProfileAnalysis,
  { people, total }: PoolScores,
): string {
  const own = Math.round(score * 10);
  const others = total - 1;
  const lower = people.subarray(0, own).reduce((sum, count) => sum + count, 0);
  const whom = `of the ${formatCount(total)} ${best?.displayName}s here`;
  if (lower >= others) return `the highest ${whom}`;
  return `higher than ${Math.floor((100 * lower) / others)} % ${whom}`;
}

function findQuantile({ people, total }: PoolScores, share: number): number {
  let left = Math.ceil(share * total);
  const tenths = people.findIndex((count) => {
    left -= count;
    return left <= 0;
  });
  return tenths / 10;
}

/** Counts the people in bins of two points of the score. The last bin includes 100 points. */
function countBins({ people }: PoolScores): readonly number[] {
  const bins = new Array<number>(100 / binWidth).fill(0);
  people.forEach((count, tenths) => {
    const bin = Math.min(bins.length - 1, Math.floor(tenths / (10 * binWidth)));
    bins[bin] = (bins[bin] as number) + count;
  });
  return bins;
}
