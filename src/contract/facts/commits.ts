import { addRule, type Static, Type } from "../schema.ts";

/** Amounts by UTC month, `{"2026-05": 3.5}`. Author dates; only months with something in them. */
export const ByMonth = addRule(
  "month of the form YYYY-MM",
  Type.Record(Type.String({ pattern: "^\\d{4}-(0[1-9]|1[0-2])$" }), Type.Number({ minimum: 0 }), {
    ...{ additionalProperties: false, description: "Amounts by UTC month, YYYY-MM." },
  }),
);
export type ByMonth = Static<typeof ByMonth>;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const day = (description: string) =>
  Type.String({
    pattern: "^\\d{4}-\\d{2}-\\d{2}$",
    description: `${description} UTC day, YYYY-MM-DD.`,
  });

/**
 * One developer's commits over all repositories, as definitions in docs/scoring.md count them:
 * each distinct commit once, merges and excluded ones left out. Absent: no source looked at commits.
 */
export const CommitFacts = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: "Counted commits, whole." }),
    volume: ByMonth,
    first: Type.Optional(day("First counted commit, by author date.")),
    last: Type.Optional(day("Last counted commit, by author date.")),
    semantic: Type.Object(
      {
        eligible: count("Commits whose subject was looked at."),
        matches: count("Those of the conventional form, e.g. feat: or fix(scope):."),
      },
      { additionalProperties: false, description: "Subjects of the conventional form." },
    ),
    quality: Type.Object(
      {
        n: count("Messages judged."),
        good: count("Those with four words or more and a reason, a reference or a body."),
        withBody: count("Those with a body."),
        withReference: count("Those that name an issue or another commit."),
        withReason: count("Those that say why."),
      },
      { additionalProperties: false, description: "Messages judged, and how many are good." },
    ),
    coAuthored: Type.Optional(
      Type.Integer({ minimum: 0, description: "Commits shared with another human." }),
    ),
    reviews: Type.Optional(count("Reviews of others' changes.")),
    mergedElsewhere: Type.Optional(
      Type.Integer({ minimum: 0, description: "Changes merged into others' repositories." }),
    ),
    excluded: Type.Optional(
      Type.Record(Type.String(), count("Commits."), {
        description:
          "Commits read and not counted, by reason: merge, duplicate, undated, future, disordered, capped, empty, whitespace, " +
          "generated, vendored, revert.",
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "Commits",
    description: "Over all repositories, each distinct commit once; absent when no source looked.",
  },
);
export type CommitFacts = Static<typeof CommitFacts>;
