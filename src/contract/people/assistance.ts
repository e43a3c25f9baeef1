/** What an analysis tells of assistants, and of credit that others give. */
import { createForeignText, Type } from "../schema.ts";
import { CreditFacts } from "./credit-facts.ts";
import { createCountSchema, createTextSchema, overallScoreSchema } from "./developer.ts";

const strict = { additionalProperties: false } as const;

/** How much of the counted work says that an assistant took part, and what may be beside it. */
export const Assistance = Type.Object(
  {
    commits: createCountSchema("Counted commits that say that an assistant took part."),
    share: Type.Number({ minimum: 0, maximum: 1, description: "Of all counted commits." }),
    agents: Type.Array(
      Type.Object(
        {
          agent: createTextSchema("Its name."),
          commits: createCountSchema("Commits that name it; some name several."),
        },
        strict,
      ),
      { description: "Most commits first." },
    ),
    unmarked: Type.Number({
      minimum: 0,
      description:
        "Counted commits since assistants exist that say nothing, whoever wrote them; one shared by k people is 1/k.",
    }),
    unknown: Type.Number({
      minimum: 0,
      description: "As many of these at most may have been an assistant's work.",
    }),
    scoreLow: overallScoreSchema,
    scoreHigh: overallScoreSchema,
    evidence: Type.Array(createForeignText("sentence", "One sentence."), {
      description: "The same in words.",
    }),
  },
  {
    ...strict,
    description:
      "Work with assistants. What commits tell of it lowers no score; most tell nothing, so the score is given as a range: " +
      "as it would be without the part that is unknown, and as it is.",
  },
);

export const creditsOfOthers = Type.Optional(CreditFacts);
