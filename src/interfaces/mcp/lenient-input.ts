import { otherLoginName } from "../../contract/read.ts";
import type { TObject } from "../../contract/schema.ts";

/**
 * Converts a model's input to what the operation reads (decision 35). Strict schemas make models fill in every field,
 * so `null` or an empty string means that the field was left out. Some models send whole numbers as strings.
 */
export function normaliseInput(sent: unknown, { properties }: TObject): unknown {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return sent;
  const entries = Object.entries(sent).flatMap(([field, value]) => {
    const own = Object.hasOwn(properties, field) ? field : otherLoginName[field];
    const schema = own === undefined ? undefined : properties[own];
    if (!schema) return [[field, value]];
    if (value === null || value === "") return [];
    const isNumber = schema["type"] === "integer" || schema["type"] === "number";
    return [[field, isNumber && isWhole(value) ? Number(value) : value]];
  });
  return Object.fromEntries(entries);
}

/** No operation's bounds have more than 15 digits. */
function isWhole(value: unknown): value is string {
  return typeof value === "string" && /^-?\d{1,15}$/.test(value);
}
