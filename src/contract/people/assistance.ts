/** What an analysis tells of assistants, and of credit that others give. */

import {
  createAmountSchema,
  createCountSchema,
  createSentencesSchema,
  createShareSchema,
  createTextSchema,
} from "../field-schemas.ts";
import {
  createComponent,
  createDaySchema,
  createEnumSchema,
  createObject,
  Type,
} from "../schema.ts";
import { overallScoreSchema } from "./developer.ts";

/** How much of the counted work says that an assistant took part, and what may be beside it. */
export const Assistance = createComponent(
  "Assistance",
  {
    commits: createCountSchema("Counted commits that say so."),
    share: createShareSchema("Of all counted commits."),
    agents: Type.Array(
      createObject({
        agent: createTextSchema("Its name."),
        commits: createCountSchema("Commits that name it."),
      }),
      { description: "Most commits first." },
    ),
    unmarked: createAmountSchema("Counted commits since there are assistants that say nothing."),
    unknown: createAmountSchema("Of these, at most assisted."),
    scoreLow: overallScoreSchema,
    scoreHigh: overallScoreSchema,
    evidence: createSentencesSchema("In words."),
  },
  "What commits say of assistants; it lowers no score.",
);

export const CreditOfOthers = createComponent("Credit", {
  kind: createEnumSchema(["reviewed", "tested", "reported", "signedOff", "acked"], "By trailer."),
  count: createCountSchema("Commits."),
  first: createDaySchema("UTC day."),
  last: createDaySchema("UTC day."),
});
