/** Values that a JSON Schema allows, values that are nearly so, and text that is nearly JSON. */
import fc from "fast-check";

/** Of JSON Schema, what the program's own schemas use. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

/** @param root where `$ref` points into. */
export function valuesOf(schema: Schema, root: Schema = schema): fc.Arbitrary<Json> {
  const { $ref, anyOf, enum: among, const: only } = schema;
  if (typeof $ref === "string") return valuesOf(pointed(root, $ref), root);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((one) => valuesOf(one as Schema, root)));
  if (Array.isArray(among)) return fc.constantFrom(...(among as Json[]));
  if (only !== undefined) return fc.constant(only as Json);
  switch (schema["type"]) {
    case "object":
      return objects(schema, root);
    case "array":
      return fc.array(valuesOf((schema["items"] as Schema) ?? {}, root), {
        minLength: Number(schema["minItems"] ?? 0),
        maxLength: Math.min(Number(schema["maxItems"] ?? 5), 25),
      }) as fc.Arbitrary<Json>;
    case "integer":
      return fc.integer(between(schema));
    case "number":
      return fc.double({ ...between(schema), noNaN: true });
    case "boolean":
      return fc.boolean();
    case "string":
      return texts(schema);
    default:
      return fc.jsonValue() as fc.Arbitrary<Json>;
  }
}

function pointed(root: Schema, pointer: string): Schema {
  const steps = pointer.replace(/^#\//, "").split("/");
  return steps.reduce((at, step) => at[step.replaceAll("~1", "/")] as Schema, root);
}

const between = ({ minimum, maximum }: Schema) => ({
  min: Number(minimum ?? -1000),
  max: Number(maximum ?? 1_000_000),
});

function objects(schema: Schema, root: Schema): fc.Arbitrary<Json> {
  const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
  const fields = Object.entries(properties).map(([name, field]) => [name, valuesOf(field, root)]);
  const requiredKeys = (schema["required"] ?? []) as never[];
  const known = fc.record(Object.fromEntries(fields), { requiredKeys });
  const [pattern] = Object.entries((schema["patternProperties"] ?? {}) as Record<string, Schema>);
  if (!pattern) return known as fc.Arbitrary<Json>;
  const names = fc.stringMatching(new RegExp(pattern[0]));
  const more = fc.dictionary(names, valuesOf(pattern[1], root), { maxKeys: 5 });
  return fc.tuple(known, more).map(([one, other]) => ({ ...one, ...other }) as Json);
}

/** What the demo people and the vocabulary answer to, so that a request comes further than the first check. */
const telling = [
  ...["Berlin", "Germany", "worldwide", "Springfield", "Cambridge, UK", "Remote", "São Paulo"],
  ...["Go", "k8s", "C++", "backend", "front-end", "SRE", "ada-example", "place", "skill", "role"],
];

function texts({
  pattern,
  minLength = 0,
  maxLength = 300,
  enum: among,
}: Schema): fc.Arbitrary<string> {
  if (among) return fc.constantFrom(...(among as string[]));
  const length = { minLength: Number(minLength), maxLength: Math.min(Number(maxLength), 300) };
  const any = fc.string({ ...length, unit: "grapheme" });
  if (typeof pattern !== "string") return fc.oneof(any, fc.constantFrom(...telling));
  if (pattern === "\\S") {
    const filled = any.filter((text) => text.trim() !== "");
    return fc.oneof(filled, fc.constantFrom(...telling));
  }
  const matching = fc.stringMatching(new RegExp(pattern), { maxLength: length.maxLength });
  if (!pattern.startsWith("^\\d{4}-\\d{2}-\\d{2}")) return matching;
  // The pattern takes days that no calendar has.
  const instants = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2030-01-01") });
  const days = instants.map((instant) =>
    instant.toISOString().slice(0, pattern.includes("T") ? 24 : 10),
  );
  return fc.oneof({ weight: 200, arbitrary: days }, { weight: 1, arbitrary: matching });
}

/** Texts that have broken programs. */
export const oddTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      "",
      " ",
      "\0",
      "\t",
      "\u0015",
      "\r\nX-Injected: 1",
      "\u001b[31m",
      "\ud800",
      "\udfff",
      "\ufeff",
    ],
    ...[
      "\u202e",
      "\u{e0041}",
      "\ufffd",
      "İ",
      "ß",
      "ﬃ",
      "e\u0301".repeat(80),
      "👩‍👩‍👧‍👦",
      "\u00a0",
      "\u3000",
    ],
    ...["__proto__", "constructor", "toString", "hasOwnProperty", "undefined", "null", "NaN", "-0"],
    ...[
      "../../../etc/passwd",
      "%00",
      "%ff",
      "%",
      "%2e%2e%2f",
      "\\",
      "\\u0000",
      "' OR 1=1 --",
      '";--',
    ],
    ...["*", "(((((", "[", "a*", '"', "NEAR(", "<b>", "{{7*7}}", "$(id)", "`id`"],
    ...["x".repeat(201), "y".repeat(5000), "🙂".repeat(200), " a".repeat(2000), "-".repeat(3000)],
  ),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: "grapheme-composite", maxLength: 100 }),
);

const oddNumbers = fc.constantFrom(
  ...[
    0,
    -0,
    -1,
    1,
    2,
    50,
    51,
    100,
    101,
    200,
    201,
    0.5,
    1e-7,
    1e21,
    1e308,
    2 ** 31,
    2 ** 53,
    2 ** 53 + 2,
  ],
  ...[-(2 ** 31) - 1, 5e-324, 1.0000000000000002, Number.MAX_VALUE],
);

export const oddValues: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, [], {}, [[]], [null], { "": null }),
  oddNumbers,
  oddTexts,
  oddNumbers.map(String),
  fc.array(oddTexts, { maxLength: 30 }),
  fc.integer({ min: 1, max: 2000 }).map(nested),
  fc.jsonValue() as fc.Arbitrary<Json>,
);

function nested(depth: number): Json {
  let value: Json = depth % 2 === 0 ? [] : {};
  for (let level = 0; level < depth; level += 1) value = level % 3 === 0 ? { a: value } : [value];
  return value;
}

interface Change {
  /** Picks among all places of the value. */
  readonly place: number;
  readonly how: "replace" | "remove" | "add" | "rename" | "repeat" | "wrap";
  readonly name: string;
  readonly value: Json;
}

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
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

function changed(value: Json, change: Change): Json {
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

/** Also with the name `__proto__`, which an object literal would take for something else. */
function fromFields(fields: readonly (readonly [string, Json])[]): Json {
  const made: Record<string, Json> = Object.create(null);
  for (const [name, value] of fields) made[name] = value;
  return made;
}

/** A value as text, mostly as it should be. */
export function asJsonTexts(values: fc.Arbitrary<Json>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: values.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc.tuple(values, spoilings).map(([value, spoil]) => spoiled(value, spoil)),
    },
  );
}

interface Spoiling {
  readonly how: "cut" | "insert" | "double" | "prefix" | "suffix" | "number" | "escape";
  readonly at: number;
  readonly text: string;
}

const spoilings = fc.record<Spoiling>({
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

function spoiled(value: Json, { how, at, text }: Spoiling): string {
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
