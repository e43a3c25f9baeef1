import vocabulary from "../../seed/vocabulary/roles.txt" with { type: "text" };
import { createRangeSchema } from "./field-schemas.ts";
import { limits } from "./limits.ts";
import {
  addRule,
  createComponent,
  createDaySchema,
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

export const SearchRequest = createComponent("SearchRequest", {
  location: createRequestText(
    "City, region or country, e.g. Berlin; Austin, Texas; Bavaria; or worldwide for everybody. Remote is not a place.",
  ),
  role: Type.Optional(createRequestText(`One of ${roles.join(", ")}; or another role name.`)),
  skills: Type.Optional(
    Type.Array(createRequestText("A skill, e.g. React or k8s."), {
      maxItems: limits.skillsMax,
      description: `At most ${limits.skillsMax} skills; one must match, or all with strictSkills. Weak evidence does not match.`,
    }),
  ),
  languages: Type.Optional(
    Type.Array(createRequestText("A programming language, e.g. Go."), {
      maxItems: limits.languagesMax,
      description: `At most ${limits.languagesMax} programming languages; one must match.`,
    }),
  ),
  repositories: Type.Optional(
    Type.Array(createRequestText("A name, owner/name or forge/owner/name, e.g. acme/payments."), {
      maxItems: limits.repositoriesMax,
      description: `At most ${limits.repositoriesMax} repositories; the developer must have worked in one.`,
    }),
  ),
  minExperienceYears: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: limits.experienceYearsMax,
      description: `Minimum years on the platform (platform_experience), 0 to ${limits.experienceYearsMax}.`,
    }),
  ),
  activeSince: Type.Optional(
    addRule("a day as YYYY-MM-DD", createDaySchema("Only developers active on this day or later.")),
  ),
  isHireable: Type.Optional(Type.Boolean({ description: "Only developers marked hireable." })),
  strictSkills: Type.Optional(Type.Boolean({ description: "Require all listed skills." })),
  maxResults: createRangeSchema("Results per page", [1, limits.resultsMax], limits.resultsDefault),
  offset: createRangeSchema("Results to skip", [0, limits.offsetMax], 0),
});
export type SearchRequest = Static<typeof SearchRequest>;

/** The schema has no pattern, because the answer to a text that cannot be a login is `not_found` (decision 8). */
const Login = Type.String({ minLength: 1, description: "Platform login, e.g. ada-example." });

export const GetRequest = createObject({ login: Login });
export type GetRequest = Static<typeof GetRequest>;

export const AnalyzeRequest = createComponent("AnalyzeRequest", { username: Login });
export type AnalyzeRequest = Static<typeof AnalyzeRequest>;

/** The pattern of a login (decision 8). If two forges have the same login, the host follows: `ada@gitlab.com`. */
export const loginPattern = `^[A-Za-z0-9._-]{1,${limits.loginLengthMax}}(@[A-Za-z0-9.-]{1,${limits.loginLengthMax}})?$`;

const loginForm = new RegExp(loginPattern);

export function isLogin(text: string): boolean {
  return loginForm.test(text);
}
