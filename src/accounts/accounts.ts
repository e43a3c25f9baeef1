import type { Credential } from "../contract/caller.ts";
import type { CallLimits, Plan } from "../contract/limits.ts";

/** Who is asking: accounts, their one key each, plans. */
export interface Accounts {
  /**
   * Who holds this key, as presented by a door; a text of the wrong form or checksum never reaches the store.
   * @returns `undefined` for a missing, invalid or revoked key and for a disabled account: all one 401.
   */
  authenticate(key: string): Identity | undefined;
  /** The built-in account of the command line: no limits (decision 24). */
  readonly operator: Identity;
  /** @returns the new account and its key, shown this once. @throws Problem invalid_request when the e-mail is taken or malformed. */
  create(account: NewAccount): { readonly account: Account; readonly key: string };
  find(email: string): Account | undefined;
  list(): readonly Account[];
  /** @throws Problem not_found for an unknown e-mail, here and below. */
  setPlan(email: string, plan: Plan, limits: OwnLimits): Account;
  setDisabled(email: string, disabled: boolean): Account;
  /** The old key is dead when this returns, in every process (API document, "Authentication", 2). */
  regenerateKey(email: string): string;
  /** A new key for the administrator, on a folder whose key was lost. */
  recoverKey(): { readonly email: string; readonly key: string };
}

export interface Identity {
  readonly accountId: string;
  readonly plan: Plan;
  readonly credential: Credential;
}

/** Limits of the account's own; a field left out means the plan's, `"unlimited"` means none (decision 24). */
export interface OwnLimits {
  readonly callsPerMonth?: number | "unlimited";
  readonly callsPerDay?: number | "unlimited";
}

export interface NewAccount extends OwnLimits {
  readonly email: string;
  readonly plan: Plan;
  readonly administrator?: boolean;
  /** A key the operator chose (ROSTER_ADMIN_KEY); default: a fresh random one. */
  readonly key?: string;
}

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly plan: Plan;
  readonly administrator: boolean;
  readonly disabled: boolean;
  /** In force: the account's own where it has any, else the plan's. */
  readonly limits: CallLimits;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Prefix + 4 and last 4 characters, for people to tell keys apart. */
  readonly keyHint: string | undefined;
  readonly keyLastUsedAt: string | undefined;
}
