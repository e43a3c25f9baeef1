/** A person named in a trailer. Anybody can write a trailer, so it is no evidence that two addresses are one person. */

export interface TrailerPerson {
  /** The name; empty if the trailer has only an address. */
  readonly name: string;
  readonly email: string;
}

/** Limits in characters. No person has a longer name or address. */
export const personNameMax = 256;
export const addressMax = 320;

/**
 * Parses `Name <address>`, or several separated by commas, semicolons, `&` or `and`, in linear time.
 * @returns an empty list for any other text, and if one of several addresses has no name.
 */
export function parseSignatures(text: string): readonly TrailerPerson[] {
  const parts = text.trim().split(">");
  if (parts.pop() !== "" || parts.length > peopleMax) return [];
  const found = parts.map((part, at) => parseOne(at === 0 ? part : withoutSeparator(part)));
  const people = found.filter((one) => one !== undefined);
  const isClear = people.length === found.length;
  return isClear && (people.length < 2 || people.every(({ name }) => name)) ? people : [];
}

/** The most people in one trailer. Trailers of real commits name fewer. */
const peopleMax = 100;

/** @returns the text after the separator; empty without a separator, so that it names nobody. */
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
  // In `vera@example.org <mallory@example.net>`, the first part is another person's address rather than a name.
  const isOthers =
    /[\w.+-]@[\w-]+\.\w/.test(name) && !name.toLowerCase().includes(email.toLowerCase());
  return { name: isOthers ? "" : name, email };
}
