/** Splits a person into parts that are certainly one person. */
import { toFullName } from "../../../identity/person-name.ts";
import { type AuthorIdentity, type Person, splitPerson } from "../identify/author-identity.ts";

/** Kinds of joins that are certain, strongest first. */
const certain: readonly string[] = [
  ...["alias file", "decision", "mailmap", "forge account", "account", "same commit"],
  ...["same e-mail", "same name"],
];

/** @returns the parts of a person that are certainly one person. An identity that stands for several people is left out. */
export function splitByCertainty({
  identities,
  joins,
}: Pick<Person, "identities" | "joins">): readonly ReadonlySet<AuthorIdentity>[] {
  const single = identities.filter(isOnePerson);
  const strongest = certain.flatMap((kind) => joins.filter((join) => join.kind === kind));
  return splitPerson(single, strongest, ({ kind, detail }, both) => {
    if (certain.indexOf(kind) <= 5) return true;
    // If strangers share an address, any identity with that address may belong to either stranger.
    const sharers = single.filter(({ email, rawEmail }) => [email, rawEmail].includes(detail));
    return !hasStrangers([...both, ...sharers]);
  });
}

/** Whether two of the full names have no word in common. */
function hasStrangers(identities: readonly AuthorIdentity[]): boolean {
  const names = identities.map(({ name }) => toFullName(name)).filter((name) => name !== undefined);
  const isStranger = (name: readonly string[], other: readonly string[]) =>
    !name.some((word) => other.includes(word));
  return names.some((name, at) => names.slice(0, at).some((other) => isStranger(name, other)));
}

/** Whether an author is one person. `Ada Example and Ben Sample <pair+ada+ben@...>` is a pair. */
export function isOnePerson({ name, rawEmail }: AuthorIdentity): boolean {
  // `Example, Ada` is one person, `Ada Example, Ben Sample` are two.
  const words = name.split(",").map((part) => part.trim().split(/\s+/).length);
  const isList = words.length > 2 || (words.length === 2 && words.every((count) => count > 1));
  const isNamed = isList || /\s(?:and|und|et|with|&|\+)\s/i.test(name);
  return !isNamed && !/^[^@]*\+[^@]*\+/.test(rawEmail);
}
