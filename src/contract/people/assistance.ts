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
    commits: createCountSchema("Counted commits marked as assisted."),
    share: createShareSchema("Share of all counted commits."),
    agents: createRowsSchema("Assistants, most commits first.", {
      agent: createTextSchema("Name of the assistant."),
      commits: createCountSchema("Commits that name it."),
    }),
    unassisted: createCountSchema("Commits with a note that says that no assistant wrote a line."),
    unmarked: createAmountSchema("Commits without a mark, since assistants exist."),
    unknown: createAmountSchema("Unmarked commits that may be assisted: an upper estimate."),
    scoreLow: createPercentageSchema("Score if all unknown commits were assisted."),
    scoreHigh: createPercentageSchema("Score if no unknown commit was assisted."),
    evidence: createSentencesSchema("These figures in words."),
  },
  "Use of AI assistants, as commits say; does not change the score.",
);

export const CreditOfOthers = createComponent("Credit", {
  kind: createEnumSchema(
    ["reviewed", "tested", "reported", "signedOff", "acked", "approved", "changesRequested"],
    "Kind of credit: a commit trailer, or a review on a forge.",
  ),
  count: createCountSchema("Number of commits or changes."),
  first: createDaySchema("First day (UTC)."),
  last: createDaySchema("Last day (UTC)."),
});
