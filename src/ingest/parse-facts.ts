import { cutText, describeMismatch, findViolation } from "../contract/complaint.ts";
import { OversizedJson, parseForeignJson } from "../contract/foreign-json.ts";
import { Facts } from "../contract/people/facts.ts";
import { type TSchema, Value } from "../contract/schema.ts";
import type { LineComplaint } from "./refusal.ts";

/** @package Parses a line of JSONL. @returns the facts, or a complaint about the line. */
export function parseFacts(text: string): { facts: Facts } | { complaint: LineComplaint } {
  const line = parseObject(text);
  if ("reason" in line) return { complaint: line };
  const { object } = line;
  const complaint = findWrongContent(Facts, object);
  if (!complaint) return { facts: object as Facts };
  const { login } = object as { login?: unknown };
  return {
    complaint: typeof login === "string" ? { login: cutText(login), ...complaint } : complaint,
  };
}

/** @package @returns the object that the line contains, or why there is none. */
export function parseObject(text: string): { readonly object: object } | { reason: string } {
  try {
    const object = parseForeignJson(text);
    if (typeof object === "object" && object !== null && !Array.isArray(object)) return { object };
    return { reason: describeMismatch("a JSON object", object) };
  } catch (error) {
    return { reason: describeNoJson(text, error) };
  }
}

function describeNoJson(text: string, error: unknown): string {
  const trimmed = text.trim();
  if (trimmed === "[" || trimmed === "]") {
    return "is part of a JSON list, but each developer must be on a separate line (jq -c '.[]' converts a list)";
  }
  if (error instanceof OversizedJson) return error.message;
  const reason = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : "";
  return `is not JSON: ${cutText(reason)}`;
}

/** @package Finds the first thing that is wrong: against the schema, or in the texts. */
export function findWrongContent(schema: TSchema, value: unknown): LineComplaint | undefined {
  if (Value.Check(schema, value)) return findBadContent(value);
  const wrong = findViolation(schema, value);
  if (!wrong) throw new Error("The check refused a value without a reason.");
  return { field: wrong.field, reason: wrong.reason };
}

const dayForm = /^\d{4}-\d{2}-\d{2}(T|$)/;
const dayFields = new Set(
  "first last firstCommit lastCommit createdAt updatedAt pushedAt".split(" "),
);

/**
 * Finds errors that the schema does not find: impossible dates such as `2024-02-30`, and control characters.
 * @param key the name of the property that has this value, if any.
 */
function findBadContent(value: unknown, key = ""): LineComplaint | undefined {
  if (typeof value === "string") {
    const reason = complainOfText(value, key);
    return reason === undefined ? undefined : { reason };
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const bad = findBadContent(value[at]);
      if (bad) return placeIn(`[${at}]`, bad);
    }
    return undefined;
  }
  for (const name in value) {
    const bad = findBadContent((value as Record<string, unknown>)[name], name);
    if (bad) return placeIn(name, bad);
  }
  return undefined;
}

function placeIn(name: string, { field, reason }: LineComplaint): LineComplaint {
  const isPart = field === undefined || field.startsWith("[");
  return { field: isPart ? name + (field ?? "") : `${name}.${field}`, reason };
}

function complainOfText(text: string, key: string): string | undefined {
  if (!text.isWellFormed()) return "contains half a surrogate pair";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this check looks for control characters.
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) return "contains control characters";
  if (!dayFields.has(key) || !dayForm.test(text) || isDay(text)) return undefined;
  return `is not a date: ${cutText(text)}`;
}

function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10));
}
