import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import {
  cutText,
  describeUnknown,
  describeValue,
  findNearest,
  findViolation,
} from "./complaint.ts";
import { createInvalidRequest } from "./problem.ts";
import { type Static, type TObject, type TSchema, Value } from "./schema.ts";

/**
 * Checks a caller's input against the schema of an operation. No value is converted or dropped (decisions 4, 5).
 * @throws Problem `invalid_request`, which names the field and what is wrong.
 */
export function readInput<Schema extends TObject>(schema: Schema, raw: unknown): Static<Schema> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw createInvalidRequest(`the body must be a JSON object, got ${describeValue(raw)}`);
  }
  const fields = withOneLogin(schema, raw as Record<string, unknown>);
  refuseUnknownFields(schema, fields);
  if (!check(schema, fields)) {
    const wrong = findViolation(schema, fields);
    throw createInvalidRequest(
      wrong ? `${wrong.field} ${wrong.reason}` : "the request is not well formed",
    );
  }
  refuseLoneSurrogates(fields);
  return fields as Static<Schema>;
}

/** The compiled check of each schema. A schema is compiled at its second use. Until then, its entry is null. */
const compiled = new WeakMap<TSchema, TypeCheck<TSchema> | null>();

/** A schema is compiled at its second use, because the first call must not wait for the compilation. */
function check(schema: TSchema, value: unknown): boolean {
  const known = compiled.get(schema);
  if (known) return known.Check(value);
  compiled.set(schema, known === null ? TypeCompiler.Compile(schema) : null);
  return Value.Check(schema, value);
}

/** Parses the value of a flag or query parameter. An invalid number stays a text, which `readInput` refuses. */
export function parseFieldText(schema: TSchema | undefined, text: string): string | number {
  const isNumber = schema?.["type"] === "integer" || schema?.["type"] === "number";
  return isNumber && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

/** The second name of each login field. Every interface accepts both names (decision 8). */
export const otherLoginName: Readonly<Record<string, string>> = {
  login: "username",
  username: "login",
};

function withOneLogin(schema: TObject, raw: Record<string, unknown>): Record<string, unknown> {
  const own = "login" in schema.properties ? "login" : "username";
  const other = otherLoginName[own] as string;
  if (!(own in schema.properties) || !Object.hasOwn(raw, other)) return raw;
  const { [other]: value, ...rest } = raw;
  if (Object.hasOwn(raw, own) && raw[own] !== value) {
    throw createInvalidRequest(
      "login and username name two different developers; send one of them",
    );
  }
  return { ...rest, [own]: value };
}

function refuseUnknownFields(schema: TObject, fields: Record<string, unknown>): void {
  for (const field of Object.keys(fields)) {
    if (Object.hasOwn(schema.properties, field)) continue;
    const known = Object.keys(schema.properties);
    const meant = findNearest(field, known);
    const otherwise = `known fields: ${known.join(", ")}`;
    throw createInvalidRequest(describeUnknown("field", cutText(field), meant, otherwise));
  }
}

const isWellFormed = (value: unknown) => typeof value !== "string" || value.isWellFormed();

/** Refuses texts that are not valid Unicode because of a lone surrogate such as `\ud800`. */
function refuseLoneSurrogates(fields: Record<string, unknown>): void {
  for (const field of Object.keys(fields)) {
    const value = fields[field];
    if (Array.isArray(value) ? value.every(isWellFormed) : isWellFormed(value)) continue;
    throw createInvalidRequest(`${field} must be valid Unicode, without lone surrogates`);
  }
}
