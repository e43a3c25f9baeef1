import { formatCount, formatCounted, formatYears } from "../../contract/format.ts";
import type { FactsAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";
import { type ComponentPart, type ScoreComponent, sumComponent } from "./component.ts";
import { interpolateUnitCurve, scaleLogarithmically } from "./curve.ts";
import type { Experience } from "./experience.ts";
import type { SkillScore } from "./skills.ts";

/** Scores the profile, which is 15 % of the score, by its content, age, followers and stars. */
export function scoreProfile(
  counted: FactsAsOf,
  known: {
    readonly skills: readonly SkillScore[];
    readonly experience: Experience;
    readonly places: number;
  },
  { profile: model }: Model,
): ScoreComponent {
  const { bio, blog, socialUsername } = counted.facts.profile;
  const { weights } = model;
  const nobodyLooked = isKnownFromGitAlone(counted);
  const described = (term: string, weight: number, isThere: boolean): ComponentPart => ({
    term,
    value: isThere ? 100 : nobodyLooked ? undefined : 0,
    weight,
    evidence: [isThere ? `${term} given` : `no ${term}`],
  });
  const { source, tenths } = known.experience;
  const years = tenths / 10;
  return sumComponent([
    described("bio", weights.bio, bio !== undefined && bio.trim() !== ""),
    described("location", weights.location, known.places > 0),
    described("link", weights.link, Boolean(blog ?? socialUsername)),
    {
      term: "described skills",
      value: interpolateUnitCurve(known.skills.length, model.skillsMedian),
      weight: weights.skills,
      evidence: [`${formatCounted(known.skills.length, "skill")} besides their own products`],
    },
    {
      term: "tenure",
      value: interpolateUnitCurve(years, model.tenureYearsMedian),
      weight: weights.tenure,
      evidence: [source === "none" ? "not known" : `${formatYears(years)} by ${source}`],
    },
    reach("followers", counted.facts.profile.followers, [weights.followers, model.followersFull]),
    reach("stars", countStars(counted), [weights.stars, model.starsFull]),
  ]);
}

/** Whether the facts come from git alone. A profile with a page, followers, a picture or a creation date comes from a forge. */
function isKnownFromGitAlone({ facts: { source, profile } }: FactsAsOf): boolean {
  const { followers, createdAt, profileUrl, avatarUrl } = profile;
  return source === "git" && (followers ?? createdAt ?? profileUrl ?? avatarUrl) === undefined;
}

/** Counts the stars of own repositories that are no forks. Undefined means that no stars are known. */
export function countStars({ repositories }: FactsAsOf): number | undefined {
  let stars: number | undefined;
  for (const repository of repositories) {
    if (!repository.owned || repository.fork || repository.stars === undefined) continue;
    stars = Math.min(Number.MAX_SAFE_INTEGER, (stars ?? 0) + repository.stars);
  }
  return stars;
}

function reach(
  term: string,
  count: number | undefined,
  [weight, full]: readonly [weight: number, full: number],
): ComponentPart {
  return {
    term,
    value: count === undefined ? undefined : scaleLogarithmically(count, full),
    weight,
    evidence: [`${formatCount(count ?? 0)} ${term}`],
  };
}
