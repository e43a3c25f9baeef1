/** The people of git histories: an author identity as commits spell it, and the person that several of them are. */
import type { AuthorClass } from "../../../contract/people/facts.ts";
import type { ForgeAccount } from "../../../identity/address.ts";

/** One spelling of an author: name and e-mail after the mailmap, the e-mail before it, and the account behind. */
export interface AuthorIdentity {
  /** Orders and names it the same way in every run. */
  readonly key: string;
  readonly name: string;
  /** What the operator says the person is called. */
  readonly properName: string | undefined;
  /** Both normalised. */
  readonly email: string;
  readonly rawEmail: string;
  readonly account: ForgeAccount | undefined;
  /** Non-merge commits, and the author date of the earliest and latest, in seconds. */
  commits: number;
  first: number;
  last: number;
  /** Repositories it is seen in. */
  readonly repositories: Set<string>;
  classified: AuthorClassification;
}

export interface Person {
  readonly identities: readonly AuthorIdentity[];
  /** At most one of each forge. */
  readonly accounts: readonly ForgeAccount[];
  /** Addresses of all spellings, but for those that only passed on the mail of several people. */
  readonly addresses: ReadonlySet<string>;
  readonly classified: AuthorClassification;
  /** Why its spellings are one: one join less than spellings. */
  readonly joins: readonly IdentityJoin[];
}

/** What brought two spellings, and the groups behind them, together. */
export interface IdentityJoin {
  readonly kind: JoinKind;
  readonly spellings: readonly [AuthorIdentity, AuthorIdentity];
  /** File and line, the decision, repositories, the account, or the address. */
  readonly detail: string;
}

export type JoinKind =
  | "alias file"
  | "decision"
  | "mailmap"
  | "account"
  | "same commit"
  | "same e-mail";

export interface AuthorClassification {
  readonly class: AuthorClass;
  /** Absent for humans. */
  readonly reason: string | undefined;
  /** The operator's word: no list and no behaviour goes against it. */
  readonly isSettled?: true;
}
