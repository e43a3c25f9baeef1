/** Derives the schemas of a tool from its operation. These schemas also serve to read the input and clean the output. */
import type { Detail } from "../../contract/caller.ts";
import { cleanAddressForModel, cleanForModel } from "../../contract/foreign-text.ts";
import { otherLoginName } from "../../contract/read.ts";
import { type ForeignKind, getForeignKind, type TObject } from "../../contract/schema.ts";
import type { Operation } from "../../operations/operation.ts";

export interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/**
 * Describes the operation's input. A login has two field names, such as `login` and `username`. Both are declared, and neither is
 * required. Rules such as patterns and lengths are left out, because they cost a model hundreds of tokens. The input is checked
 * against these rules nevertheless.
 */
export function describeInput({ input }: Operation): TObject {
  const properties = { ...input.properties };
  let required = input.required ?? [];
  for (const [name, other] of Object.entries(otherLoginName)) {
    const login = input.properties[name];
    if (!login) continue;
    properties[other] = Object.assign({}, login, { description: `Same as ${name}; send one.` });
    required = required.filter((field) => field !== name);
  }
  return withoutRules({ ...input, properties, required }) as TObject;
}

/**
 * Converts a model's input to the operation's input (decision 35). `null` and an empty string count as a missing field, because
 * strict schemas make models fill in every field. Whole numbers may be sent as strings.
 */
export function normaliseInput(sent: unknown, { properties }: TObject): unknown {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return sent;
  const entries = Object.entries(sent).flatMap(([field, value]) => {
    const own = Object.hasOwn(properties, field) ? field : otherLoginName[field];
    const schema = own === undefined ? undefined : properties[own];
    if (!schema) return [[field, value]];
    if (value === null || value === "") return [];
    const isNumber = schema["type"] === "integer" || schema["type"] === "number";
    return [[field, isNumber && isWholeNumber(value) ? Number(value) : value]];
  });
  return Object.fromEntries(entries);
}

/** Whether a value is a whole number written as a string, such as `"25"`. */
function isWholeNumber(value: unknown): value is string {
  return typeof value === "string" && /^-?\d{1,15}$/.test(value);
}

function withoutRules(schema: JsonSchema): JsonSchema {
  const { pattern, format, not, minLength, maxLength, ...bounded } = schema;
  const { minimum, maximum, maxItems, items, properties, required = [], ...rest } = bounded;
  return {
    ...rest,
    ...(required.length > 0 ? { required } : {}),
    // The description of a list says what its items are.
    ...(items ? { items: withoutRules({ ...items, description: undefined }) } : {}),
    ...(properties ? { properties: mapProperties(properties, withoutRules) } : {}),
  };
}

/**
 * Describes the operation's output: its fields in words, and the fields within them by name and type. The slim description has no
 * fields, because a model sees them in each answer.
 * @param seen the schemas that other tools have described already. They are not described again.
 */
export function describeOutput(operation: Operation, detail: Detail, seen: Set<object>): TObject {
  const output = detail === "full" ? selectOutput(operation, detail) : { type: "object" };
  const { properties } = describeFields(output, { seen, described: 1 });
  // `meta` is only named, because it is the same for every tool.
  const meta = { type: "object" };
  return { type: "object", ...(properties && { properties: { meta, ...properties } }) } as never;
}

interface ShownData {
  readonly schema: JsonSchema;
  /** Paths of the fields that hold third-party text. */
  readonly foreignFields: string[];
}

const described = new WeakMap<Operation, Map<Detail, ShownData>>();

export function describeData(operation: Operation, detail: Detail): ShownData {
  const known = described.getOrInsertComputed(operation, () => new Map<Detail, ShownData>());
  return known.getOrInsertComputed(detail, () => {
    const schema = selectOutput(operation, detail);
    return { schema, foreignFields: listForeignFields(schema) };
  });
}

function selectOutput(operation: Operation, detail: Detail): JsonSchema {
  const { output, aliases = [], slimWithout = [] } = operation;
  const left = detail === "full" ? aliases : [...aliases, ...slimWithout];
  return left.reduce<JsonSchema>((rest, path) => without(rest, path.split(".")), output);
}

function without(schema: JsonSchema, [field, ...inner]: readonly string[]): JsonSchema {
  if (field === undefined) return schema;
  const { items, properties = {}, required = [] } = schema;
  if (items) return { ...schema, items: without(items, [field, ...inner]) };
  const { [field]: found, ...others } = properties;
  if (!found) throw new Error(`the schema has no field ${field}`);
  if (inner.length > 0) {
    return { ...schema, properties: { ...properties, [field]: without(found, inner) } };
  }
  return { ...schema, properties: others, required: required.filter((name) => name !== field) };
}

/**
 * Lists fields with their types. Additional and missing fields are allowed, because a client may validate answers against the
 * schema of another version of Roster. Formats are left out, because some clients fail on unknown ones, and so are enums.
 * @param described how many levels of fields have a description.
 */
function describeFields(
  schema: JsonSchema,
  { seen, described }: { readonly seen: Set<object>; readonly described: number },
): JsonSchema {
  const { type, description, items, properties } = schema;
  const isDescribed = described >= 0 && description !== undefined && !seen.has(schema);
  if (isDescribed) seen.add(schema);
  const below = { seen, described: described - 1 };
  return {
    ...(type === undefined ? {} : { type }),
    ...(isDescribed && { description }),
    ...(items && { items: describeFields(items, { seen, described: -1 }) }),
    ...(properties && {
      properties: mapProperties(properties, (each) => describeFields(each, below)),
    }),
  };
}

function mapProperties(
  properties: Readonly<Record<string, JsonSchema>>,
  change: (schema: JsonSchema) => JsonSchema,
): Record<string, JsonSchema> {
  const entries = Object.entries(properties).map(([name, each]) => [name, change(each)] as const);
  return Object.fromEntries(entries);
}

function listForeignFields(schema: JsonSchema, path = ""): string[] {
  if (getForeignKind(schema)) return [path];
  if (schema.items) return listForeignFields(schema.items, path);
  return Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
    listForeignFields(each, path ? `${path}.${name}` : name),
  );
}

/** The most characters of each kind of text. Longer texts are cut. */
const lettersMax: Record<ForeignKind | "ours", number> = {
  words: 160,
  address: 300,
  sentence: 500,
  ours: 1000,
};

/** Makes every text in the data harmless to a model. Fields that are not in the schema are left out. */
export function cleanData(value: unknown, schema: JsonSchema): unknown {
  if (typeof value === "string") return cleanText(value, schema);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => cleanData(each, schema.items ?? {}));
  const { properties } = schema;
  const fields = value as Record<string, unknown>;
  if (!properties) {
    const entries = Object.entries(fields);
    return Object.fromEntries(
      entries.map(([name, each]) => [cleanForModel(name), cleanData(each, {})]),
    );
  }
  const cleaned: Record<string, unknown> = {};
  for (const name in fields) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (own) cleaned[name] = cleanData(fields[name], own);
  }
  return cleaned;
}

function cleanText(text: string, schema: JsonSchema): string {
  const kind = getForeignKind(schema) ?? "ours";
  return (kind === "address" ? cleanAddressForModel : cleanForModel)(text, lettersMax[kind]);
}
