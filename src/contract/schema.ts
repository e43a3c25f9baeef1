/**
 * The only file that imports the schema library. Use `Type.*`, never the framework's `t.*`, which converts values. One object is the
 * validator, the TypeScript type, and the schema for OpenAPI and MCP.
 */

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

/** Teaches the library to check enums, which are `Type.Unsafe` with `enum`. */
TypeRegistry.Set<TSchema>("Unsafe", (schema, value) => {
  const values: unknown = schema["enum"];
  if (!Array.isArray(values)) throw new Error("Type.Unsafe is for enums only.");
  return values.includes(value);
});

/** A day that is in the calendar; and an instant, which only answers hold. */
FormatRegistry.Set("date", (text) => {
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // The 30th of February is read as a day of March.
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
});
FormatRegistry.Set("date-time", (text) => /T/.test(text) && !Number.isNaN(Date.parse(text)));

/** Creates the schema of a fixed list of texts, as `enum`: generated clients mishandle a union of constants. */
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

/**
 * Tags the schema of a text that others wrote: their words, an address, or a sentence of Roster that contains such words. A symbol, so
 * that it is not part of the JSON Schema.
 */
const foreign: unique symbol = Symbol("foreign");
export type ForeignKind = "words" | "address" | "sentence";

export function createForeignText(kind: ForeignKind, description: string): TString {
  return Object.assign(Type.String({ description }), { [foreign]: kind });
}

/** @returns undefined for everything else. */
export function getForeignKind(schema: object): ForeignKind | undefined {
  return (schema as { readonly [foreign]?: ForeignKind })[foreign];
}

/** A schema's rule in words, if its keywords say too little; for an object, what its keys are. A symbol, too. */
const rule: unique symbol = Symbol("rule");

export function addRule<Schema extends TSchema>(words: string, schema: Schema): Schema {
  return Object.assign(schema, { [rule]: words });
}

export function getRule(schema: object): string | undefined {
  return (schema as { readonly [rule]?: string })[rule];
}

/** The name of a schema among the components of the OpenAPI document. A symbol, too. */
const componentName: unique symbol = Symbol("componentName");

export const markComponent = (name: string): object => ({ [componentName]: name });

export const createObject = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });
export const createDescribedObject = <Fields extends TProperties>(
  description: string,
  fields: Fields,
) => Type.Object(fields, { additionalProperties: false, description });
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
