/**
 * The port of accounts and quota (docs/architecture.md, "Ports"): plain data in and out, so that another database can
 * implement it. Every method is asynchronous; those that every call needs take a batch. Only `charge` decides: the
 * reads may come from a replica, since every charge checks again.
 */
import type {
  AccountChange,
  AccountRow,
  AddRefusal,
  AuditEntry,
  AuditFilter,
  NewAccountRow,
  NewAuditEntry,
} from "./account-records.ts";
import type { FolderRecords } from "./rows/folder-rows.ts";
import type { SavedRecords } from "./rows/saved-rows.ts";
import type { SignInStore } from "./sign-in-store.ts";

export interface ControlStore {
  /** For each SHA-256 digest, in order: the active key that has it, if its account is not disabled. */
  findKeys(digests: readonly Uint8Array[]): Promise<readonly (KeyHolder | undefined)[]>;
  findAccountByEmail(emailKey: string): Promise<AccountRow | undefined>;
  findAccount(id: string): Promise<AccountRow | undefined>;
  /** Oldest first. */
  listAccounts(): Promise<readonly AccountRow[]>;
  /**
   * Adds the account and the audit entry in one transaction, durable when this resolves, as do the two methods below.
   * @returns why nothing was added. A key that any account has ever had stays taken.
   */
  addAccount(
    account: NewAccountRow,
    key: NewKey | undefined,
    by: NewAuditEntry,
  ): Promise<AddRefusal | undefined>;
  /**
   * Disabling also ends the account's sessions, grants and one-time link; its key stays.
   *
   * @returns why nothing was changed: with `keepsAdministrator`, the last enabled administrator cannot be disabled.
   */
  changeAccount(
    id: string,
    change: AccountChange,
    by: NewAuditEntry,
    options?: { readonly keepsAdministrator: boolean },
  ): Promise<"last administrator" | undefined>;
  /** Revokes the account's active key, if any, and adds the new one. */
  replaceKey(accountId: string, key: NewKey, by: NewAuditEntry): Promise<void>;
  /**
   * Counts the calls in one transaction, durable before this resolves.
   * @returns outcomes in the order of the calls. @throws when the store fails; then nothing was counted.
   */
  charge(
    batch: readonly ChargedCall[],
    now: Date,
    terms: ChargeTerms,
  ): Promise<readonly ChargeOutcome[]>;
  /** The usage of each account, in order, as a charge at `now` would find it. Counts nothing. */
  usages(
    accountIds: readonly string[],
    now: Date,
    terms: ChargeTerms,
  ): Promise<readonly (AccountUsage | undefined)[]>;
  /** Adds an audit entry about a change made elsewhere, e.g. in the pool. */
  record(entry: NewAuditEntry): Promise<void>;
  /** Calls of each account on each UTC day from this one on (`2026-11-21`), oldest first; days without calls are left out. */
  dailyCalls(since: string): Promise<readonly DailyCalls[]>;
  /** Newest first. */
  auditEntries(entriesMax: number, filter?: AuditFilter): Promise<readonly AuditEntry[]>;
  /** @returns the sequence of the first entry that was tampered with; `undefined` when none was. */
  brokenAuditEntry(): Promise<number | undefined>;
  /** Why the clock cannot be trusted, as text for people; `undefined` when it can. */
  clockFault(now: Date): Promise<string | undefined>;
  /** An administrator confirms that the clock is right: windows follow it again. */
  acceptClock(by: NewAuditEntry): Promise<void>;
  /** What is known about the other files of the folder. */
  readonly folder: FolderRecords;
  /** Lists and searches of accounts. */
  readonly saved: SavedRecords;
  /** Passwords, sessions, links, grants. */
  readonly signIn: SignInStore;
  /** The failed write or sync that left the state of the disk unknown: log it and end the process. `undefined`: none. */
  failure(): Error | undefined;
  /** Commits a small write, for readiness. @throws when the store cannot take a charge. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

export interface ControlEvents {
  /** The clock stepped back; calls keep counting in the later window. Called once per step. */
  clockSteppedBack?(step: { readonly seconds: number; readonly fault: string | undefined }): void;
  /** Acknowledged commits are missing from the file. The audit log says so too. */
  writesLost?(message: string): void;
  /** See `failure`. */
  failed?(error: Error): void;
}

interface StoredLimits {
  readonly callsPerMonth: number | undefined;
  readonly callsPerDay: number | undefined;
}

export interface DailyCalls {
  readonly day: string;
  readonly accountId: string;
  readonly calls: number;
}

/** What the store needs to decide a charge: it holds accounts, not plans. */
export interface ChargeTerms {
  readonly plans: Readonly<Record<string, StoredLimits>>;
  /** A plan that ends this many days after the account was created. */
  readonly trial: { readonly plan: string; readonly days: number } | undefined;
}

export interface ChargedCall {
  readonly accountId: string;
  readonly credential: {
    readonly kind: "key" | "grant" | "session" | "operator";
    readonly id: string;
  };
}

export type ChargeOutcome =
  /** `usage` is after this call. */
  | { readonly result: "counted"; readonly usage: AccountUsage }
  | { readonly result: "exhausted" | "trial-over"; readonly usage: AccountUsage }
  /** The credential is no longer valid, or the account is disabled. */
  | { readonly result: "unauthorized" }
  /** This call could not be processed; the others of its batch are not affected. */
  | { readonly result: "failed"; readonly cause: unknown };

export interface AccountUsage {
  readonly month: WindowCount;
  readonly day: WindowCount;
  /** `undefined`: the plan is not a trial. */
  readonly trialEndsMs: number | undefined;
  /** The instant that chose the windows: `now`, or later when the clock stepped back. */
  readonly atMs: number;
}

/** A period that calls are counted in: a UTC month or a UTC day. */
export interface Window {
  /** `2026-11` or `2026-11-21`, which is also the key of its rows. */
  readonly name: string;
  readonly startsMs: number;
  /** The first instant of the next window. */
  readonly endsMs: number;
}

export interface WindowCount {
  readonly window: Window;
  readonly used: number;
  /** `undefined`: unlimited. */
  readonly limit: number | undefined;
}

/** Whether the window has no call left. */
export function isExhausted({ used, limit }: WindowCount): boolean {
  return limit !== undefined && used >= limit;
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
