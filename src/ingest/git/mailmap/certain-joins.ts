/** Which author identities of a person are the same person for certain, so that everybody may be told so. */
import { type FullName, toFullName } from "../../../identity/person-name.ts";
import type {
  AuthorIdentity,
  IdentityJoin,
  JoinKind,
  Person,
} from "../identity/author-identity.ts";

/** These do not depend on what people are called. */
const stated: ReadonlySet<JoinKind> = new Set([
  ...(["alias file", "decision", "mailmap", "forge account", "account", "same commit"] as const),
]);
const certain: ReadonlySet<JoinKind> = new Set([...stated, "same e-mail", "same name"]);

/**
 * @returns the parts of a person that are joined with certainty, without identities of several people, and whether somebody who
 *   knows the people may be asked about the rest: two who share commits with others may be anybody.
 */
export function splitByCertainty({ identities, joins }: Pick<Person, "identities" | "joins">): {
  readonly parts: readonly ReadonlySet<AuthorIdentity>[];
  readonly isAsked: boolean;
} {
  const single = identities.filter((one) => !isOfSeveral(one));
  const parts = new Map(single.map((identity) => [identity, new Set([identity])]));
  const unclear = listUnclearAddresses(single);
  const unite = ({ kind, spellings: [a, b] }: IdentityJoin): void => {
    const [one, other] = [parts.get(a), parts.get(b)];
    if (!one || !other || one === other) return;
    if (!stated.has(kind)) {
      const isUnclear = [a, b].some(
        ({ name, rawEmail }) => unclear.has(rawEmail) && !toFullName(name),
      );
      if (isUnclear || !haveOneName([...one], [...other])) return;
    }
    for (const member of other) parts.set(member, one.add(member));
  };
  const sure = joins.filter(({ kind }) => certain.has(kind));
  for (const join of sure.filter(({ kind }) => stated.has(kind))) unite(join);
  for (const join of sure) unite(join);
  return { parts: [...new Set(parts.values())], isAsked: single.length === identities.length };
}

/** Pairs of programmers commit as `Ada Example and Ben Sample <pair+ada+ben@...>`, and with the address of one of them. */
function isOfSeveral({ name, rawEmail }: AuthorIdentity): boolean {
  const isAddress = /^[^@]*\+[^@]*\+/.test(rawEmail);
  return isAddress || /\s(?:and|und|et|with|&|\+)\s|,.*,|\S\s+\S+,\s*\S+\s/i.test(name);
}

/** Addresses with several full names that share no word: who else commits with one may be any of them. */
function listUnclearAddresses(identities: readonly AuthorIdentity[]): ReadonlySet<string> {
  const sharers = Map.groupBy(identities, ({ rawEmail }) => rawEmail);
  const unclear = [...sharers].filter(([, some]) =>
    some.some((one, at) => some.slice(0, at).some((other) => !haveOneName([one], [other]))),
  );
  return new Set(unclear.map(([address]) => address));
}

/** Whether each full name of one has a word of a full name of the other, or one of them has none. */
function haveOneName(one: readonly AuthorIdentity[], other: readonly AuthorIdentity[]): boolean {
  const [names, others] = [one, other].map(listFullNames) as [FullName[], FullName[]];
  if (names.length === 0 || others.length === 0) return true;
  const isLike = (name: FullName, some: readonly FullName[]) =>
    some.some((each) => each.some((word) => name.includes(word)));
  return names.every((name) => isLike(name, others)) && others.every((name) => isLike(name, names));
}

function listFullNames(identities: readonly AuthorIdentity[]): FullName[] {
  return identities.flatMap(({ name }) => {
    const full = toFullName(name);
    return full ? [full] : [];
  });
}
