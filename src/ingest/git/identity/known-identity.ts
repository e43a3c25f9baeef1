import { formatSelector, type Selector } from "../../../identity/selector.ts";
import type { AuthorIdentity, JoinKind } from "./author-identity.ts";
import type { NamedPerson } from "./login.ts";

/** One person as the histories show them, with what made their spellings one. */
export interface KnownIdentity {
  readonly login: string;
  /** No account of a forge is known; the login was made from the e-mail. */
  readonly derivedLogin: boolean;
  readonly class: string;
  /** Why it is taken for a bot or an assistant. */
  readonly classReason?: string;
  /** As `github.com/login`. */
  readonly accounts: readonly string[];
  /** Most commits first. */
  readonly spellings: readonly {
    readonly name: string;
    readonly email: string;
    /** As the commits say, where a mailmap gives another one. */
    readonly commitEmail?: string;
    readonly commits: number;
    readonly repositories: readonly string[];
  }[];
  /** One less than spellings. */
  readonly joins: readonly {
    readonly evidence: JoinKind;
    /** File and line, decision, repositories, account or address. */
    readonly detail: string;
    /** `Name <commit e-mail>` */
    readonly spellings: readonly [string, string];
  }[];
}

/** @package */
export function toKnownIdentity({ person, login, derived }: NamedPerson): KnownIdentity {
  const { classified, accounts, identities, joins } = person;
  return {
    login,
    derivedLogin: derived,
    class: classified.class,
    ...(classified.reason && { classReason: classified.reason }),
    accounts: accounts.map((account) => `${account.forge}/${account.login}`),
    spellings: identities.map(({ name, email, rawEmail, commits, repositories }) => ({
      name,
      email,
      ...(email !== rawEmail && { commitEmail: rawEmail }),
      commits,
      repositories: [...repositories].sort(),
    })),
    joins: joins.map(({ kind, detail, spellings: [a, b] }) => ({
      evidence: kind,
      detail,
      spellings: [formatAuthorIdentity(a), formatAuthorIdentity(b)],
    })),
  };
}

/** @package `Name <e-mail>`, as the commits have it. */
export function formatAuthorIdentity({ name, rawEmail }: AuthorIdentity): string {
  return formatSelector(markOf({ name, address: rawEmail }));
}

function markOf({ name, address }: { name: string; address: string }): Selector {
  return { name, address, account: undefined };
}
