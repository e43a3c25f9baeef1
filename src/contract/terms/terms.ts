/** What a look-up asks and answers: ours, not the API document's (decision 32). */
import { limits } from "../limits.ts";
import { createCountSchema, createEnumSchema, createTextSchema } from "../people/developer.ts";
import { createRequestText } from "../requests.ts";
import { type Static, Type } from "../schema.ts";

export const termKinds = ["place", "skill", "role"] as const;
export type TermKind = (typeof termKinds)[number];

export const LookupRequest = Type.Object(
  {
    q: createRequestText("A name or its beginning, e.g. Ber, k8s, back."),
    kind: Type.Optional(createEnumSchema(termKinds, "Only terms of this kind; default all.")),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.termsMax,
        default: limits.termsDefault,
        description: `Terms at most, 1 to ${limits.termsMax}; default ${limits.termsDefault}.`,
      }),
    ),
  },
  { additionalProperties: false },
);
export type LookupRequest = Static<typeof LookupRequest>;

export const KnownTerm = Type.Object(
  {
    kind: createEnumSchema(
      termKinds,
      "Field of a search that takes the name: location, skills or role.",
    ),
    name: createTextSchema("Works as it stands in a search."),
    people: createCountSchema("How many of the pool a search for it alone is about."),
  },
  { additionalProperties: false },
);
export type KnownTerm = Static<typeof KnownTerm>;

export const LookupData = Type.Object(
  { terms: Type.Array(KnownTerm, { description: "Best first; empty when nothing is alike." }) },
  { additionalProperties: false },
);
export type LookupData = Static<typeof LookupData>;
