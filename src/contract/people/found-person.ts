/** The request and answer of `find_people`, which is not in the API document (decision 32). */
import {
  createCountSchema,
  createForeignTextListSchema,
  createForeignTextSchema,
  createRangeSchema,
  createTextSchema,
} from "../field-schemas.ts";
import { limits } from "../limits.ts";
import { createRequestText } from "../requests.ts";
import { createComponent, createEnumSchema, type Static, Type } from "../schema.ts";

const peopleKeys = ["login", "former login", "account", "e-mail", "name", "near"] as const;
export type PeopleKey = (typeof peopleKeys)[number];

export const FindRequest = createComponent("FindRequest", {
  text: createRequestText(
    "A name or beginnings of its words, a login, github.com/login or an e-mail.",
  ),
  limit: createRangeSchema("People", [1, limits.foundMax], limits.foundDefault),
  offset: createRangeSchema("People to skip", [0, limits.offsetMax], 0),
});
export type FindRequest = Static<typeof FindRequest>;

export const FoundPerson = createComponent("FoundPerson", {
  login: createTextSchema("Current login."),
  matched: createEnumSchema(peopleKeys, "What the text is, begins or is near."),
  name: Type.Optional(createForeignTextSchema("Display name.")),
  otherNames: Type.Optional(createForeignTextListSchema("One.", "Other names.")),
  location: Type.Optional(createForeignTextSchema("As the profile says.")),
  role: Type.Optional(createTextSchema("The best; absent below a match of 25.")),
});
export type FoundPerson = Static<typeof FoundPerson>;

export const FindData = createComponent("FindData", {
  total: createCountSchema("All whom the text finds."),
  results: Type.Array(FoundPerson, { description: "This page, best match first." }),
});
export type FindData = Static<typeof FindData>;

export function describeMatch({ matched }: Pick<FoundPerson, "matched">): string {
  return matched === "near" ? "similar name" : `by ${matched}`;
}

/** Whether only people with a similar name, login or address were found. */
export function areOnlyNear({ results: [first] }: FindData): boolean {
  return first?.matched === "near";
}
