import { printable } from "./foreign-text.ts";
import { nearest } from "./nearest.ts";
import { Problem } from "./problem.ts";
import { checkerOf, type Static, type TObject, type TSchema, ValueErrorType } from "./schema.ts";

/**
 * Turns what a caller sent into what an operation takes; no coercion, no silent dropping (decisions 4, 5).
 *
 * @throws Problem invalid_request, naming the field, what is wrong and what would be right.
 */
export function read<Schema extends TObject>(schema: Schema, raw: unknown): Static<Schema> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw malformed(`the body must be a JSON object, got ${named(raw)}`);
  }
  const fields = withOneLogin(schema, raw as Record<string, unknown>);
  refuseUnknownFields(schema, fields);
  const checker = checkerOf(schema);
  if (!checker.Check(fields)) throw malformed(firstComplaint(schema, fields));
  refuseBadText(fields, "");
  return fields as Static<Schema>;
}

const malformed = (message: string) => new Problem("invalid_request", { message });

/** `login` and `username` are both taken at every door (decision 8); the schema says which one is meant. */
function withOneLogin(schema: TObject, raw: Record<string, unknown>): Record<string, unknown> {
  const own = "login" in schema.properties ? "login" : "username";
  if (!(own in schema.properties)) return raw;
  const other = own === "login" ? "username" : "login";
  if (!Object.hasOwn(raw, other)) return raw;
  const { [other]: value, ...rest } = raw;
  if (Object.hasOwn(raw, own) && raw[own] !== value) {
    throw malformed("login and username name two different developers; send one of them");
  }
  return { ...rest, [own]: value };
}

function refuseUnknownFields(schema: TObject, fields: Record<string, unknown>): void {
  const known = Object.keys(schema.properties);
  for (const field of Object.keys(fields)) {
    if (known.includes(field)) continue;
    const meant = nearest(field, known);
    const help = meant ? `did you mean "${meant}"?` : `known fields: ${known.join(", ")}`;
    throw malformed(`unknown field "${shortened(field)}"; ${help}`);
  }
}

function firstComplaint(schema: TObject, fields: Record<string, unknown>): string {
  const error = checkerOf(schema).Errors(fields).First();
  if (!error) return "the request is not well formed";
  const path = fieldName(error.path);
  const rule = error.schema;
  if (error.type === ValueErrorType.ObjectRequiredProperty) return `${path} is required`;
  return `${path} must be ${ruleInWords(rule)}, got ${named(error.value)}`;
}

/** `/skills/3` as people write it: `skills[3]`. */
function fieldName(path: string): string {
  return path
    .slice(1)
    .replace(/\/(\d+)/g, "[$1]")
    .replaceAll("/", ".");
}

function ruleInWords(rule: TSchema): string {
  switch (rule["type"]) {
    case "integer":
      return `a whole number from ${rule["minimum"]} to ${rule["maximum"]}`;
    case "number":
      return `a number from ${rule["minimum"]} to ${rule["maximum"]}`;
    case "boolean":
      return "true or false";
    case "array":
      return `a list of at most ${rule["maxItems"]} texts`;
    default:
      return rule["maxLength"]
        ? `a text of 1 to ${rule["maxLength"]} characters, not blank`
        : "a text, not empty";
  }
}

/** A value in an error text: short, and unmistakable as to its type. */
function named(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return `"${shortened(value)}"`;
  return String(value);
}

function shortened(text: string): string {
  return text.length > 60 ? `${printable(text.slice(0, 60))}...` : printable(text);
}

/**
 * Lone surrogates and control characters name nobody and break logs and terminals. In a login they are
 * left to the operation: a text that can be no login is `not_found`, not malformed (decision 8).
 */
function refuseBadText(value: unknown, path: string): void {
  if (typeof value === "string") {
    const isLogin = path === "login" || path === "username";
    if (!value.isWellFormed() || (!isLogin && /\p{Cc}/u.test(value))) {
      throw malformed(`${path} must be valid text without control characters`);
    }
  } else if (Array.isArray(value)) {
    value.forEach((entry, index) => {
      refuseBadText(entry, `${path}[${index}]`);
    });
  } else if (typeof value === "object" && value !== null) {
    for (const [key, entry] of Object.entries(value))
      refuseBadText(entry, path ? `${path}.${key}` : key);
  }
}
