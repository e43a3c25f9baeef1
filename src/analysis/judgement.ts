import type { frequencyLabels } from "../contract/people/developer.ts";
import type { levels, ProfileAnalysis } from "../contract/people/profile-analysis.ts";
import type { FactsAsOf } from "./facts-as-of.ts";
import type { Cadence } from "./scores/activity.ts";
import type { ScoreComponent } from "./scores/component.ts";
import type { Experience } from "./scores/experience.ts";
import type { RoleScores } from "./scores/roles.ts";
import type { SkillScore } from "./scores/skills.ts";

/** All results of analyzing one developer, before they get the shapes of the wire format. */
export interface Judgement {
  readonly counted: FactsAsOf;
  readonly placeNames: readonly string[];
  readonly placeIds: readonly string[];
  readonly skills: readonly SkillScore[];
  readonly roles: readonly RoleScore[];
  readonly experience: Experience;
  readonly cadence: Cadence | undefined;
  readonly frequency: (typeof frequencyLabels)[number];
  readonly profile: ScoreComponent;
  readonly activity: ScoreComponent;
  /** The score of the skills for the best role. If no role matches, it is the score of all skills. */
  readonly techStack: ScoreComponent;
  readonly score: number;
  readonly assistance: ProfileAnalysis["assistance"];
  readonly level: (typeof levels)[number];
  readonly confidence: number;
}

export interface RoleScore extends RoleScores {
  readonly techStack: ScoreComponent;
  /** Skills that count for the role, strongest first. */
  readonly skills: readonly SkillScore[];
}

/** The value of `scores.role` for a developer without evidence for any role. */
export const noRole = "none";
