/** The only file that imports the schema library. Use `Type.*`, never the framework's `t.*`, which converts values. */
import {
  FormatRegistry,
  type TProperties,
  type TSchema,
  type TString,
  Type,
  TypeRegistry,
} from "@sinclair/typebox";

export {
  type Static,
  type TInteger,
  type TObject,
  type TOptional,
  type TProperties,
  type TRecord,
  type TSchema,
  type TString,
  Type,
} from "@sinclair/typebox";
export { Value, ValueErrorType } from "@sinclair/typebox/value";

/** Teaches the library to check enums, which are written as `Type.Unsafe` with `enum`. */
TypeRegistry.Set<TSchema>("Unsafe", (schema, value) => {
  const values: unknown = schema["enum"];
  if (!Array.isArray(values)) throw new Error("Type.Unsafe is for enums only.");
  return values.includes(value);
});

/** Defines the formats of days and instants. */
FormatRegistry.Set("date", (text) => {
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // The comparison refuses the 30th of February, which `Date.parse` reads as a day in March.
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
});
FormatRegistry.Set("date-time", (text) => /T/.test(text) && !Number.isNaN(Date.parse(text)));

/** Creates the schema of a choice between texts. */
export function createEnumSchema<const T extends readonly string[]>(
  values: T,
  description: string,
) {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], description });
}

export const createDaySchema = (description: string) =>
  Type.String({ format: "date", description });
export const createInstantSchema = (description: string) =>
  Type.String({ format: "date-time", description });

/** Key that marks the schema of a text with words of others. Symbols are not part of the JSON Schema. */
const foreign: unique symbol = Symbol("foreign");
export type ForeignKind = "words" | "address" | "sentence";

export function createForeignText(kind: ForeignKind, description: string): TString {
  return Object.assign(Type.String({ description }), { [foreign]: kind });
}

/** @returns the kind of foreign text. Undefined means that Roster wrote the text. */
export function getForeignKind(schema: object): ForeignKind | undefined {
  return (schema as { readonly [foreign]?: ForeignKind })[foreign];
}

/** Key of a schema's rule in words, e.g. `a day as YYYY-MM-DD`. Symbols are not part of the JSON Schema. */
const rule: unique symbol = Symbol("rule");

export function addRule<Schema extends TSchema>(words: string, schema: Schema): Schema {
  return Object.assign(schema, { [rule]: words });
}

export function getRule(schema: object): string | undefined {
  return (schema as { readonly [rule]?: string })[rule];
}

/** Key of a schema's name in the OpenAPI document. Symbols are not part of the JSON Schema. */
const componentName: unique symbol = Symbol("componentName");

export const markComponent = (name: string): object => ({ [componentName]: name });

export const createObject = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });
export const createDescribedObject = <Fields extends TProperties>(
  description: string,
  fields: Fields,
) => Type.Object(fields, { additionalProperties: false, description });
/** @param title the title of the object in the published JSON Schema of facts. */
export const createTitledObject = <Fields extends TProperties>(
  title: string,
  fields: Fields,
  description?: string,
) =>
  Type.Object(fields, { additionalProperties: false, title, ...(description && { description }) });
export const createRowsSchema = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Array(createObject(fields), { description });
export const createComponent = <Fields extends TProperties>(
  name: string,
  fields: Fields,
  description?: string,
) =>
  Type.Object(fields, {
    additionalProperties: false,
    ...markComponent(name),
    ...(description !== undefined && { description }),
  });

export function getComponentName(schema: object): string | undefined {
  return (schema as { readonly [componentName]?: string })[componentName];
}
