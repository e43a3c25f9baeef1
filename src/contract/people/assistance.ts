/** The parts of an analysis about AI assistants, and about credit from other people. */
import {
  createAmountSchema,
  createCountSchema,
  createPercentageSchema,
  createSentencesSchema,
  createShareSchema,
  createTextSchema,
} from "../field-schemas.ts";
import { createComponent, createDaySchema, createEnumSchema, createRowsSchema } from "../schema.ts";

export const Assistance = createComponent(
  "Assistance",
  {
    commits: createCountSchema("Counted ones that say so."),
    share: createShareSchema("Of all."),
    agents: createRowsSchema("Most first.", {
      agent: createTextSchema("Its name."),
      commits: createCountSchema("Naming it."),
    }),
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
