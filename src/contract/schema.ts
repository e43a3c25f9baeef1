/**
 * The only file that imports the schema library: Elysia 2 moves to another package name,
 * and then only this file changes. Use `Type.*`, never the framework's coercing `t.*`:
 * one object is validator, TypeScript type, OpenAPI and MCP schema.
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

/** Enums are `Type.Unsafe` with JSON Schema's `enum`; this teaches the compiled validators to check one. */
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

/** Creates the schema of one of a fixed list of texts, as `enum`: generated clients mishandle a choice of constants. */
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
 * Tags the schema of a text that others wrote: their words, an address (a URL, an e-mail) that they gave, or a
 * sentence of ours that contains such words. A symbol, so that it is not part of the JSON Schema that callers read.
 */
const foreign: unique symbol = Symbol("foreign");
export type ForeignKind = "words" | "address" | "sentence";

export function createForeignText(kind: ForeignKind, description: string): TString {
  return Object.assign(Type.String({ description }), { [foreign]: kind });
}

/** @returns undefined for a text of our own, and for anything that is not a text. */
export function getForeignKind(schema: object): ForeignKind | undefined {
  return (schema as { readonly [foreign]?: ForeignKind })[foreign];
}

/**
 * A schema's rule in words, where its keywords say too little; for an object, what its keys are. A symbol for the
 * same reason.
 */
const rule: unique symbol = Symbol("rule");

export function addRule<Schema extends TSchema>(words: string, schema: Schema): Schema {
  return Object.assign(schema, { [rule]: words });
}

export function getRule(schema: object): string | undefined {
  return (schema as { readonly [rule]?: string })[rule];
}

/** The name of a schema among the components of the OpenAPI document, which then refers to it. A symbol, too. */
const componentName: unique symbol = Symbol("componentName");

/** An option of the schema. */
export const markComponent = (name: string): object => ({ [componentName]: name });

/** Creates the schema of an object that has these fields and no others. */
export const createObject = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });
export const createDescribedObject = <Fields extends TProperties>(
  description: string,
  fields: Fields,
) => Type.Object(fields, { additionalProperties: false, description });
/** Of an object that the OpenAPI document lists among its components. */
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
