import vocabulary from "../../seed/vocabulary/roles.txt" with { type: "text" };
import { createOptionalDay, createRangeSchema } from "./field-schemas.ts";
import { limits } from "./limits.ts";
import {
  addRule,
  createComponent,
  createEnumSchema,
  createObject,
  type Static,
  Type,
} from "./schema.ts";

/** Control characters, which texts in requests must not contain. */
const controls = "\\x00-\\x1F\\x7F-\\x9F";
/**
 * The pattern of a text that is not blank and has no control characters. All regex engines of clients understand its syntax.
 */
const textPattern = `^[^\\S${controls}]*[^\\s${controls}][^${controls}]*$`;

/** Creates the schema of a text that names a place, a role, a skill or a repository. */
export const createRequestText = (description: string) =>
  addRule(
    `a text of 1 to ${limits.textLengthMax} characters, not blank, without control characters`,
    Type.String({
      minLength: 1,
      maxLength: limits.textLengthMax,
      pattern: textPattern,
      description,
    }),
  );

/** Ids of the roles, in the order of the vocabulary. */
export const roles = [...vocabulary.matchAll(/^\[([a-z-]+) \|/gm)].map(([, id]) => id as string);

/** The figures by which a search can be sorted. `match` is the score. */
export const sortOrders = ["match", "activity", "followers", "experience"] as const;

const createYears = (what: string) => {
  const maximum = limits.experienceYearsMax;
  const description = `${what}, 0 to ${maximum}.`;
  return Type.Optional(Type.Number({ minimum: 0, maximum, description }));
};

export const SearchRequest = createComponent("SearchRequest", {
  location: createRequestText(
    "City, region, country or continent, e.g. Berlin; Austin, Texas; Bavaria; or worldwide for everybody. Remote is not a place.",
  ),
  role: Type.Optional(
    createRequestText(
      `One job role: ${roles.join(", ")}; or another name of one. Senior or junior is no filter; use years.`,
    ),
  ),
  skills: Type.Optional(
    Type.Array(createRequestText("A skill, e.g. React or k8s."), {
      maxItems: limits.skillsMax,
      description: `At most ${limits.skillsMax} skills, e.g. React or k8s; people need one of them, or all with strictSkills. Little evidence does not count.`,
    }),
  ),
  languages: Type.Optional(
    Type.Array(createRequestText("A programming language, e.g. Go."), {
      maxItems: limits.languagesMax,
      description: `At most ${limits.languagesMax} programming languages, e.g. Go; people need one of them.`,
    }),
  ),
  repositories: Type.Optional(
    Type.Array(createRequestText("A name, owner/name or forge/owner/name, e.g. acme/payments."), {
      maxItems: limits.repositoriesMax,
      description: `At most ${limits.repositoriesMax} repositories, e.g. acme/payments; people must have worked in one of them.`,
    }),
  ),
  minExperienceYears: createYears(
    "At least this many years on the platform (since the account or first commit)",
  ),
  maxExperienceYears: createYears("At most this many years"),
  company: Type.Optional(createRequestText("Company that the profile names, e.g. Acme.")),
  activeSince: createOptionalDay("Only people with a commit on this day or later"),
  isHireable: Type.Optional(
    Type.Boolean({ description: "Only people whose profile says that they are open to offers." }),
  ),
  strictSkills: Type.Optional(
    Type.Boolean({ description: "Require all skills, not one of them." }),
  ),
  maxResults: createRangeSchema("Results per page", [1, limits.resultsMax], limits.resultsDefault),
  offset: createRangeSchema("Results to skip, for the next page", [0, limits.offsetMax], 0),
  sort: Type.Optional(
    createEnumSchema(
      sortOrders,
      "Order, highest first: match (how well people fit; default), activity, followers or experience.",
    ),
  ),
  fields: Type.Optional(
    Type.Array(createRequestText("E.g. email."), {
      maxItems: limits.fieldsMax,
      description:
        "Only these fields of each result, e.g. name, email or score; login is always there. Default: all.",
    }),
  ),
});
export type SearchRequest = Static<typeof SearchRequest>;

/** The schema has no pattern, because the answer to a text that cannot be a login is `not_found` (decision 8). */
const Login = Type.String({
  minLength: 1,
  description: "Exact login, e.g. ada-example. For a name use find_people.",
});

export const GetRequest = createObject({ login: Login });

export const BatchRequest = createComponent("BatchRequest", {
  logins: Type.Array(Login, {
    minItems: 1,
    maxItems: limits.batchMax,
    description: `1 to ${limits.batchMax} logins.`,
  }),
});

export const AnalyzeRequest = createComponent("AnalyzeRequest", { username: Login });
export type AnalyzeRequest = Static<typeof AnalyzeRequest>;

/** The pattern of a login (decision 8). If two forges have the same login, the host follows: `ada@gitlab.com`. */
export const loginPattern = `^[A-Za-z0-9._-]{1,${limits.loginLengthMax}}(@[A-Za-z0-9.-]{1,${limits.loginLengthMax}})?$`;

const loginForm = new RegExp(loginPattern);

export function isLogin(text: string): boolean {
  return loginForm.test(text);
}
