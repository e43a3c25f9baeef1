/** Keeps one author identity for each spelling of an author, over all repositories, and numbers them. */

import {
  isGenericAddress,
  normaliseAddress,
  parseNoreplyAddress,
} from "../../../identity/address.ts";
import type { Signature } from "../commits/logged-commit.ts";
import { decodeGitText, type Git } from "../git-command.ts";
import { classifyByName, classifyByOperator } from "./author-class.ts";
import type { AuthorIdentity } from "./author-identity.ts";
import { createLineMatcher, type IdentityRules } from "./rules.ts";

export interface AuthorIdentities {
  /** The author identity of a signature; made when new. */
  find(signature: Omit<Signature, "line">, repository: string): AuthorIdentity;
  numberOf(identity: AuthorIdentity): number;
  byNumber(number: number): AuthorIdentity;
}

export function createAuthorIdentities(rules: IdentityRules): AuthorIdentities {
  const identities: AuthorIdentity[] = [];
  const byKey = new Map<string, AuthorIdentity>();
  const numbers = new Map<AuthorIdentity, number>();
  const apart = addressesApart(rules);
  const namesOf = createLineMatcher(rules.names);
  const classesOf = createLineMatcher(rules.classes);
  /** What one log calls by one object need not be looked up again. */
  const bySignature = new WeakMap<object, { repository: string; identity: AuthorIdentity }>();

  const make = (signature: Omit<Signature, "line">, repository: string): AuthorIdentity => {
    const { name } = signature;
    const rawEmail = normaliseAddress(signature.rawEmail);
    const mapped = normaliseAddress(signature.email);
    const isParted = apart.has(`${mapped}\0${rawEmail}`);
    const email = isParted ? rawEmail : mapped;
    const account =
      parseNoreplyAddress(signature.rawEmail.trim()) ??
      (isParted ? undefined : parseNoreplyAddress(signature.email.trim()));
    // A generic address proves nothing beyond its own repository.
    const place = isGenericAddress(email) && !account ? repository : "";
    const key = `${email}\0${name}\0${place}\0${rawEmail}`;
    let identity = byKey.get(key);
    if (!identity) {
      const spelling = { name, email, rawEmail, account };
      identity = {
        key,
        ...spelling,
        properName: namesOf(spelling).at(-1)?.name,
        commits: 0,
        first: Number.POSITIVE_INFINITY,
        last: Number.NEGATIVE_INFINITY,
        repositories: new Set(),
        classified:
          classifyByOperator(classesOf(spelling)) ??
          classifyByName({ name, emails: [email, rawEmail] }),
      };
      byKey.set(key, identity);
      numbers.set(identity, identities.length);
      identities.push(identity);
    }
    identity.repositories.add(repository);
    return identity;
  };
  return {
    find: (signature, repository) => {
      const held = bySignature.get(signature);
      if (held?.repository === repository) return held.identity;
      const identity = make(signature, repository);
      bySignature.set(signature, { repository, identity });
      return identity;
    },
    numberOf: (identity) => numbers.get(identity) ?? 0,
    byNumber: (number) => {
      const identity = identities[number];
      if (!identity) throw new Error(`No author identity has the number ${number}.`);
      return identity;
    },
  };
}

/** Pairs of addresses that somebody has said to be two people's: no mailmap makes one of them the other. */
function addressesApart({ statements }: IdentityRules): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { kind, a, b } of statements) {
    if (kind === "same" || a.address === undefined || b.address === undefined) continue;
    found.add(`${a.address}\0${b.address}`).add(`${b.address}\0${a.address}`);
  }
  return found;
}

/**
 * What Co-authored-by trailers name, after the repository's mailmap.
 *
 * @returns by trailer value; values without an address are left out.
 */
export async function mapCoAuthors(
  git: Git,
  repository: { readonly directory: string },
  trailers: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Omit<Signature, "line">>> {
  const named = [...trailers].flatMap((trailer) => {
    const { name = "", email = "" } = readSignature(trailer) ?? {};
    return email.trim() ? [{ trailer, name, rawEmail: email.trim() }] : [];
  });
  if (named.length === 0) return new Map();
  const input = named.map(({ name, rawEmail }) => `${name} <${rawEmail}>`.trim()).join("\n");
  const output = decodeGitText(
    await git.read(repository.directory, ["check-mailmap", "--stdin"], `${input}\n`),
  );
  const lines = output.split("\n");
  return new Map(
    named.map(({ trailer, name, rawEmail }, at) => {
      const mapped = readSignature(lines[at] ?? "");
      return [trailer, { name: mapped?.name || name, email: mapped?.email ?? rawEmail, rawEmail }];
    }),
  );
}

/** `Name <address>` on one line. Written as steps, so that no line takes more than linear time. */
function readSignature(
  text: string,
): { readonly name: string; readonly email: string } | undefined {
  const line = text.trim();
  const open = line.lastIndexOf("<");
  const email = line.slice(open + 1, -1);
  if (open === -1 || !line.endsWith(">") || /[>\n]/.test(email)) return undefined;
  const name = line.slice(0, open).trim();
  return name.includes("\n") ? undefined : { name, email };
}
