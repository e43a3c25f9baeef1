/** Values that a JSON Schema allows. */
import fc from "fast-check";
import { weighted } from "../weighted.ts";

/** The part of JSON Schema that the program's own schemas use. */
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

/** @param root the document that `$ref` points into. */
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

/** Texts that the demo people and the vocabulary know, so that a request passes the first checks. */
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
  // The pattern also matches days that do not exist.
  const instants = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2030-01-01") });
  const days = instants.map((instant) =>
    instant.toISOString().slice(0, pattern.includes("T") ? 24 : 10),
  );
  return weighted([200, days], [1, matching]);
}
