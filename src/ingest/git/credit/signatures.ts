/** A person named in a trailer. */

export interface TrailerPerson {
  /** The name; empty if the trailer has only an address. */
  readonly name: string;
  readonly email: string;
}

/** The most characters in the name and the address of a person. */
export const personNameMax = 256;
export const addressMax = 320;

/**
 * Parses `Name <address>`, or several such people. People are separated by a comma, a semicolon, `&` or `and`.
 * @returns an empty list for any other text, and if one of several people has no name.
 */
export function parseSignatures(text: string): readonly TrailerPerson[] {
  const parts = text.trim().split(">");
  if (parts.pop() !== "" || parts.length > peopleMax) return [];
  const found = parts.map((part, at) => parseOne(at === 0 ? part : withoutSeparator(part)));
  const people = found.filter((one) => one !== undefined);
  const isClear = people.length === found.length;
  return isClear && (people.length < 2 || people.every(({ name }) => name)) ? people : [];
}

const peopleMax = 100;

/** @returns the text after the separator; empty if there is no separator. */
function withoutSeparator(part: string): string {
  return /^\s*(?:[,;&]|and\s)(.*)$/is.exec(part)?.[1] ?? "";
}

function parseOne(text: string): TrailerPerson | undefined {
  const [written = "", address, ...others] = text.split("<");
  // Mail programs put some names in quotes.
  const [, , quoted] = /^(["'])(.+)\1$/s.exec(written.trim()) ?? [];
  const name = quoted?.replace(/\\(["'\\])/g, "$1").trim() ?? written.trim();
  const email = address?.trim() ?? "";
  const isPlausible = name.length <= personNameMax && email.length <= addressMax;
  if (others.length > 0 || email === "" || !isPlausible || /[\n\r]/.test(name + email))
    return undefined;
  if (/[\s,;]/.test(email) && email.indexOf("@") !== email.lastIndexOf("@")) return undefined;
  // In `vera@example.org <mallory@example.net>`, the first part is the address of someone else and not a name.
  const isOthers =
    /[\w.+-]@[\w-]+\.\w/.test(name) && !name.toLowerCase().includes(email.toLowerCase());
  return { name: isOthers ? "" : name, email };
}
