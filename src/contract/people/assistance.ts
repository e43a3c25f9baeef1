/** What an analysis tells of assistants, and of credit that others give. */

import {
  createAmountSchema,
  createCountSchema,
  createSentencesSchema,
  createShareSchema,
  createTextSchema,
} from "../field-schemas.ts";
import { createDaySchema, createEnumSchema, markComponent, Type } from "../schema.ts";
import { overallScoreSchema } from "./developer.ts";

const strict = { additionalProperties: false } as const;

/** How much of the counted work says that an assistant took part, and what may be beside it. */
export const Assistance = Type.Object(
  {
    commits: createCountSchema("Counted commits that say so."),
    share: createShareSchema("Of all counted commits."),
    agents: Type.Array(
      Type.Object(
        {
          agent: createTextSchema("Its name."),
          commits: createCountSchema("Commits that name it."),
        },
        strict,
      ),
      { description: "Most commits first." },
    ),
    unmarked: createAmountSchema("Counted commits since there are assistants that say nothing."),
    unknown: createAmountSchema("Of these, at most assisted."),
    scoreLow: overallScoreSchema,
    scoreHigh: overallScoreSchema,
    evidence: createSentencesSchema("In words."),
  },
  {
    ...strict,
    ...markComponent("Assistance"),
    description:
      "What commits say of assistants, which lowers no score, and the range of the score that the unknown rest allows.",
  },
);

export const CreditOfOthers = Type.Object(
  {
    kind: createEnumSchema(["reviewed", "tested", "reported", "signedOff", "acked"], "By trailer."),
    count: createCountSchema("Commits."),
    first: createDaySchema("UTC day."),
    last: createDaySchema("UTC day."),
  },
  { ...strict, ...markComponent("Credit") },
);
