import type { Facts } from "../../../contract/people/facts.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";

/** What the sections of a developer's page are made of. */
export interface DeveloperProperties {
  readonly analysis: ProfileAnalysis;
  /** Undefined for whoever was erased a moment ago. */
  readonly facts: Facts | undefined;
}
