import type { Component } from "../component.ts";
import type { Counted } from "../counted.ts";
import type { RoleJudgement } from "../roles/roles.ts";
import type { Cadence } from "../scores/cadence.ts";
import type { Experience } from "../scores/experience.ts";
import type { SkillJudgement } from "../skills/skills.ts";

/** All that was found out about one developer, before it is put into the shapes of the wire. */
export interface Judgement {
  readonly counted: Counted;
  readonly placeNames: readonly string[];
  readonly placeIds: readonly string[];
  readonly skills: readonly SkillJudgement[];
  readonly roles: readonly JudgedRole[];
  readonly experience: Experience;
  readonly cadence: Cadence | undefined;
  readonly profile: Component;
  readonly activity: Component;
  /** For the best role; without any role over all skills. */
  readonly techStack: Component;
  readonly score: number;
  readonly confidence: number;
}

export interface JudgedRole extends RoleJudgement {
  readonly techStack: Component;
  /** Skills that count for the role, strongest first. */
  readonly skills: readonly SkillJudgement[];
}

/** What `scores.role` says of a developer without evidence for any role. */
export const noRole = "none";
