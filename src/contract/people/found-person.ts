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
    "Name or the beginnings of its words, also misspelled; a login, an account (github.com/ada) or an e-mail.",
  ),
  limit: createRangeSchema("Number of people", [1, limits.foundMax], limits.foundDefault),
  offset: createRangeSchema("Number of people to skip", [0, limits.offsetMax], 0),
});
export type FindRequest = Static<typeof FindRequest>;

export const FoundPerson = createComponent("FoundPerson", {
  login: createTextSchema("Current login."),
  matched: createEnumSchema(peopleKeys, "What the text matched; near means a similar name."),
  name: Type.Optional(createForeignTextSchema("Display name.")),
  otherNames: Type.Optional(createForeignTextListSchema("A name.", "Other names of the person.")),
  location: Type.Optional(createForeignTextSchema("Location, as in the profile.")),
  role: Type.Optional(createTextSchema("Best role; absent if its match is below 25.")),
});
export type FoundPerson = Static<typeof FoundPerson>;

export const FindData = createComponent("FindData", {
  total: createCountSchema("Number of all people found."),
  results: Type.Array(FoundPerson, { description: "People on this page, best match first." }),
});
export type FindData = Static<typeof FindData>;

export function describeMatch({ matched }: Pick<FoundPerson, "matched">): string {
  return matched === "near" ? "similar name" : `by ${matched}`;
}

/** Whether only people with a similar name, login or address were found. */
export function areOnlyNear({ results: [first] }: FindData): boolean {
  return first?.matched === "near";
}
