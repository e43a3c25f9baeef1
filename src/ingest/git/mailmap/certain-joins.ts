/** Divides a person into those who are certainly one, so that everybody may be told. */
import { toFullName } from "../../../identity/person-name.ts";
import { findBotClue } from "../identity/author-class.ts";
import type { AuthorIdentity, JoinKind, Person } from "../identity/author-identity.ts";

/** By what is stated, whatever people are called. */
const stated: readonly JoinKind[] = [
  ...(["alias file", "decision", "mailmap", "forge account", "account", "same commit"] as const),
];
const certain: readonly JoinKind[] = [...stated, "same e-mail", "same name"];

/** @returns the parts of a person that are certainly one, without identities of machines and several people. */
export function divideByCertainty({
  identities,
  joins,
}: Pick<Person, "identities" | "joins">): readonly ReadonlySet<AuthorIdentity>[] {
  const single = identities.filter(isOnePerson);
  const parts = new Map(single.map((one) => [one, new Set([one])]));
  const order = ({ kind }: { readonly kind: JoinKind }) => certain.indexOf(kind);
  for (const { kind, detail, spellings } of joins.toSorted((a, b) => order(a) - order(b))) {
    const [one, other] = spellings.map((each) => parts.get(each));
    if (!one || !other || one === other || !certain.includes(kind)) continue;
    // Where strangers share an address, it may be the address of either.
    const sharers = single.filter(
      ({ email, rawEmail }) => kind === "same e-mail" && [email, rawEmail].includes(detail),
    );
    if (!stated.includes(kind) && hasStrangers([...one, ...other, ...sharers])) continue;
    for (const each of other) parts.set(each, one.add(each));
  }
  return [...new Set(parts.values())];
}

function hasStrangers(identities: readonly AuthorIdentity[]): boolean {
  const names = identities.flatMap(({ name }) =>
    [toFullName(name) ?? []].filter((each) => each[0]),
  );
  return names.some((name, at) =>
    names.slice(0, at).some((other) => !name.some((word) => other.includes(word))),
  );
}

/** Pairs of programmers commit as `Ada Example and Ben Sample <pair+ada+ben@...>`, or with the address of one of them. */
export function isOnePerson({ name, rawEmail }: AuthorIdentity): boolean {
  if (findBotClue({ name, emails: [] })?.isStrong || /^[^@]*\+[^@]*\+/.test(rawEmail)) return false;
  return !/\s(?:and|und|et|with|&|\+)\s|,.*,|\S\s+\S+,\s*\S+\s/i.test(name);
}
