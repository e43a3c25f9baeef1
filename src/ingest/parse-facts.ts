import { cutText, describeMismatch, findViolation } from "../contract/complaint.ts";
import { Facts } from "../contract/people/facts.ts";
import { getChecker } from "../contract/schema.ts";
import type { RejectedLine } from "./refusal.ts";

type Complaint = Omit<RejectedLine, "line">;

/**
 * Parses one line into facts.
 *
 * @package
 * @returns the facts, or a complaint with the field, the rule and the offending value.
 */
export function parseFacts(text: string): { facts: Facts } | { complaint: Complaint } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { complaint: { reason: describeNoJson(text, error) } };
  }
  const complaint = getChecker(Facts).Check(value)
    ? findBadContent(value)
    : describeViolation(value);
  if (!complaint) return { facts: value as Facts };
  const login = (value as { login?: unknown } | null)?.login;
  return {
    complaint: typeof login === "string" ? { login: cutText(login), ...complaint } : complaint,
  };
}

function describeNoJson(text: string, error: unknown): string {
  const trimmed = text.trim();
  if (trimmed === "[" || trimmed === "]") {
    return "is part of a JSON list; each developer must be one line of its own (jq -c '.[]' makes them)";
  }
  const reason = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : "";
  return `is not JSON: ${cutText(reason)}`;
}

function describeViolation(value: unknown): Complaint {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { reason: describeMismatch("a JSON object", value) };
  }
  const wrong = findViolation(Facts, value);
  if (!wrong) throw new Error("The check refused a value of which it has no complaint.");
  return { field: wrong.field, reason: wrong.reason };
}

const dayForm = /^\d{4}-\d{2}-\d{2}(T|$)/;
const dayFields = /(^|\.)(first|last|firstCommit|lastCommit|createdAt|updatedAt|pushedAt)$/;

/**
 * Checks what the schema cannot: days that no calendar has, and characters that break logs and terminals.
 *
 * @package
 * @param field path of the value in the facts.
 */
export function findBadContent(value: unknown, field = ""): Complaint | undefined {
  if (typeof value === "string") return findBadText(value, field);
  if (typeof value !== "object" || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === "number" || typeof entry === "boolean") continue;
    const inner = isList ? `${field}[${key}]` : field ? `${field}.${key}` : key;
    const complaint = findBadContent(entry, inner);
    if (complaint) return complaint;
  }
  return undefined;
}

function findBadText(text: string, field: string): Complaint | undefined {
  if (!text.isWellFormed()) return { field, reason: "holds half a surrogate pair" };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this check looks for control characters.
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) {
    return { field, reason: "holds control characters" };
  }
  if (dayFields.test(field) && dayForm.test(text) && !isDay(text)) {
    return { field, reason: `is no date: ${cutText(text)}` };
  }
  return undefined;
}

function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10));
}
