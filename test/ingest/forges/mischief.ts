/** Faults in an answer of a forge: a field that has another value wherever it occurs, or another text. */
import type { Json } from "../../../scripts/fuzzing/json/values.ts";

export type Mischief =
  | { readonly kind: "field"; readonly field: string; readonly value: Json }
  | { readonly kind: "other"; readonly body: string };

export function spoilText(honest: Json | undefined, mischief: Mischief | undefined): string {
  if (mischief?.kind === "other") return mischief.body;
  const value = honest ?? { message: "Not found" };
  const spoiled = mischief ? replaceField(value, mischief.field, mischief.value) : value;
  return JSON.stringify(spoiled);
}

function replaceField(value: Json, field: string, by: Json): Json {
  if (Array.isArray(value)) return value.map((one: Json) => replaceField(one, field, by));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, Json]) => [
      name,
      name === field ? by : replaceField(inner, field, by),
    ]),
  );
}
