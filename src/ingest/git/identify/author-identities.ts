import {
  isGenericAddress,
  normaliseAddress,
  parseKnownNoreply,
  parseNoreplyAddress,
} from "../../../identity/address.ts";
import { listNoreplyHosts } from "../../forges/forge-people.ts";
import type { SignedName } from "../commit/logged-commit.ts";
import { classifyByName, classifyByOperator } from "./author-class.ts";
import { type AuthorIdentity, noCommits } from "./author-identity.ts";
import { createLineMatcher, type IdentityRules } from "./rules.ts";

/** @returns a function that finds the author identity of a signature. Equal signatures give the same object. */
export function createIdentityFinder(
  rules: IdentityRules,
): (signature: SignedName, repository: string) => AuthorIdentity {
  const byKey = new Map<string, AuthorIdentity>();
  const apart = listApart(rules);
  const namesOf = createLineMatcher(rules.names);
  const classesOf = createLineMatcher(rules.classes);
  const hosts = listNoreplyHosts(rules.forges?.content());
  const parseAccount = (address: string) =>
    parseKnownNoreply(address.trim(), hosts) ?? parseNoreplyAddress(address.trim());
  return (signature, repository) => {
    const { name } = signature;
    const rawEmail = normaliseAddress(signature.rawEmail);
    const mapped = normaliseAddress(signature.email);
    const isApart = apart.has(`${mapped}\0${rawEmail}`);
    const email = isApart ? rawEmail : mapped;
    const account =
      parseAccount(signature.rawEmail) ?? (isApart ? undefined : parseAccount(signature.email));
    // A generic address identifies an author only within one repository.
    const place = isGenericAddress(email) && !account ? repository : "";
    const key = `${email}\0${name}\0${place}\0${rawEmail}`;
    const identity = byKey.getOrInsertComputed(key, () => {
      const author = { name, email, rawEmail, account };
      const operator = classifyByOperator(classesOf(author));
      return {
        ...{ key, ...author, ...noCommits, repositories: new Set<string>() },
        properName: namesOf(author).at(-1)?.name,
        classified: operator ?? classifyByName({ name, emails: [email, rawEmail] }),
      };
    });
    identity.repositories.add(repository);
    return identity;
  };
}

/** Lists pairs of addresses that the operator assigns to different people. */
export function listApart({ statements }: Pick<IdentityRules, "statements">): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { kind, a, b } of statements) {
    if (kind === "same" || a.address === undefined || b.address === undefined) continue;
    found.add(`${a.address}\0${b.address}`).add(`${b.address}\0${a.address}`);
  }
  return found;
}
