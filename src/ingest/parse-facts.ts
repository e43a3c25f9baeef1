import { Facts } from "../contract/facts/facts.ts";
import { toPrintable } from "../contract/foreign-text.ts";
import { findNearest } from "../contract/nearest.ts";
import { getChecker, type TSchema, ValueErrorType } from "../contract/schema.ts";
import type { RejectedLine } from "./refusal.ts";

type Complaint = Omit<RejectedLine, "line">;

/**
 * One line's text as facts.
 *
 * @package
 * @returns the facts, or what is wrong with them in words: the field, the rule and what stands there.
 */
export function parseFacts(text: string): { facts: Facts } | { complaint: Complaint } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { complaint: { reason: notJson(text, error) } };
  }
  const complaint = getChecker(Facts).Check(value) ? badContent(value) : schemaComplaint(value);
  if (!complaint) return { facts: value as Facts };
  const login = (value as { login?: unknown } | null)?.login;
  return {
    complaint: typeof login === "string" ? { login: short(login), ...complaint } : complaint,
  };
}

function notJson(text: string, error: unknown): string {
  const trimmed = text.trim();
  if (trimmed === "[" || trimmed === "]") {
    return "is part of a JSON list; each developer must be one line of its own (jq -c '.[]' makes them)";
  }
  const reason = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : "";
  return `is not JSON: ${short(reason)}`;
}

function schemaComplaint(value: unknown): Complaint {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { reason: `must be a JSON object, got ${named(value)}` };
  }
  const error = getChecker(Facts).Errors(value).First();
  if (!error) throw new Error("The check refused a value of which it has no complaint.");
  const field = fieldName(error.path);
  if (error.type === ValueErrorType.ObjectRequiredProperty) return { field, reason: "is required" };
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    return { field, reason: unknownField(error.path, error.schema) };
  }
  return { field, reason: `must be ${ruleInWords(error.schema)}, got ${named(error.value)}` };
}

function unknownField(path: string, parent: TSchema): string {
  const known = Object.keys((parent["properties"] as object | undefined) ?? {});
  if (known.length === 0) return "is no month of the form YYYY-MM";
  const name = unescaped(path.split("/").at(-1) ?? "");
  const meant = findNearest(name, known);
  return meant
    ? `is unknown; did you mean "${meant}"?`
    : `is unknown; known are ${known.join(", ")}`;
}

function ruleInWords(rule: TSchema): string {
  if (Array.isArray(rule["enum"])) return `one of ${rule["enum"].join(", ")}`;
  const { minimum, maxLength, maxItems, minItems, pattern } = rule;
  switch (rule["type"]) {
    case "integer":
      return `a whole number from ${minimum ?? 0}`;
    case "number":
      return `a number from ${minimum ?? 0}`;
    case "boolean":
      return "true or false";
    case "object":
      return "an object";
    case "array":
      return minItems ? `a list of at least ${minItems}` : `a list of at most ${maxItems}`;
    default:
      return pattern ? `a text of the form ${pattern}` : `a text of 1 to ${maxLength} characters`;
  }
}

/** What the schema cannot say: days that no calendar has, and characters that break logs and terminals. */
function badContent(facts: Facts): Complaint | undefined {
  return complaintIn(facts, "");
}

const dayForm = /^\d{4}-\d{2}-\d{2}(T|$)/;
const dayFields = /(^|\.)(first|last|firstCommit|lastCommit|createdAt|updatedAt|pushedAt)$/;

function complaintIn(value: unknown, field: string): Complaint | undefined {
  if (typeof value === "string") return textComplaint(value, field);
  if (typeof value !== "object" || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === "number" || typeof entry === "boolean") continue;
    const inner = isList ? `${field}[${key}]` : field ? `${field}.${key}` : key;
    const complaint = complaintIn(entry, inner);
    if (complaint) return complaint;
  }
  return undefined;
}

function textComplaint(text: string, field: string): Complaint | undefined {
  if (!text.isWellFormed()) return { field, reason: "holds half a surrogate pair" };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) {
    return { field, reason: "holds control characters" };
  }
  if (dayFields.test(field) && dayForm.test(text) && !isDay(text)) {
    return { field, reason: `is no date: ${short(text)}` };
  }
  return undefined;
}

function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10));
}

/** `/repositories/3/stars` as people write it: `repositories[3].stars`. */
function fieldName(path: string): string {
  return unescaped(
    path
      .slice(1)
      .replace(/\/(\d+)(?=\/|$)/g, "[$1]")
      .replaceAll("/", "."),
  ).slice(0, 200);
}

const unescaped = (pointer: string) => pointer.replaceAll("~1", "/").replaceAll("~0", "~");

function named(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? `"${short(value)}"` : String(value);
}

function short(text: string): string {
  return text.length > 60 ? `${toPrintable(text.slice(0, 60))}...` : toPrintable(text);
}
