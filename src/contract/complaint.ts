/** Writes error messages about wrong values. */
import { distance } from "fastest-levenshtein";
import { toPrintable } from "./foreign-text.ts";
import { getRule, type TSchema, Value, ValueErrorType } from "./schema.ts";

/** The first way in which a value breaks its schema. */
interface Violation {
  /** Path of the field, e.g. `repositories[3].stars`; empty for the value itself. */
  readonly field: string;
  readonly rule: string;
  /** What is wrong, e.g. `is required`. */
  readonly reason: string;
}

/** Finds the first way in which a value breaks its schema. */
export function findViolation(
  schema: TSchema,
  value: unknown,
  { allowsUnknown = false } = {},
): Violation | undefined {
  const allowed = allowsUnknown && ValueErrorType.ObjectAdditionalProperties;
  const error = Iterator.from(Value.Errors(schema, value)).find(({ type }) => type !== allowed);
  if (!error) return undefined;
  const field = fieldName(error.path);
  const rule = describeRule(error.schema);
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return { field, rule, reason: "is required" };
    case ValueErrorType.ObjectAdditionalProperties:
      return { field, rule, reason: unknownField(error.path, error.schema) };
    default:
      return { field, rule, reason: describeMismatch(rule, error.value) + suggestChoice(error) };
  }
}

/** @param rule describes valid values, e.g. `a whole number from 1 to 100`. */
export function describeMismatch(rule: string, value: unknown): string {
  return `must be ${rule}, got ${describeValue(value)}`;
}

export function describeWholeNumber(min: number, max?: number): string {
  return `a whole number from ${min}${max === undefined ? "" : ` to ${max}`}`;
}

export function describeChoice(words: readonly string[]): string {
  return `one of ${words.join(", ")}`;
}

/** @param meant the known name to suggest. @param otherwise the hint that replaces the suggestion if `meant` is undefined. */
export function describeUnknown(
  kind: string,
  name: string,
  meant: string | undefined,
  otherwise = "",
): string {
  return `unknown ${kind} "${name}"${suggestion(meant, otherwise)}`;
}

export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? `"${cutText(value)}"` : String(value);
}

export function cutText(text: string): string {
  return text.length > 60 ? `${toPrintable(text.slice(0, 60))}...` : toPrintable(text);
}

/**
 * Finds the name that was most likely meant, ignoring case.
 * @returns undefined if no candidate is similar enough: "dba" is too different from "data".
 */
export function findNearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  const third = Math.max(2, Math.floor(wanted.length / 3));
  let bestDistance = Math.min(third, Math.ceil(wanted.length / 2) - 1) + 1;
  for (const candidate of candidates) {
    const given = candidate.toLowerCase();
    // Letters in the wrong order count as a single typing error.
    const isSwapped = given.length === wanted.length && sortLetters(given) === sortLetters(wanted);
    const edits = isSwapped ? 1 : distance(wanted, given);
    if (edits < bestDistance) {
      best = candidate;
      bestDistance = edits;
    }
  }
  return best;
}

const sortLetters = (text: string) => [...text].sort().join("");

function suggestion(meant: string | undefined, otherwise: string): string {
  const help = meant === undefined ? otherwise : `did you mean "${meant}"?`;
  return help && `; ${help}`;
}

function suggestChoice({ schema, value }: { readonly schema: TSchema; readonly value: unknown }) {
  if (!Array.isArray(schema["enum"]) || typeof value !== "string") return "";
  return suggestion(findNearest(value, schema["enum"]), "");
}

function unknownField(path: string, parent: TSchema): string {
  const known = Object.keys((parent["properties"] as object | undefined) ?? {});
  if (known.length === 0) return `is no ${getRule(parent) ?? "known name"}`;
  const meant = findNearest(unescapePointer(path.split("/").at(-1) ?? ""), known);
  return `is unknown${suggestion(meant, `known are ${known.join(", ")}`)}`;
}

export function describeRule(schema: TSchema): string {
  if (schema["type"] === "object") return "an object";
  const words = getRule(schema);
  if (words !== undefined) return words;
  if (Array.isArray(schema["enum"])) return describeChoice(schema["enum"]);
  const { minimum, exclusiveMinimum, maximum, maxLength, maxItems, minItems, pattern } = schema;
  switch (schema["type"]) {
    case "integer":
      return describeWholeNumber(minimum ?? 0, maximum);
    case "number": {
      const from = exclusiveMinimum === undefined ? `from ${minimum ?? 0}` : "above 0";
      return `a number ${from}${maximum === undefined ? "" : ` to ${maximum}`}`;
    }
    case "boolean":
      return "true or false";
    case "array":
      if (minItems) return `a list of at least ${minItems}`;
      return `a list of at most ${maxItems}${schema["items"]?.type === "string" ? " texts" : ""}`;
    default:
      if (pattern) return `a text of the form ${pattern}`;
      return maxLength ? `a text of 1 to ${maxLength} characters` : "a text, not empty";
  }
}

/** Turns `/repositories/3/stars` into `repositories[3].stars`. */
function fieldName(path: string): string {
  const dotted = path
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, "[$1]")
    .replaceAll("/", ".");
  return unescapePointer(dotted).slice(0, 200);
}

const unescapePointer = (pointer: string) => pointer.replaceAll("~1", "/").replaceAll("~0", "~");
