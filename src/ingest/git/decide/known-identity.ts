import { formatSelector } from "../../../identity/selector.ts";
import type { AuthorIdentity, IdentityJoin } from "../identify/author-identity.ts";
import type { Community } from "../identify/community.ts";
import type { NamedPerson } from "../identify/login.ts";

export type KnownIdentity = ReturnType<typeof toKnownIdentity>;
export type KnownJoin = ReturnType<typeof toKnownJoin>;

/** Describes one person, with the evidence that joined the author identities. */
export function toKnownIdentity(
  { person, login, derived, formerLogins }: NamedPerson,
  { countWritten }: Pick<Community, "countWritten">,
) {
  const { classified, identities, joins } = person;
  const accounts = identities.flatMap(({ account }) => account ?? []);
  return {
    login,
    /** Whether the login was derived from the e-mail address. */
    derivedLogin: derived,
    formerLogins,
    class: classified.class as string,
    /** Why the person counts as a bot or an assistant. */
    ...(classified.reason && { classReason: classified.reason }),
    /** Accounts as `github.com/login`, including former logins. */
    accounts: listOnce(accounts.map(({ forge, login }) => `${forge}/${login}`)),
    addresses: listOnce(identities.flatMap(({ email, rawEmail }) => [email, rawEmail])),
    /** The author identities, most commits first. */
    spellings: identities.map((identity) => {
      const { name, email, rawEmail, repositories, persona } = identity;
      return {
        name,
        email,
        /** The e-mail address in the commits, if a mailmap replaces it. */
        ...(email !== rawEmail && { commitEmail: rawEmail }),
        /** Commits written under this name and address. The sum is that of the person's analysis. */
        written: countWritten(identity, person),
        repositories: [...repositories].sort(),
        /** The forge that gave this author identity, if no commit has the identity. */
        ...(persona && { forge: persona.forge }),
      };
    }),
    joins: joins.map(toKnownJoin),
  };
}

/** @package Describes a join. The detail is the evidence, such as a file and line, or an address. */
export function toKnownJoin({ kind, detail, spellings: [a, b] }: IdentityJoin) {
  const spellings = [formatAuthorIdentity(a), formatAuthorIdentity(b)] as const;
  return { evidence: kind, detail, spellings };
}

function listOnce(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== ""))].sort();
}

/** @package Formats `Name <e-mail>`. The e-mail address is the one in the commits. */
export function formatAuthorIdentity({ name, rawEmail }: AuthorIdentity): string {
  return formatSelector({ name, address: rawEmail, account: undefined });
}
