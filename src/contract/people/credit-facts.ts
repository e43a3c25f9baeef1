/** Facts about the developer's part in other people's work, such as reviews, and about commits with an AI assistant. */
import { createCountSchema, createFactDaySchema } from "../field-schemas.ts";
import {
  addRule,
  createDescribedObject,
  createTitledObject,
  type Static,
  Type,
} from "../schema.ts";

/** Amounts by UTC month of the author date, such as `{"2026-05": 3.5}`. Months with 0 are left out. */
export const ByMonth = addRule(
  "month of the form YYYY-MM",
  Type.Record(Type.String({ pattern: "^\\d{4}-(0[1-9]|1[0-2])$" }), Type.Number({ minimum: 0 }), {
    ...{ additionalProperties: false, description: "Amounts by UTC month, YYYY-MM." },
  }),
);
export type ByMonth = Static<typeof ByMonth>;

/** The counted commits that say that an AI assistant took part. */
export const AssistedFacts = createDescribedObject(
  "Counted commits that say that an AI assistant took part. Most assistance leaves no mark.",
  {
    total: createCountSchema("Number of these commits."),
    volume: ByMonth,
    agents: Type.Record(
      Type.String({ minLength: 1, maxLength: 60 }),
      createCountSchema("Commits."),
      { description: "Number of commits by id of the assistant, e.g. claude, copilot." },
    ),
  },
);

/** The counted commits with a note saying that no AI assistant wrote a line. */
export const UnassistedFacts = createDescribedObject(
  "Counted commits with a note that no AI assistant wrote a line. This is stated, not proved.",
  { total: createCountSchema("Number of these commits."), volume: ByMonth },
);

const Credit = createTitledObject("Credit", {
  count: createCountSchema("Commits or changes of others."),
  first: createFactDaySchema("Day of the first."),
  last: createFactDaySchema("Day of the last."),
});

/** Credit from other people: trailers such as `Reviewed-by` that name the developer, and the developer's reviews on forges. */
export const CreditFacts = createTitledObject(
  "Credits",
  {
    reviewed: Type.Optional(Credit),
    tested: Type.Optional(Credit),
    reported: Type.Optional(Credit),
    signedOff: Type.Optional(Credit),
    acked: Type.Optional(Credit),
    approved: Type.Optional(Credit),
    changesRequested: Type.Optional(Credit),
  },
  "Others' commits whose trailers name the developer: Reviewed-by, Tested-by, Reported-by, Signed-off-by, Acked-by; " +
    "and others' changes on forges that the developer approved, or asked to change.",
);
export type CreditFacts = Static<typeof CreditFacts>;

/** @returns the word for what is counted: `commit`, `commits`, `change` or `changes`. */
export function formatCreditedWork(kind: keyof CreditFacts, count: number): string {
  const isOfForge = kind === "approved" || kind === "changesRequested";
  return `${isOfForge ? "change" : "commit"}${count === 1 ? "" : "s"}`;
}
