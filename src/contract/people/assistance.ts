/** What an analysis tells of assistants, and of credit that others give. */

import {
  createAmountSchema,
  createCountSchema,
  createPercentageSchema,
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

/** How much of the counted work says that an assistant took part, and what may be beside it. */
export const Assistance = createComponent(
  "Assistance",
  {
    commits: createCountSchema("Counted ones that say so."),
    share: createShareSchema("Of all."),
    agents: Type.Array(
      createObject({
        agent: createTextSchema("Its name."),
        commits: createCountSchema("Naming it."),
      }),
      { description: "Most first." },
    ),
    unassisted: createCountSchema("By notes."),
    unmarked: createAmountSchema("Silent, since assistants exist."),
    unknown: createAmountSchema("At most assisted."),
    scoreLow: createPercentageSchema("As if all of it were."),
    scoreHigh: createPercentageSchema("As if none were."),
    evidence: createSentencesSchema("In words."),
  },
  "Stated by commits, unproved; lowers no score.",
);

export const CreditOfOthers = createComponent("Credit", {
  kind: createEnumSchema(
    ["reviewed", "tested", "reported", "signedOff", "acked", "approved", "changesRequested"],
    "By trailer, or a forge's verdict.",
  ),
  count: createCountSchema("Commits or changes."),
  first: createDaySchema("UTC day."),
  last: createDaySchema("UTC day."),
});
