/**
 * The schema library, through one interface: Elysia 2 moves to another package name,
 * and then this file is all that changes. `Type.*` only, never the framework's
 * coercing `t.*`: one object is validator, TypeScript type, OpenAPI and MCP schema.
 */

import { type TSchema, type TString, Type, TypeRegistry } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";

export { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
export { Value, ValueErrorType } from "@sinclair/typebox/value";

/** Enums are written `Type.Unsafe` with JSON Schema's `enum`; the compiled validators must be told how to check one. */
TypeRegistry.Set<TSchema>("Unsafe", (schema, value) => {
  const values: unknown = schema["enum"];
  if (!Array.isArray(values)) throw new Error("Type.Unsafe is for enums only.");
  return values.includes(value);
});

/**
 * On the schema of a text that others wrote: their words, an address (a URL, an e-mail) that they gave, or a
 * sentence of ours that has such words in it. A symbol, so that it is no part of the JSON Schema that callers read.
 */
const foreign: unique symbol = Symbol("foreign");
export type ForeignKind = "words" | "address" | "sentence";

/** The schema of a text that others wrote. */
export function createForeignText(kind: ForeignKind, description: string): TString {
  return Object.assign(Type.String({ description }), { [foreign]: kind });
}

/** @returns undefined for a text of ours, and for what is no text. */
export function getForeignKind(schema: object): ForeignKind | undefined {
  return (schema as { readonly [foreign]?: ForeignKind })[foreign];
}

/**
 * What a schema asks for, in words, where its keywords tell people too little; of an object, what its keys are. A
 * symbol, for the same reason.
 */
const rule: unique symbol = Symbol("rule");

export function addRule<Schema extends TSchema>(words: string, schema: Schema): Schema {
  return Object.assign(schema, { [rule]: words });
}

export function getRule(schema: object): string | undefined {
  return (schema as { readonly [rule]?: string })[rule];
}

const checkers = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** The compiled check of a schema, made when first asked for: a start that needs none pays for none. */
export function getChecker<Schema extends TSchema>(schema: Schema): TypeCheck<Schema> {
  let checker = checkers.get(schema);
  if (!checker) {
    checker = TypeCompiler.Compile<TSchema>(schema);
    checkers.set(schema, checker);
  }
  return checker as TypeCheck<Schema>;
}
