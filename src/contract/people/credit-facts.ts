/** Facts of credit that is not a commit of one's own, and of commits that are not one's own alone. */
import { createCountSchema, createFactDaySchema } from "../field-schemas.ts";
import { addRule, createDescribedObject, type Static, Type } from "../schema.ts";

/** Amounts by UTC month of the author date, `{"2026-05": 3.5}`. Empty months are left out. */
export const ByMonth = addRule(
  "month of the form YYYY-MM",
  Type.Record(Type.String({ pattern: "^\\d{4}-(0[1-9]|1[0-2])$" }), Type.Number({ minimum: 0 }), {
    ...{ additionalProperties: false, description: "Amounts by UTC month, YYYY-MM." },
  }),
);
export type ByMonth = Static<typeof ByMonth>;

/** Of the counted commits those that say that an assistant took part. */
export const AssistedFacts = createDescribedObject(
  "Of the counted commits those that say that an assistant took part; most assistance leaves no mark.",
  {
    total: createCountSchema("Counted commits that say so."),
    volume: ByMonth,
    agents: Type.Record(
      Type.String({ minLength: 1, maxLength: 60 }),
      createCountSchema("Commits."),
      {
        description: "Commits by the id of each agent that took part, e.g. claude, copilot.",
      },
    ),
  },
);

const Credit = Type.Object(
  {
    count: createCountSchema("Commits of others with such a trailer."),
    first: createFactDaySchema("Author date of the first."),
    last: createFactDaySchema("Author date of the last."),
  },
  { additionalProperties: false, title: "Credit" },
);

/** What commits of others say of the developer, by trailer; no commits of the developer's own. */
export const CreditFacts = Type.Object(
  {
    reviewed: Type.Optional(Credit),
    tested: Type.Optional(Credit),
    reported: Type.Optional(Credit),
    signedOff: Type.Optional(Credit),
    acked: Type.Optional(Credit),
  },
  {
    additionalProperties: false,
    title: "Credits",
    description:
      "Others' commits whose trailers name the developer: Reviewed-by, Tested-by, Reported-by, Signed-off-by, Acked-by.",
  },
);
export type CreditFacts = Static<typeof CreditFacts>;
