/** Parses people as trailers name them. Anybody may write a trailer, so it never says that two addresses are one person's. */

export interface TrailerPerson {
  /** Empty when there is none. */
  readonly name: string;
  readonly email: string;
}

/** In characters; longer ones are no names and addresses of people. */
export const personNameMax = 256;
export const addressMax = 320;

/**
 * Parses `Name <address>`, or several of them between commas, semicolons, `&` or `and`. It takes linear time.
 *
 * @returns nobody for any other text, and for several addresses of which one has no name: it may be anybody's.
 */
export function parseSignatures(text: string): readonly TrailerPerson[] {
  const parts = text.trim().split(">");
  if (parts.pop() !== "" || parts.length > peopleMax) return [];
  const found = parts.map((part, at) => parseOne(at === 0 ? part : withoutSeparator(part)));
  const people = found.filter((one) => one !== undefined);
  const isClear = people.length === found.length;
  return isClear && (people.length < 2 || people.every(({ name }) => name)) ? people : [];
}

/** No trailer of a real commit names more people. */
const peopleMax = 100;

/** @returns an empty text, which names nobody, when there is no separator. */
function withoutSeparator(part: string): string {
  return /^\s*(?:[,;&]|and\s)(.*)$/is.exec(part)?.[1] ?? "";
}

function parseOne(text: string): TrailerPerson | undefined {
  const [written = "", address, ...others] = text.split("<");
  const [name, email] = [written.trim(), address?.trim() ?? ""];
  const isPlausible = name.length <= personNameMax && email.length <= addressMax;
  if (others.length > 0 || email === "" || !isPlausible || /[\n\r]/.test(name + email))
    return undefined;
  if (/[\s,;]/.test(email) && email.indexOf("@") !== email.lastIndexOf("@")) return undefined;
  // `vera@example.org <mallory@example.net>`: another address in the place of the name is nobody's name.
  const isOthers =
    /[\w.+-]@[\w-]+\.\w/.test(name) && !name.toLowerCase().includes(email.toLowerCase());
  return { name: isOthers ? "" : name, email };
}
