/** Values that are nearly what a schema allows, and text that is nearly JSON. */
import fc from "fast-check";
import { weighted } from "../weighted.ts";
import { oddTexts, oddValues } from "./odd.ts";
import type { Json } from "./values.ts";

export interface Change {
  /** Selects one of all places in the value. */
  readonly place: number;
  readonly how: "replace" | "remove" | "add" | "rename" | "repeat" | "wrap";
  readonly name: string;
  readonly value: Json;
}

export const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record<Change>({
    place: fc.nat(500),
    how: fc.constantFrom(
      "replace",
      "replace",
      "replace",
      "remove",
      "add",
      "rename",
      "repeat",
      "wrap",
    ),
    name: fc.oneof(fc.constantFrom("skill", "login", "username", "Location", "limit"), oddTexts),
    value: oddValues,
  }),
  { minLength: 1, maxLength: 3 },
);

/** Valid values with one to three changes, anywhere inside. */
export function nearly(values: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.tuple(values, changes).map(([value, list]) => list.reduce(changed, value));
}

export function changed(value: Json, change: Change): Json {
  let left = change.place % countPlaces(value);
  const walk = (at: Json): Json => {
    if (left-- === 0) return changedHere(at, change);
    if (Array.isArray(at)) return at.map(walk);
    if (typeof at !== "object" || at === null) return at;
    return fromFields(Object.entries(at).map(([name, inner]) => [name, walk(inner)]));
  };
  return walk(value);
}

function countPlaces(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + countPlaces(inner), 1);
}

function changedHere(at: Json, { how, name, value }: Change): Json {
  if (how === "wrap") return [at];
  if (Array.isArray(at)) {
    if (how === "add") return [...at, value];
    if (how === "remove") return at.slice(1);
    if (how === "repeat") return Array.from({ length: 30 }, () => at[0] ?? value);
  } else if (typeof at === "object" && at !== null) {
    const fields = Object.entries(at);
    if (how === "add") return fromFields([...fields, [name, value]]);
    if (how === "remove") return fromFields(fields.slice(1));
    if (how === "rename")
      return fromFields(fields.map(([own, inner], at) => [at === 0 ? name : own, inner]));
  }
  return value;
}

/** Makes an object that may have a field `__proto__`, which an object literal would take for the prototype. */
function fromFields(fields: readonly (readonly [string, Json])[]): Json {
  const made: Record<string, Json> = Object.create(null);
  for (const [name, value] of fields) made[name] = value;
  return made;
}

/** @returns values as JSON text, most of it valid. */
export function asJsonTexts(values: fc.Arbitrary<Json>): fc.Arbitrary<string> {
  return weighted(
    [6, values.map((value) => JSON.stringify(value))],
    [1, fc.tuple(values, spoilings).map(([value, spoil]) => spoiled(value, spoil))],
  );
}

export interface Spoiling {
  readonly how: "cut" | "insert" | "double" | "prefix" | "suffix" | "number" | "escape";
  readonly at: number;
  readonly text: string;
}

export const spoilings = fc.record<Spoiling>({
  how: fc.constantFrom("cut", "insert", "double", "prefix", "suffix", "number", "escape"),
  at: fc.nat(400),
  text: fc.oneof(
    fc.constantFrom(
      "\ufeff",
      "//",
      ",",
      "[",
      "}",
      "\0",
      "\u2028",
      "[".repeat(5000),
      '{"a":'.repeat(3000),
    ),
    fc.string({ unit: "binary", maxLength: 5 }),
  ),
});

export function spoiled(value: Json, { how, at, text }: Spoiling): string {
  const json = JSON.stringify(value);
  const split = at % (json.length + 1);
  switch (how) {
    case "cut":
      return json.slice(0, split);
    case "insert":
      return json.slice(0, split) + text + json.slice(split);
    case "double":
      return json.replace(/^\{(.+)\}$/s, "{$1,$1}");
    case "prefix":
      return text + json;
    case "suffix":
      return json + text;
    case "number":
      return json.replace(/\d+/, at % 2 === 0 ? "1e999" : "007");
    case "escape":
      return json.replace(/"([^"]+)":/, at % 2 === 0 ? '"\\ud800":' : '"\\x41":');
  }
}
