/** Schemas of the fields that facts and answers are made of. */
import {
  addRule,
  createDaySchema,
  createForeignText,
  type TInteger,
  type TRecord,
  type TString,
  Type,
} from "./schema.ts";

export const createTextSchema = (description: string) => Type.String({ description });
/** Creates the schema of a text that others wrote, such as a bio or the name of a repository. */
export const createForeignTextSchema = (description: string) =>
  createForeignText("words", description);
export const createAddressSchema = (description: string) =>
  createForeignText("address", description);
/** Creates the schema of a sentence by Roster that contains foreign text, such as names of repositories. */
export const createSentenceSchema = (description: string) =>
  createForeignText("sentence", description);
export const createSentencesSchema = (description: string) =>
  Type.Array(createSentenceSchema("One sentence."), { description });
export const createTextListSchema = (description: string) =>
  Type.Array(Type.String(), { description });
export const createForeignTextListSchema = (each: string, description: string) =>
  Type.Array(createForeignTextSchema(each), { description });
export const createCountSchema = (description: string) => Type.Integer({ minimum: 0, description });
/** Creates the schema of counts by name. The names have no pattern, because generators of clients do not support one. */
export const createCountsSchema = (description: string) =>
  Type.Object(
    {},
    { additionalProperties: Type.Integer({ minimum: 0 }), description },
  ) as unknown as TRecord<TString, TInteger>;
export const createAmountSchema = (description: string) => Type.Number({ minimum: 0, description });
export const createShareSchema = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, description });
export const createPercentageSchema = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description });
export const createComponentSchema = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 100, description });

export const createFactTextSchema = (description: string) =>
  Type.String({ minLength: 1, maxLength: 10_000, description });
export const createFactDaySchema = (description: string) =>
  Type.String({
    pattern: "^\\d{4}-\\d{2}-\\d{2}$",
    description: `${description} UTC day, YYYY-MM-DD.`,
  });
export const createFactInstantSchema = (description: string) =>
  Type.String({
    pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$",
    description: `${description} ISO 8601 in UTC.`,
  });

/** Creates the schema of an optional day of a request. The description says its form, because tools leave out formats. */
export const createOptionalDay = (what: string) =>
  Type.Optional(addRule("a day as YYYY-MM-DD", createDaySchema(`${what}, YYYY-MM-DD.`)));

/** Creates the schema of an optional whole number. The description says its bounds and its default. */
export const createRangeSchema = (
  what: string,
  [minimum, maximum]: readonly [minimum: number, maximum: number],
  otherwise: number,
) => {
  const description = `${what}, ${minimum} to ${maximum}; default: ${otherwise}.`;
  return Type.Optional(Type.Integer({ minimum, maximum, description }));
};
