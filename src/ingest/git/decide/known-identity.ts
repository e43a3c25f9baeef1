import { formatSelector } from "../../../identity/selector.ts";
import type { AuthorIdentity, IdentityJoin, JoinKind } from "../identify/author-identity.ts";
import type { NamedPerson } from "../identify/login.ts";

/** One person of the histories, and the evidence that joined their author identities. */
export interface KnownIdentity {
  readonly login: string;
  /** Whether the login was derived from the e-mail, since no account of a forge is known. */
  readonly derivedLogin: boolean;
  /** Further logins that lead to this person: the logins that its author identities would have alone. */
  readonly formerLogins: readonly string[];
  readonly class: string;
  /** Why the person counts as a bot or an assistant. */
  readonly classReason?: string;
  /** As `github.com/login`, earlier logins of an account included. */
  readonly accounts: readonly string[];
  /** Every address of the author identities, generic ones included, before and after the mailmap. */
  readonly addresses: readonly string[];
  /** The author identities, most commits first. */
  readonly spellings: readonly {
    readonly name: string;
    readonly email: string;
    /** The e-mail of the commits, when a mailmap replaces it. */
    readonly commitEmail?: string;
    readonly commits: number;
    readonly repositories: readonly string[];
    /** The forge that it comes from, if it comes from no commit. */
    readonly forge?: string;
  }[];
  /** One fewer than `spellings`. */
  readonly joins: readonly KnownJoin[];
}

export interface KnownJoin {
  readonly evidence: JoinKind;
  /** File and line, decision, repositories, account or address. */
  readonly detail: string;
  /** `Name <commit e-mail>` */
  readonly spellings: readonly [string, string];
}

export function toKnownIdentity(named: NamedPerson): KnownIdentity {
  const { person, login, derived, formerLogins } = named;
  const { classified, identities, joins } = person;
  const accounts = identities.flatMap(({ account }) => account ?? []);
  return {
    login,
    derivedLogin: derived,
    formerLogins,
    class: classified.class,
    ...(classified.reason && { classReason: classified.reason }),
    accounts: listOnce(accounts.map(({ forge, login }) => `${forge}/${login}`)),
    addresses: listOnce(identities.flatMap(({ email, rawEmail }) => [email, rawEmail])),
    spellings: identities.map(({ name, email, rawEmail, commits, repositories, persona }) => ({
      name,
      email,
      ...(email !== rawEmail && { commitEmail: rawEmail }),
      commits,
      repositories: [...repositories].sort(),
      ...(persona && { forge: persona.forge }),
    })),
    joins: joins.map(toKnownJoin),
  };
}

/** @package */
export function toKnownJoin({ kind, detail, spellings: [a, b] }: IdentityJoin): KnownJoin {
  const spellings = [formatAuthorIdentity(a), formatAuthorIdentity(b)] as const;
  return { evidence: kind, detail, spellings };
}

function listOnce(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== ""))].sort();
}

/** @package `Name <e-mail>` with the e-mail of the commits. */
export function formatAuthorIdentity({ name, rawEmail }: AuthorIdentity): string {
  return formatSelector({ name, address: rawEmail, account: undefined });
}
