import { type Static, Type } from "../schema.ts";

/** Amounts by UTC month, `{"2026-05": 3.5}`. Author dates; only months with something in them. */
export const ByMonth = Type.Record(
  Type.String({ pattern: "^\\d{4}-(0[1-9]|1[0-2])$" }),
  Type.Number({ minimum: 0 }),
  { additionalProperties: false, description: "Amounts by UTC month, YYYY-MM." },
);
export type ByMonth = Static<typeof ByMonth>;

const Count = Type.Integer({ minimum: 0 });
const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });

/**
 * One developer's commits over all repositories, as definitions in docs/scoring.md count them:
 * each distinct commit once, merges and excluded ones left out. Absent: no source looked at commits.
 */
export const CommitFacts = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: "Counted commits, whole." }),
    volume: ByMonth,
    first: Type.Optional(Day),
    last: Type.Optional(Day),
    semantic: Type.Object(
      { eligible: Count, matches: Count },
      { additionalProperties: false, description: "Subjects of the conventional form." },
    ),
    quality: Type.Object(
      { n: Count, good: Count, withBody: Count, withReference: Count, withReason: Count },
      { additionalProperties: false, description: "Messages judged, and how many are good." },
    ),
    coAuthored: Type.Optional(
      Type.Integer({ minimum: 0, description: "Commits shared with another human." }),
    ),
    reviews: Type.Optional(Count),
    mergedElsewhere: Type.Optional(
      Type.Integer({ minimum: 0, description: "Changes merged into others' repositories." }),
    ),
    excluded: Type.Optional(
      Type.Record(Type.String(), Count, {
        description:
          "Commits read and not counted, by reason: merge, duplicate, future, capped, empty, generated, vendored, revert.",
      }),
    ),
  },
  { additionalProperties: false },
);
export type CommitFacts = Static<typeof CommitFacts>;
