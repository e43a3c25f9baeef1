/**
 * The port (docs/architecture.md, "Ports"): what accounts and quota need of a store, narrow, plain data in and out, so
 * that another database can stand behind it. Every method is asynchronous, and what every call needs takes a batch.
 * `charge` alone decides; the reads may come from a replica, since every charge looks again.
 */
import type {
  AccountChange,
  AccountRow,
  AddRefusal,
  AuditEntry,
  NewAccountRow,
  NewAuditEntry,
} from "./account-records.ts";
import type { SignInStore } from "./sign-in-store.ts";

export interface ControlStore {
  /** For each SHA-256, in order: the live key that has it, on an account that is not disabled. */
  findKeys(digests: readonly Uint8Array[]): Promise<readonly (KeyHolder | undefined)[]>;
  findAccountByEmail(emailKey: string): Promise<AccountRow | undefined>;
  findAccount(id: string): Promise<AccountRow | undefined>;
  /** Oldest first. */
  listAccounts(): Promise<readonly AccountRow[]>;
  /**
   * One transaction together with its audit entry, durable when it resolves; so are the two below.
   * @returns why nothing was added: a key is taken for ever once any account has had it.
   */
  addAccount(
    account: NewAccountRow,
    key: NewKey | undefined,
    by: NewAuditEntry,
  ): Promise<AddRefusal | undefined>;
  /**
   * Disabling ends all that speaks for the account but its key: sessions, grants, its link.
   *
   * @returns why nothing was changed: only with `keepsAdministrator`, for the last administrator who is not disabled.
   */
  changeAccount(
    id: string,
    change: AccountChange,
    by: NewAuditEntry,
    options?: { readonly keepsAdministrator: boolean },
  ): Promise<"last administrator" | undefined>;
  /** Revokes the account's live key, if any, and takes the new one into use. */
  replaceKey(accountId: string, key: NewKey, by: NewAuditEntry): Promise<void>;
  /**
   * Counts calls, all in one transaction, durable before this resolves; outcomes in the order of the calls.
   * Rejects as a whole when the store fails; then nothing was counted.
   */
  charge(
    batch: readonly ChargedCall[],
    now: Date,
    terms: ChargeTerms,
  ): Promise<readonly ChargeOutcome[]>;
  /** Usage of each account as a charge at `now` would find it, in order; nothing counted. */
  usages(
    accountIds: readonly string[],
    now: Date,
    terms: ChargeTerms,
  ): Promise<readonly (AccountUsage | undefined)[]>;
  /** Logs what was done elsewhere, e.g. to the pool. */
  record(entry: NewAuditEntry): Promise<void>;
  /** Newest first. */
  auditEntries(entriesMax: number): Promise<readonly AuditEntry[]>;
  /** @returns the sequence of the first entry that was tampered with. */
  brokenAuditEntry(): Promise<number | undefined>;
  /** Why the clock cannot be trusted, for people and readiness; `undefined` when it can. */
  clockFault(now: Date): Promise<string | undefined>;
  /** An administrator says that the clock is right: windows follow it again. */
  acceptClock(by: NewAuditEntry): Promise<void>;
  /** Passwords, sessions, links, grants. */
  readonly signIn: SignInStore;
  /** Set once a write or sync failed in a way that leaves the disk in doubt: log it and end the process. */
  failure(): Error | undefined;
  /** Writes and commits a byte, for readiness. Rejects when the store cannot take a charge. */
  probe(): Promise<void>;
  close(): Promise<void>;
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

/** One stretch of time that calls are counted over: a UTC month or a UTC day. */
export interface Window {
  /** `2026-11` or `2026-11-21`: also the key of its rows. */
  readonly name: string;
  readonly startsMs: number;
  /** The first instant of the next one. */
  readonly endsMs: number;
}

export interface WindowCount {
  readonly window: Window;
  readonly used: number;
  /** `undefined`: unlimited. */
  readonly limit: number | undefined;
}

export interface KeyHolder {
  readonly keyId: string;
  readonly accountId: string;
  readonly plan: string;
}

export interface NewKey {
  readonly id: string;
  readonly digest: Uint8Array;
  readonly hint: string;
  readonly createdMs: number;
}
