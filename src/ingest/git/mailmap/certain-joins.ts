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

/** @returns the parts of a person that are joined with certainty. */
export function splitByCertainty({
  identities,
  joins,
}: Pick<Person, "identities" | "joins">): readonly ReadonlySet<AuthorIdentity>[] {
  const parts = new Map(identities.map((identity) => [identity, new Set([identity])]));
  const unite = ({ kind, spellings: [a, b] }: IdentityJoin): void => {
    const [one, other] = [parts.get(a), parts.get(b)];
    if (!one || !other || one === other) return;
    if (!stated.has(kind) && !haveOneName([...one], [...other])) return;
    for (const member of other) parts.set(member, one.add(member));
  };
  const sure = joins.filter(({ kind }) => certain.has(kind));
  for (const join of sure.filter(({ kind }) => stated.has(kind))) unite(join);
  for (const join of sure) unite(join);
  return [...new Set(parts.values())];
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
