import { cutText, describeMismatch, findViolation } from "../contract/complaint.ts";
import { Facts } from "../contract/people/facts.ts";
import { getChecker } from "../contract/schema.ts";
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
    complaint: typeof login === "string" ? { login: cutText(login), ...complaint } : complaint,
  };
}

function notJson(text: string, error: unknown): string {
  const trimmed = text.trim();
  if (trimmed === "[" || trimmed === "]") {
    return "is part of a JSON list; each developer must be one line of its own (jq -c '.[]' makes them)";
  }
  const reason = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : "";
  return `is not JSON: ${cutText(reason)}`;
}

function schemaComplaint(value: unknown): Complaint {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { reason: describeMismatch("a JSON object", value) };
  }
  const wrong = findViolation(Facts, value);
  if (!wrong) throw new Error("The check refused a value of which it has no complaint.");
  return { field: wrong.field, reason: wrong.reason };
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
    return { field, reason: `is no date: ${cutText(text)}` };
  }
  return undefined;
}

function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10));
}
