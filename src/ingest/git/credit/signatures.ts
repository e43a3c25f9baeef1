/** Anybody can write a trailer, so it is no evidence that one person has two addresses. */

export interface TrailerPerson {
  /** Empty when there is none. */
  readonly name: string;
  readonly email: string;
}

/** Limits in characters: no person has a longer name or address. */
export const personNameMax = 256;
export const addressMax = 320;

/**
 * Parses `Name <address>`, or several of them between commas, semicolons, `&` or `and`, in linear time.
 * @returns nobody for any other text, and where one of several addresses has no name.
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
  // Mail programs write some names in quotes.
  const [, , quoted] = /^(["'])(.+)\1$/s.exec(written.trim()) ?? [];
  const name = quoted?.replace(/\\(["'\\])/g, "$1").trim() ?? written.trim();
  const email = address?.trim() ?? "";
  const isPlausible = name.length <= personNameMax && email.length <= addressMax;
  if (others.length > 0 || email === "" || !isPlausible || /[\n\r]/.test(name + email))
    return undefined;
  if (/[\s,;]/.test(email) && email.indexOf("@") !== email.lastIndexOf("@")) return undefined;
  // `vera@example.org <mallory@example.net>`: an address of somebody else is no name.
  const isOthers =
    /[\w.+-]@[\w-]+\.\w/.test(name) && !name.toLowerCase().includes(email.toLowerCase());
  return { name: isOthers ? "" : name, email };
}
