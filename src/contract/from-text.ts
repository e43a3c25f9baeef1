import type { TSchema } from "./schema.ts";

/**
 * A field's value where the wire has texts only: a flag, a query parameter. A text that is no number stays one, so
 * that `read` refuses it by name.
 */
export function fromText(schema: TSchema | undefined, text: string): string | number {
  const isNumber = schema?.["type"] === "integer" || schema?.["type"] === "number";
  return isNumber && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}
