/**
 * The port of accounts and quota (docs/architecture.md, "Ports"). It takes and returns plain data, so that any database can
 * implement it. Methods that run for every call take a batch. Reads may be outdated, because every charge checks again.
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
  /** Returns for each SHA-256 digest, in order, the active key with that digest, unless its account is disabled. */
  findKeys(digests: readonly Uint8Array[]): Promise<readonly (KeyHolder | undefined)[]>;
  findAccountByEmail(emailKey: string): Promise<AccountRow | undefined>;
  findAccount(id: string): Promise<AccountRow | undefined>;
  /** Returns all accounts, the oldest first. */
  listAccounts(): Promise<readonly AccountRow[]>;
  /**
   * Adds the account and the audit entry in one transaction, which is durable when this resolves. The next two methods do the
   * same.
   * @returns why nothing was added. A key that any account has ever had cannot be used again.
   */
  addAccount(
    account: NewAccountRow,
    key: NewKey | undefined,
    by: NewAuditEntry,
  ): Promise<AddRefusal | undefined>;
  /**
   * Changes an account. Disabling it also ends its sessions, grants and one-time link, but keeps its key.
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
   * Counts the calls in one transaction, which is durable before this resolves.
   * @returns outcomes in the order of the calls. @throws if the store fails; then nothing was counted.
   */
  charge(
    batch: readonly ChargedCall[],
    now: Date,
    terms: ChargeTerms,
  ): Promise<readonly ChargeOutcome[]>;
  /** Returns the usage of each account at `now`, in order. Counts nothing. */
  usages(
    accountIds: readonly string[],
    now: Date,
    terms: ChargeTerms,
  ): Promise<readonly (AccountUsage | undefined)[]>;
  /** Adds an audit entry about a change made elsewhere, e.g. in the pool. */
  record(entry: NewAuditEntry): Promise<void>;
  /** Returns the calls of each account on each UTC day from `since` (`2026-11-21`) on, oldest first. Omits days without calls. */
  dailyCalls(since: string): Promise<readonly DailyCalls[]>;
  /** Returns the newest entries first. */
  auditEntries(entriesMax: number, filter?: AuditFilter): Promise<readonly AuditEntry[]>;
  /** @returns the sequence number of the first entry that was tampered with; `undefined` if there is none. */
  brokenAuditEntry(): Promise<number | undefined>;
  /** Describes why the clock cannot be trusted; `undefined` if it can. */
  clockFault(now: Date): Promise<string | undefined>;
  /** Records that an administrator has confirmed the clock. Windows then follow the clock again. */
  acceptClock(by: NewAuditEntry): Promise<void>;
  /** What the store records about the other files of the data folder. */
  readonly folder: FolderRecords;
  /** Lists of people and saved searches. */
  readonly saved: SavedRecords;
  /** Passwords, sessions, links, grants. */
  readonly signIn: SignInStore;
  /** Returns the failed write or sync that stopped the store; `undefined` if there is none. Log it and end the process. */
  failure(): Error | undefined;
  /** Commits a small write, to check readiness. @throws if the store cannot take a charge. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

export interface ControlEvents {
  /** Called once for each step back of the clock. Calls are then counted in the later window. */
  clockSteppedBack?(step: { readonly seconds: number; readonly fault: string | undefined }): void;
  /** Called when acknowledged commits are missing from the file. The audit log also records it. */
  writesLost?(message: string): void;
  /** Called when the store has failed for good; see `failure`. */
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

/** The plans' limits and the trial, which a charge needs and the store does not contain. */
export interface ChargeTerms {
  readonly plans: Readonly<Record<string, StoredLimits>>;
  /** The trial plan. An account's trial ends this many days after the account was created. */
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
  /** `usage` includes this call. */
  | { readonly result: "counted"; readonly usage: AccountUsage }
  | { readonly result: "exhausted" | "trial-over"; readonly usage: AccountUsage }
  /** The credential is no longer valid, or the account is disabled. */
  | { readonly result: "unauthorized" }
  /** This call could not be processed. The other calls of its batch are not affected. */
  | { readonly result: "failed"; readonly cause: unknown };

export interface AccountUsage {
  readonly month: WindowCount;
  readonly day: WindowCount;
  /** `undefined`: the plan is not a trial. */
  readonly trialEndsMs: number | undefined;
  /** The instant that decided the windows: `now`, or a later one if the clock stepped back. */
  readonly atMs: number;
}

/** A period in which calls are counted: a UTC month or a UTC day. */
export interface Window {
  /** `2026-11` or `2026-11-21`. It is also the key of the window's rows. */
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

/** Whether no call is left in the window. */
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
