/**
 * The fields of a profile. All interfaces are made from this table. To add a field, add a row here, put its name into the lists
 * below, and read its value in `src/ingest`.
 */
import {
  createAddressSchema,
  createCountSchema,
  createFactInstantSchema,
  createFactTextSchema,
  createForeignTextSchema,
} from "../field-schemas.ts";
import {
  createEnumSchema,
  createInstantSchema,
  getForeignKind,
  type Static,
  type TObject,
  type TOptional,
  type TSchema,
  Type,
} from "../schema.ts";

interface ProfileField {
  readonly fact: TSchema;
  /** The field's name in search results and profiles. Facts and analyses use the key of the row. */
  readonly wireName: string;
  readonly answer: TSchema;
  readonly analysis?: TSchema;
  /** How texts show the field, e.g. `company {}`. The value replaces `{}`. */
  readonly text?: string;
  /** The column in the CSV file of a search. Only fields of search results have one. */
  readonly csvColumn?: string;
  /** Where the page of a developer shows the field. Only fields of analyses are on that page. */
  readonly page?: "heading" | "line" | "paragraph" | { readonly link: string };
}

const profileFields = {
  name: {
    fact: createFactTextSchema("Display name."),
    wireName: "name",
    answer: createForeignTextSchema("Display name."),
    text: "{}",
    csvColumn: "name",
    page: "heading",
  },
  bio: {
    fact: createFactTextSchema("Self-description. Roles and skills named in it are weak evidence."),
    wireName: "bio",
    answer: createForeignTextSchema("Self-description in the profile."),
    text: "bio {}",
    page: "paragraph",
  },
  company: {
    fact: createFactTextSchema("Company, as the person wrote it."),
    wireName: "company",
    answer: createForeignTextSchema("Company, as in the profile."),
    text: "company {}",
    csvColumn: "company",
    page: "line",
  },
  location: {
    fact: createFactTextSchema("Location, as the person wrote it. The import finds its places."),
    wireName: "location",
    answer: createForeignTextSchema("Location, as in the profile."),
    text: "in {}",
    csvColumn: "location",
    page: "heading",
  },
  blog: {
    fact: createFactTextSchema("URL of a web page of the person."),
    wireName: "blog",
    answer: createAddressSchema("URL of a web page of the developer."),
    text: "blog {}",
    page: { link: "own page" },
  },
  socialUsername: {
    fact: createFactTextSchema("Handle on a social network, without @."),
    wireName: "social_username",
    answer: createForeignTextSchema("Handle on a social network."),
    text: "social name {}",
  },
  avatarUrl: {
    fact: createFactTextSchema("URL of a picture. Roster never fetches it."),
    wireName: "avatar_url",
    answer: createAddressSchema("URL of the picture."),
  },
  profileUrl: {
    fact: createFactTextSchema("URL of the profile on its forge."),
    wireName: "profile_url",
    answer: createAddressSchema("URL of the profile."),
    text: "profile {}",
    csvColumn: "profile page",
    page: { link: "profile on the forge" },
  },
  hireable: {
    fact: Type.Boolean({
      description: "Hireable flag that the person set; absent if unknown.",
    }),
    wireName: "hireable",
    answer: createEnumSchema(["Yes", "No"], "Hireable flag; absent if unknown."),
    analysis: Type.Boolean({ description: "Hireable flag; absent if unknown." }),
    text: "hireable {}",
  },
  followers: {
    fact: createCountSchema("Followers on the forge."),
    wireName: "followers",
    answer: createCountSchema("Followers on the platform."),
    text: "{} followers",
    csvColumn: "followers",
  },
  createdAt: {
    fact: createFactInstantSchema("Time when the account was created."),
    wireName: "created_at",
    answer: createInstantSchema("Time when the account was created (ISO 8601, UTC)."),
    text: "account made {}",
  },
  updatedAt: {
    fact: createFactInstantSchema("Time of the last profile change."),
    wireName: "updated_at",
    answer: createInstantSchema("Time of the last profile change (ISO 8601, UTC)."),
  },
} as const satisfies Record<string, ProfileField>;

type Fields = typeof profileFields;
type ProfileFieldName = keyof Fields;

/** The fields of a search result, in the order of stored cards. Add new fields at the end. */
export const searchFields = [
  ...(["name", "company", "location", "followers"] as const),
  ...(["bio", "profileUrl", "hireable"] as const),
] as const;

/** The fields that only profiles have, in the order of stored cards. */
export const profileOnlyFields = [
  ...(["blog", "socialUsername", "createdAt", "updatedAt", "avatarUrl"] as const),
] as const;

/** The fields of an analysis, in the order in which analyses are stored. `places` is between the two lists. */
export const analysisFields = {
  beforePlaces: ["name", "bio", "company", "location"],
  afterPlaces: ["blog", "profileUrl", "hireable", "followers", "createdAt"],
} as const;

type AnswerSchemas<Name extends ProfileFieldName> = {
  [Each in Name as Fields[Each]["wireName"]]: TOptional<Fields[Each]["answer"]>;
};
type AnalysisSchema<Field extends ProfileField> = Field extends {
  readonly analysis: infer Schema extends TSchema;
}
  ? Schema
  : Field["answer"];

const fieldOf = (name: ProfileFieldName): ProfileField => profileFields[name];

export const factSchemas = Object.fromEntries(
  Object.entries(profileFields).map(([name, { fact }]) => [name, Type.Optional(fact)]),
) as { [Name in ProfileFieldName]: TOptional<Fields[Name]["fact"]> };

type Profile = Static<TObject<typeof factSchemas>>;

export function createAnswerSchemas<Name extends ProfileFieldName>(names: readonly Name[]) {
  const entries = names.map((name) => {
    const { wireName, answer } = profileFields[name];
    return [wireName, Type.Optional(answer)];
  });
  return Object.fromEntries(entries) as AnswerSchemas<Name>;
}

export function createAnalysisSchemas<Name extends ProfileFieldName>(names: readonly Name[]) {
  const entries = names.map((name) => {
    const { analysis, answer } = fieldOf(name);
    return [name, Type.Optional(analysis ?? answer)];
  });
  return Object.fromEntries(entries) as {
    [Each in Name]: TOptional<AnalysisSchema<Fields[Each]>>;
  };
}

/** Picks the known fields, under their names in search results and profiles. Unknown fields are absent (decision 6). */
export function selectAnswerFields<Name extends ProfileFieldName>(
  profile: Profile,
  names: readonly Name[],
) {
  const picked: Record<string, unknown> = {};
  for (const name of names) {
    const value = profile[name];
    if (value === undefined) continue;
    picked[profileFields[name].wireName] =
      typeof value === "boolean" ? (value ? "Yes" : "No") : value;
  }
  return picked as Static<TObject<AnswerSchemas<Name>>>;
}

/** Picks the known fields, under their names in an analysis. */
export function selectAnalysisFields<Name extends ProfileFieldName>(
  profile: Profile,
  names: readonly Name[],
) {
  const picked: Record<string, unknown> = {};
  for (const name of names) if (profile[name] !== undefined) picked[name] = profile[name];
  return picked as Pick<Profile, Name>;
}

/** The columns in the CSV file of a search that show fields of a profile. */
export const csvColumns = searchFields.flatMap((name) => {
  const { csvColumn, wireName } = fieldOf(name);
  return csvColumn === undefined ? [] : [{ heading: csvColumn, field: wireName }];
});

type AnalysisProfile = Partial<Pick<Profile, (typeof pageFields)[number]>>;
const pageFields = [...analysisFields.beforePlaces, ...analysisFields.afterPlaces] as const;

/** Lists the texts that the page of a developer shows as lines or as paragraphs. */
export function listPageTexts(profile: AnalysisProfile, page: "line" | "paragraph"): string[] {
  const names = pageFields.filter((name) => fieldOf(name).page === page);
  return names.flatMap((name) => (profile[name] === undefined ? [] : [String(profile[name])]));
}

/** Lists the addresses that the page of a developer links to. */
export function listPageLinks(profile: AnalysisProfile) {
  return pageFields.flatMap((name) => {
    const { page } = fieldOf(name);
    const url = profile[name];
    return typeof page === "object" && url !== undefined ? [{ url: String(url), ...page }] : [];
  });
}

/**
 * Writes each known field of a search result or profile as a short text.
 * @param quote makes a text that others wrote safe to show.
 */
export function listFieldTexts(
  answer: Readonly<Record<string, unknown>>,
  names: readonly ProfileFieldName[],
  quote: (text: string) => string,
): string[] {
  return names.map(fieldOf).flatMap(({ text, wireName, answer: schema }) => {
    const value = answer[wireName];
    if (text === undefined || value === undefined) return [];
    const shown = getForeignKind(schema) ? quote(String(value)) : String(value);
    return [text.replace("{}", () => shown)];
  });
}
