/**
 * Reads submitted forms strictly: one content type, one decoding, each field once, no unknown field. If somebody adds a field
 * such as `plan` by hand, the form is refused, and the error names the field. Only `login` may come several times, because people
 * are chosen by boxes of this name.
 */
import { describeUnknown, findNearest, findViolation } from "../../contract/complaint.ts";
import { createInvalidRequest } from "../../contract/problem.ts";
import { type TObject, type TSchema, Type } from "../../contract/schema.ts";
import { readBody } from "../../network/request.ts";

const formBytesMax = 16 * 1024;
/** The most fields that a form may have. A form about the 50 people of a page has the most. */
const fieldsMax = 60;
const formType = "application/x-www-form-urlencoded";

interface SubmittedForm {
  readonly act: string;
  readonly given: Readonly<Record<string, string>>;
}

export const defineText = (title: string, lengthMax: number) =>
  Type.String({ title, minLength: 1, maxLength: lengthMax });

/** Defines a text that may be left empty. An empty text counts as missing. */
export const defineOptionalText = (title: string, lengthMax: number) =>
  Type.Optional(defineText(title, lengthMax));

/** Whether a field holds a secret. Its input hides what is typed, and no page keeps or repeats it. */
export const isSecretField = (name: string): boolean =>
  ["password", "current", "next", "secret", "key"].includes(name);

/** Copies what was typed without secrets and addresses, which can contain a password. */
export const removeSecrets = (given: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).filter(([name]) => !isSecretField(name) && name !== "address"),
  );

export const loginField = defineText("Login", 250);
/** One login or several, with a blank between two. `splitLogins` separates them. */
export const loginsField = defineOptionalText("People", 12_000);
export const emailField = defineText("E-mail", 254);

export const defineChoice = <Word extends string>(title: string, words: readonly Word[]) =>
  Type.Unsafe<Word>({ title, enum: [...words] });

interface FormOptions {
  readonly bytesMax?: number | undefined;
  /** Id of the sender. Only a few large bodies of one sender are read at the same time. */
  readonly sender?: string | undefined;
  /** Throws if the form was made for another account or browser. Called before the other fields are decoded. */
  readonly checkToken: (token: string) => void;
}

/** @throws Problem `invalid_request` (status 400, 413 or 415) if no page of Roster would send this body. */
export async function readForm(
  request: Request,
  { bytesMax = formBytesMax, sender, checkToken }: FormOptions,
): Promise<SubmittedForm> {
  const [type] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  if (type?.trim() !== formType)
    throw createInvalidRequest(`the form must be sent as ${formType}`, 415);
  // The body is percent-encoded, so its bytes are ASCII; `decode` checks the text.
  const body = Buffer.from(await readBody(request, bytesMax, sender)).toString("latin1");
  const pairs = body.split("&", fieldsMax + 1);
  if (pairs.length > fieldsMax)
    throw createInvalidRequest(`a form has at most ${fieldsMax} fields`);
  checkToken(pairs.find((pair) => pair.startsWith("token="))?.slice("token=".length) ?? "");
  const { act = "", token: _, ...given } = parseFields(pairs);
  return { act, given };
}

/**
 * Validates a form against the fields of its action.
 * @returns the first invalid field and a sentence about the error; `undefined` if all fields are valid.
 * @throws Problem `invalid_request` for a field that the action does not have.
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
    throw createInvalidRequest(describeUnknown("field", name, meant, "this form does not have it"));
  }
  const wrong = findViolation(fields, given);
  if (!wrong) return undefined;
  const { field, rule } = wrong;
  const { title, maxLength } = fields.properties[field] as TSchema;
  if (given[field] === undefined) return { field, message: `${title} is missing.` };
  // Empty fields were dropped earlier, so a text can only be too long.
  const reason = maxLength ? `is too long: at most ${maxLength} characters` : `must be ${rule}`;
  return { field, message: `${title} ${reason}.` };
}

function parseFields(pairs: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const pair of pairs) {
    if (pair === "") continue;
    const [name = "", ...value] = pair.split("=");
    const field = decode(name);
    const content = decode(value.join("="));
    const earlier = fields[field];
    if (earlier !== undefined && field !== "login")
      throw createInvalidRequest(`the field "${field.slice(0, 60)}" was sent twice`);
    // An empty field counts as missing.
    if (content.trim() !== "") fields[field] = earlier ? `${earlier} ${content}` : content;
  }
  return fields;
}

/** Decodes percent-encoded UTF-8. Invalid bytes are refused; URLSearchParams would replace them. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    throw createInvalidRequest("the form must be percent-encoded UTF-8");
  }
}
