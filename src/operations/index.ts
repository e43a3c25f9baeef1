import { analyzeProfile } from "./analyze-profile.ts";
import { completeFiles } from "./complete-files.ts";
import { exportPeople } from "./export-people.ts";
import { completePeople, findPeople } from "./find-people.ts";
import { getChanges } from "./get-changes.ts";
import { getDeveloper } from "./get-developer.ts";
import { getDevelopers } from "./get-developers.ts";
import { getUsage } from "./get-usage.ts";
import { lookupTerms } from "./lookup-terms.ts";
import type { Operation } from "./operation.ts";
import { searchDevelopers } from "./search-developers.ts";
import { whoKnows } from "./who-knows.ts";

/** All operations. A new operation needs its own file and a line here. */
export const operations: readonly Operation[] = [
  searchDevelopers,
  getDeveloper,
  analyzeProfile,
  lookupTerms,
  findPeople,
  whoKnows,
  getDevelopers,
  getUsage,
  getChanges,
];

/** Operations whose answer is a stream of lines, without an envelope. */
export const streamOperations: readonly Operation[] = [exportPeople];

/** The operations that assistants get as tools. */
export const toolOperations = operations.filter(({ isForPrograms }) => !isForPrograms);

/** Operations that only pages offer. */
export const pageOperations: readonly Operation[] = [completePeople, completeFiles];
