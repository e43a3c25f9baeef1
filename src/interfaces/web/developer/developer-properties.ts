import type { Facts } from "../../../contract/people/facts.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";

/** The data of the sections of a developer's page. */
export interface DeveloperProperties {
  readonly analysis: ProfileAnalysis;
  /** `undefined` if the person was erased a moment ago. */
  readonly facts: Facts | undefined;
}
