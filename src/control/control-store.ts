/**
 * The port (docs/architecture.md, "Ports"): what accounts and quota need of a store, narrow, plain data in and out, so
 * that another engine can sit behind it. `charge` alone decides, and it alone is asynchronous; the reads
 * may come from a copy that follows, since every charge looks again.
 */
import type { SignInStore } from "./sign-in-store.ts";
import type { Window } from "./sqlite/windows.ts";

export interface ControlStore {
  /** The live key with this SHA-256, on an account that is not disabled. */
  findKey(digest: Uint8Array): KeyHolder | undefined;
  findAccountByEmail(emailKey: string): AccountRow | undefined;
  findAccount(id: string): AccountRow | undefined;
  /** Oldest first. */
  listAccounts(): readonly AccountRow[];
  /**
   * One transaction together with its audit entry, durable when it returns; so are the two below.
   * @returns why nothing was added: a key is taken for ever once any account has had it.
   */
  addAccount(
    account: NewAccountRow,
    key: NewKey | undefined,
    by: NewAuditEntry,
  ): AddRefusal | undefined;
  /** Disabling ends all that speaks for the account but its key: sessions, grants, its link. */
  changeAccount(id: string, change: AccountChange, by: NewAuditEntry): void;
  /** Revokes the account's live key, if any, and takes the new one into use. */
  replaceKey(accountId: string, key: NewKey, by: NewAuditEntry): void;
  /**
   * Counts calls, all in one transaction, durable before this resolves; outcomes in the order of the calls.
   * Rejects as a whole when the store fails; then nothing was counted.
   */
  charge(
    batch: readonly ChargedCall[],
    now: Date,
    terms: ChargeTerms,
  ): Promise<readonly ChargeOutcome[]>;
  /** Usage as a charge at `now` would find it; nothing counted. */
  usage(accountId: string, now: Date, terms: ChargeTerms): AccountUsage | undefined;
  /** Logs what was done elsewhere, e.g. to the pool. */
  record(entry: NewAuditEntry): void;
  /** Newest first. */
  auditEntries(entriesMax: number): readonly AuditEntry[];
  /** @returns the sequence of the first entry that was tampered with. */
  brokenAuditEntry(): number | undefined;
  /** Why the clock cannot be trusted, for people and readiness; `undefined` when it can. */
  clockFault(now: Date): string | undefined;
  /** An administrator says that the clock is right: windows follow it again. */
  acceptClock(by: NewAuditEntry): void;
  /** Passwords, sessions, links, grants. */
  readonly signIn: SignInStore;
  /** Set once a write or sync failed in a way that leaves the disk in doubt: log it and end the process. */
  failure(): Error | undefined;
  /** Writes and commits a byte, for readiness. @throws when the store cannot take a charge. */
  probe(): void;
  close(): void;
}

export interface ControlEvents {
  /** The clock went back; calls keep counting in the later window. Once per step. */
  clockSteppedBack?(step: { readonly seconds: number; readonly fault: string | undefined }): void;
  /** Commits that had been acknowledged are gone from the file. Also in the audit log. */
  writesLost?(message: string): void;
  /** See `failure`. */
  failed?(error: Error): void;
}

export interface StoredLimits {
  readonly callsPerMonth: number | undefined;
  readonly callsPerDay: number | undefined;
}

/**
 * @param own the account's own limit as stored: null is the plan's, -1 is none.
 * @returns `undefined` for unlimited.
 */
export function selectLimit(own: number | null, planned: number | undefined): number | undefined {
  if (own === null) return planned;
  return own < 0 ? undefined : own;
}

/** What the store must know to decide: it holds accounts, not plans. */
export interface ChargeTerms {
  readonly plans: Readonly<Record<string, StoredLimits>>;
  /** A plan that ends so many days after the account was made. */
  readonly trial: { readonly plan: string; readonly days: number } | undefined;
}

export interface ChargedCall {
  readonly accountId: string;
  readonly credential: { readonly kind: "key" | "grant" | "operator"; readonly id: string };
}

export type ChargeOutcome =
  /** `usage` is after this call. */
  | { readonly result: "counted"; readonly usage: AccountUsage }
  | { readonly result: "exhausted" | "trial-over"; readonly usage: AccountUsage }
  /** The credential is dead or the account disabled. */
  | { readonly result: "unauthorized" }
  /** This call could not be looked at; the others of its batch are not concerned. */
  | { readonly result: "failed"; readonly cause: unknown };

export interface AccountUsage {
  readonly month: WindowCount;
  readonly day: WindowCount;
  /** For an account whose plan is a trial. */
  readonly trialEndsMs: number | undefined;
  /** The instant that chose the windows: `now`, or later when the clock stepped back. */
  readonly atMs: number;
}

export interface WindowCount {
  readonly window: Window;
  readonly used: number;
  /** `undefined`: unlimited. */
  readonly limit: number | undefined;
}

export interface AddRefusal {
  readonly ok: false;
  readonly code: "account_taken" | "key_taken";
}

export interface KeyHolder {
  readonly keyId: string;
  readonly accountId: string;
  readonly plan: string;
}

export interface NewAccountRow {
  readonly id: string;
  readonly email: string;
  /** The e-mail in the form it is compared in. */
  readonly emailKey: string;
  readonly plan: string;
  /** `null`: the plan's; -1: unlimited. */
  readonly callsPerMonth: number | null;
  readonly callsPerDay: number | null;
  readonly administrator: boolean;
  readonly createdMs: number;
}

export interface AccountRow extends NewAccountRow {
  readonly disabled: boolean;
  readonly keyHint: string | undefined;
  /** To the minute. */
  readonly keyLastUsedMs: number | undefined;
}

export type AccountChange = Partial<
  Pick<AccountRow, "plan" | "callsPerMonth" | "callsPerDay" | "disabled">
>;

export interface NewKey {
  readonly id: string;
  readonly digest: Uint8Array;
  readonly hint: string;
  readonly createdMs: number;
}

export interface NewAuditEntry {
  readonly at: Date;
  readonly actor: string;
  /** `account.created`, `key.replaced`, `plan.changed` ... */
  readonly action: string;
  /** Whom or what it is about: an account id, a receipt. */
  readonly subject: string;
  /** Never a secret. */
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
}

export interface AuditEntry extends Omit<NewAuditEntry, "at"> {
  readonly sequence: number;
  /** ISO 8601, UTC. */
  readonly at: string;
}
