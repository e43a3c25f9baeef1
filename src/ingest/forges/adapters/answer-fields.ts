/** Reads fields of a forge's answer: what is absent, empty or of another kind is undefined. */

/** @package An object of an answer, of which an adapter takes the fields that it names. */
export type AnswerObject = Readonly<Record<string, unknown>>;

/** @package */
export function readObject(value: unknown): AnswerObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as AnswerObject)
    : undefined;
}

/** @package The fields of an object; none of anything else. */
export function readFields(value: unknown): AnswerObject {
  return readObject(value) ?? {};
}

/** @package The objects of a list. */
export function listObjects(value: unknown): readonly AnswerObject[] {
  if (!Array.isArray(value)) return [];
  return value.map(readObject).filter((one) => one !== undefined);
}

/** The contract's limit of a text. */
const textMax = 10_000;

/** @package Without blanks around it. */
export function readField(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text.slice(0, textMax);
}

/** @package A number of an account or a repository, which some forges write as text. */
export function readNumber(value: unknown): string | undefined {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === "string" && /^[1-9]\d{0,18}$/.test(text) ? text : undefined;
}

/** @package */
export function readCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** @package To the second, in UTC; the year 1 and its like stand for no instant. */
export function readInstant(value: unknown): string | undefined {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at) || at <= 0) return undefined;
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** @package */
export function readWebAddress(value: unknown): string | undefined {
  const text = readField(value);
  return text && /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : undefined;
}

/** @package An object without the fields that are undefined, which facts leave out. */
export function dropAbsent<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}
