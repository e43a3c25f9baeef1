/**
 * What a form sends. One content type, one decoding, each field once, no field that the act does not know: a field
 * such as `plan` or `role` that somebody adds by hand is refused by name, never dropped and never taken.
 */

import { describeUnknown, findNearest, findViolation } from "../../contract/complaint.ts";
import { Problem } from "../../contract/problem.ts";
import { type TObject, type TSchema, Type } from "../../contract/schema.ts";
import { readBody } from "../../network/request.ts";

const bodyBytesMax = 16 * 1024;
const formType = "application/x-www-form-urlencoded";

/** The fields of every form beside its own. */
interface SubmittedForm {
  readonly act: string;
  readonly token: string;
  readonly given: Readonly<Record<string, string>>;
}

/** A text that must be given. */
export const defineText = (title: string, lengthMax: number) =>
  Type.String({ title, minLength: 1, maxLength: lengthMax });

/** A text that may be left empty, which is the same as leaving it out. */
export const defineOptionalText = (title: string, lengthMax: number) =>
  Type.Optional(defineText(title, lengthMax));

/** One of these words. */
export const defineChoice = <Word extends string>(title: string, words: readonly Word[]) =>
  Type.Unsafe<Word>({ title, enum: [...words] });

/** @throws Problem invalid_request: 400, 413 or 415, for what no browser sends from our pages. */
export async function readForm(request: Request): Promise<SubmittedForm> {
  const [type] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  if (type?.trim() !== formType) throw malformed(`the form must be sent as ${formType}`, 415);
  // Percent-encoded, so these bytes are ASCII; what they decode to is looked at below.
  const body = Buffer.from(await readBody(request, bodyBytesMax)).toString("latin1");
  const { act = "", token = "", ...given } = fieldsOf(body);
  return { act, token, given };
}

/**
 * Holds what was given against the fields of an act.
 *
 * @returns the first field that is wrong and why, in a sentence; `undefined` when all are right.
 * @throws Problem invalid_request naming a field that does not belong.
 */
export function findComplaint(
  fields: TObject,
  given: Readonly<Record<string, string>>,
): { readonly field: string; readonly message: string } | undefined {
  const known = Object.keys(fields.properties);
  for (const field of Object.keys(given)) {
    if (known.includes(field)) continue;
    const meant = findNearest(field, known);
    const name = field.slice(0, 60);
    throw malformed(describeUnknown("field", name, meant, "this form does not have it"));
  }
  const wrong = findViolation(fields, given);
  if (!wrong) return undefined;
  const { field, rule } = wrong;
  const { title, maxLength } = fields.properties[field] as TSchema;
  if (given[field] === undefined) return { field, message: `${title} is missing.` };
  // A browser lets nobody send a text that is empty: it can only be too long.
  const reason = maxLength ? `is too long: at most ${maxLength} characters` : `must be ${rule}`;
  return { field, message: `${title} ${reason}.` };
}

const malformed = (message: string, status = 400) =>
  new Problem("invalid_request", { message, status });

function fieldsOf(body: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const pair of body.split("&")) {
    if (pair === "") continue;
    const [name = "", ...value] = pair.split("=");
    const field = decoded(name);
    const content = decoded(value.join("="));
    if (field in fields) throw malformed(`the field "${field.slice(0, 60)}" was sent twice`);
    // An empty box is a box that was left out.
    if (content.trim() !== "") fields[field] = content;
  }
  return fields;
}

/** URLSearchParams would put replacement characters in place of bytes that are no text. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    throw malformed("the form must be percent-encoded UTF-8");
  }
}
