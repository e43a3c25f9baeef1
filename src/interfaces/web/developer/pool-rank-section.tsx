/** Compares a person's score with the scores of people who have the same best role. */
import { listNamedRoles, type ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import type { Modules } from "../../../operations/operation.ts";
import type { ComputingModules } from "../calls.ts";
import { formatCount } from "../look/format.ts";
import { Panel } from "../look/parts.tsx";
import { Roles } from "./about-sections.tsx";

export type PoolScores = NonNullable<Awaited<ReturnType<Modules["search"]["countRoleScores"]>>>;

/** The fewest people for a meaningful comparison. */
const peopleMin = 20;

/** Reads the scores of people with the same best role. @returns undefined if there are too few people. */
export async function findPoolRank(
  { search }: Pick<ComputingModules, "search">,
  analysis: ProfileAnalysis,
): Promise<PoolScores | undefined> {
  const [best] = listNamedRoles(analysis);
  if (!best || analysis.profile.class !== "human" || !search.isReady) return undefined;
  const scores = await search.countRoleScores(best.role);
  return scores && scores.total >= peopleMin ? scores : undefined;
}

interface RolesProperties {
  readonly analysis: ProfileAnalysis;
  readonly scores: PoolScores | undefined;
}

export function RolesInPool({ analysis, scores }: RolesProperties) {
  return (
    <Panel title="Roles" id="roles">
      {scores && <PoolRank analysis={analysis} scores={scores} />}
      {scores ? (
        <details class="folded">
          <summary>All roles that fit</summary>
          <Roles analysis={analysis} />
        </details>
      ) : (
        <Roles analysis={analysis} />
      )}
    </Panel>
  );
}

/** Heights of the parts of the chart, in pixels. */
const [above, height, below] = [18, 72, 20];
const dotsMax = 12;
/** The width of a bin, in points of the score. */
const binWidth = 2;

function PoolRank({ analysis, scores }: { analysis: ProfileAnalysis; scores: PoolScores }) {
  const { score } = analysis.scores;
  const words = describePoolRank(analysis, scores);
  const [low, high] = [findQuantile(scores, 0.25), findQuantile(scores, 0.75)];
  const spread = `Half of them score ${low.toFixed(1)} to ${high.toFixed(1)}.`;
  const bins = countBins(scores);
  const perDot = Math.ceil(Math.max(...bins) / dotsMax);
  const dots = bins.flatMap((people, bin) =>
    Array.from({ length: Math.ceil(people / perDot) }, (_, dot) => {
      const x = bin * binWidth + binWidth / 2;
      return `M${x} ${100 - (dot + 0.5) * (100 / dotsMax)}h0`;
    }),
  );
  const base = above + height;
  return (
    <figure class="chart standing">
      <p>{words}</p>
      <svg height={base + below} role="img" aria-label={`${words} ${spread}`}>
        <svg
          aria-hidden="true"
          y={above}
          width="100%"
          height={height}
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
        >
          <path class="standing-dots" d={dots.join("")} />
        </svg>
        <line class="chart-line" x1="0" x2="100%" y1={base} y2={base} />
        <line class="standing-mark" x1={`${score}%`} x2={`${score}%`} y1={above - 2} y2={base} />
        <text class="chart-label standing-own chart-middle" x={`${clampLabel(score)}%`} y="12">
          {score.toFixed(1)}
        </text>
        {[0, 25, 50, 75, 100].map((at) => (
          <text class="chart-label chart-middle" x={`${clampLabel(at)}%`} y={base + 15}>
            {at}
          </text>
        ))}
      </svg>
      <figcaption class="small muted">
        {spread} The line is this person's score; each dot stands for{" "}
        {perDot === 1 ? "one person" : `up to ${formatCount(perDot)} people`}.
      </figcaption>
    </figure>
  );
}

const clampLabel = (percent: number) => Math.min(96, Math.max(3, percent));

/** Says which share of the other people has a lower score. */
function describePoolRank(
  { scores: { score }, roleMatch: [best] }: ProfileAnalysis,
  { people, total }: PoolScores,
): string {
  const own = Math.round(score * 10);
  const others = total - 1;
  const lower = people.subarray(0, own).reduce((sum, count) => sum + count, 0);
  const whom = `in this pool who match ${best?.displayName}`;
  if (lower >= others) return `Scores highest of the ${formatCount(total)} people ${whom}.`;
  const share = Math.floor((100 * lower) / others);
  return `Scores higher than ${share} of 100 people ${whom} (${formatCount(total)} people).`;
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
