/**
 * Reads submitted forms strictly: one content type, one decoding, each field once, no unknown field. A field such as
 * `plan` or `role` that was added by hand is refused by name, neither dropped nor accepted.
 */

import { describeUnknown, findNearest, findViolation } from "../../contract/complaint.ts";
import { Problem } from "../../contract/problem.ts";
import { type TObject, type TSchema, Type } from "../../contract/schema.ts";
import { readBody } from "../../network/request.ts";

const formBytesMax = 16 * 1024;
/** The most fields of a form. All forms of the pages have fewer. */
const fieldsMax = 50;
const formType = "application/x-www-form-urlencoded";

interface SubmittedForm {
  readonly act: string;
  readonly given: Readonly<Record<string, string>>;
}

export const defineText = (title: string, lengthMax: number) =>
  Type.String({ title, minLength: 1, maxLength: lengthMax });

/** Defines a text that may be left empty, which is the same as leaving it out. */
export const defineOptionalText = (title: string, lengthMax: number) =>
  Type.Optional(defineText(title, lengthMax));

export const loginField = defineText("Login", 250);
export const emailField = defineText("E-mail", 254);

export const defineChoice = <Word extends string>(title: string, words: readonly Word[]) =>
  Type.Unsafe<Word>({ title, enum: [...words] });

interface FormOptions {
  readonly bytesMax?: number | undefined;
  /** Identifies the sender: only few large bodies of one sender are read at once. */
  readonly sender?: string | undefined;
  /** Throws if the form was made for another account or browser. Called before the other fields are decoded. */
  readonly checkToken: (token: string) => void;
}

/** @throws Problem invalid_request: 400, 413 or 415, for input that no browser sends from Roster's pages. */
export async function readForm(
  request: Request,
  { bytesMax = formBytesMax, sender, checkToken }: FormOptions,
): Promise<SubmittedForm> {
  const [type] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  if (type?.trim() !== formType) throw createRefusal(`the form must be sent as ${formType}`, 415);
  // The body is percent-encoded, so its bytes are ASCII; `decode` checks the text.
  const body = Buffer.from(await readBody(request, bytesMax, sender)).toString("latin1");
  const pairs = body.split("&", fieldsMax + 1);
  if (pairs.length > fieldsMax) throw createRefusal(`a form has at most ${fieldsMax} fields`);
  checkToken(pairs.find((pair) => pair.startsWith("token="))?.slice("token=".length) ?? "");
  const { act = "", token: _, ...given } = parseFields(pairs);
  return { act, given };
}

/**
 * Validates a form against the fields of its action.
 *
 * @returns the first invalid field, and why in a sentence; `undefined` when all are valid.
 * @throws Problem invalid_request naming an unknown field.
 */
export function findComplaint(
  fields: TObject,
  given: Readonly<Record<string, string>>,
): { readonly field: string; readonly message: string } | undefined {
  const known = Object.keys(fields.properties);
  for (const field of Object.keys(given)) {
    if (known.includes(field)) continue;
    const name = field.slice(0, 60);
    const meant = findNearest(name, known);
    throw createRefusal(describeUnknown("field", name, meant, "this form does not have it"));
  }
  const wrong = findViolation(fields, given);
  if (!wrong) return undefined;
  const { field, rule } = wrong;
  const { title, maxLength } = fields.properties[field] as TSchema;
  if (given[field] === undefined) return { field, message: `${title} is missing.` };
  // Empty fields are dropped before, so a text can only be too long.
  const reason = maxLength ? `is too long: at most ${maxLength} characters` : `must be ${rule}`;
  return { field, message: `${title} ${reason}.` };
}

const createRefusal = (message: string, status = 400) =>
  new Problem("invalid_request", { message, status });

function parseFields(pairs: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const pair of pairs) {
    if (pair === "") continue;
    const [name = "", ...value] = pair.split("=");
    const field = decode(name);
    const content = decode(value.join("="));
    if (field in fields) throw createRefusal(`the field "${field.slice(0, 60)}" was sent twice`);
    // An empty field counts as left out.
    if (content.trim() !== "") fields[field] = content;
  }
  return fields;
}

/** Unlike URLSearchParams, refuses bytes that are not UTF-8 instead of replacing them. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    throw createRefusal("the form must be percent-encoded UTF-8");
  }
}
