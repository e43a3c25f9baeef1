/** Interns author identities over all repositories. */

import {
  isGenericAddress,
  normaliseAddress,
  parseKnownNoreply,
  parseNoreplyAddress,
} from "../../../identity/address.ts";
import { listNoreplyHosts } from "../../forges/forge-people.ts";
import type { SignedName } from "../commit/logged-commit.ts";
import { classifyByName, classifyByOperator } from "./author-class.ts";
import type { AuthorIdentity } from "./author-identity.ts";
import { createLineMatcher, type IdentityRules } from "./rules.ts";

export interface AuthorIdentities {
  /** Returns the author identity of a signature, and creates it if it is new. */
  find(signature: SignedName, repository: string): AuthorIdentity;
}

export function createAuthorIdentities(rules: IdentityRules): AuthorIdentities {
  const byKey = new Map<string, AuthorIdentity>();
  const apart = listApart(rules);
  const namesOf = createLineMatcher(rules.names);
  const classesOf = createLineMatcher(rules.classes);
  const hosts = listNoreplyHosts(rules.forges?.content());
  const parseAccount = (address: string) =>
    parseKnownNoreply(address.trim(), hosts) ?? parseNoreplyAddress(address.trim());
  /** Signatures are interned per log, so each object is looked up once. */
  const bySignature = new WeakMap<object, { repository: string; identity: AuthorIdentity }>();

  const make = (signature: SignedName, repository: string): AuthorIdentity => {
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
    let identity = byKey.get(key);
    if (!identity) {
      const author = { name, email, rawEmail, account };
      identity = {
        key,
        ...author,
        properName: namesOf(author).at(-1)?.name,
        commits: 0,
        first: Number.POSITIVE_INFINITY,
        last: Number.NEGATIVE_INFINITY,
        repositories: new Set(),
        classified:
          classifyByOperator(classesOf(author)) ??
          classifyByName({ name, emails: [email, rawEmail] }),
      };
      byKey.set(key, identity);
    }
    identity.repositories.add(repository);
    return identity;
  };
  return {
    find: (signature, repository) => {
      const known = bySignature.get(signature);
      if (known?.repository === repository) return known.identity;
      const identity = make(signature, repository);
      bySignature.set(signature, { repository, identity });
      return identity;
    },
  };
}

/** Pairs of addresses that the operator assigned to two people: no mailmap may map one to the other. */
export function listApart({ statements }: Pick<IdentityRules, "statements">): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { kind, a, b } of statements) {
    if (kind === "same" || a.address === undefined || b.address === undefined) continue;
    found.add(`${a.address}\0${b.address}`).add(`${b.address}\0${a.address}`);
  }
  return found;
}
