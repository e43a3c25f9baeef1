import { analyzeProfile } from "./analyze-profile.ts";
import { getDeveloper } from "./get-developer.ts";
import { lookupTerms } from "./lookup-terms.ts";
import type { Operation } from "./operation.ts";
import { searchDevelopers } from "./search-developers.ts";

/** Every question Roster answers. A further one touches its own file and this list. */
export const operations: readonly Operation[] = [
  searchDevelopers,
  getDeveloper,
  analyzeProfile,
  lookupTerms,
];
