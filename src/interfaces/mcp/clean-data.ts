import { cleanAddressForModel, cleanForModel } from "../../contract/foreign-text.ts";
import { type ForeignKind, getForeignKind } from "../../contract/schema.ts";
import type { JsonSchema } from "./tool-schemas.ts";

/** Longer texts are cut; those of ours without others' words in them never are so long. */
const lettersMax: Record<ForeignKind | "ours", number> = {
  words: 160,
  address: 300,
  sentence: 500,
  ours: 1000,
};

/**
 * The data with every text made harmless to a model, as in the text beside it. Fields that the schema does not
 * have are left out.
 */
export function cleanData(value: unknown, schema: JsonSchema): unknown {
  if (typeof value === "string") return cleanText(value, schema);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => cleanData(each, schema.items ?? {}));
  const { properties } = schema;
  const shown = Object.entries(value).filter(
    ([name]) => !properties || Object.hasOwn(properties, name),
  );
  return Object.fromEntries(
    shown.map(([name, each]) => [cleanForModel(name), cleanData(each, properties?.[name] ?? {})]),
  );
}

function cleanText(text: string, schema: JsonSchema): string {
  const kind = getForeignKind(schema) ?? "ours";
  return (kind === "address" ? cleanAddressForModel : cleanForModel)(text, lettersMax[kind]);
}
