/** The port of accounts and quota (docs/architecture.md, "Ports"). Reads may be outdated, because every charge checks again. */
import type { Credential } from "../contract/caller.ts";
import type { CallLimits } from "../contract/limits.ts";
import type { NewAuditEntry } from "./account-records.ts";
import type { ControlRows } from "./rows/control-rows.ts";
import type { SignInRecords } from "./sign-in-store.ts";

export interface ControlStore extends ControlRows {
  /** Returns the key for each SHA-256 digest. It is `undefined` if the key or its account is not active. */
  findKeys(digests: readonly Uint8Array[]): Promise<readonly (KeyHolder | undefined)[]>;
  /**
   * Counts the calls in one transaction, which is durable before this resolves.
   * @returns the outcome of each call, in the order of the calls. @throws if the store fails. Then no call was counted.
   */
  charge(
    batch: readonly ChargedCall[],
    now: Date,
    terms: ChargeTerms,
  ): Promise<readonly ChargeOutcome[]>;
  /** Returns the usage of each account at `now`. No call is counted. */
  usages(
    accountIds: readonly string[],
    now: Date,
    terms: ChargeTerms,
  ): Promise<readonly (AccountUsage | undefined)[]>;
  /** Describes why the clock cannot be trusted. `undefined` means that it can be trusted. */
  clockFault(now: Date): Promise<string | undefined>;
  /** Records that an administrator has confirmed the clock. Calls are then counted at the clock's time again. */
  acceptClock(by: NewAuditEntry): Promise<void>;
  readonly signIn: ControlRows["signIn"] & { readonly records: SignInRecords };
  /** Returns the error that stopped the store. The process must then end. `undefined` means that the store works. */
  failure(): Error | undefined;
  /** Commits a small write. @throws if the store cannot count calls. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

export interface ControlEvents {
  /** Called once for each step back of the clock. */
  clockSteppedBack?(step: { readonly seconds: number; readonly fault: string | undefined }): void;
  /** Called when acknowledged commits are missing from the file. */
  writesLost?(message: string): void;
  /** Called when the store has failed for good. */
  failed?(error: Error): void;
}

/** The limits of the plans, and the trial. The store does not contain them. */
export interface ChargeTerms {
  readonly plans: Readonly<Record<string, CallLimits>>;
  /** The trial plan. An account's trial ends this many days after the account was created. */
  readonly trial: { readonly plan: string; readonly days: number } | undefined;
}

export interface ChargedCall {
  readonly accountId: string;
  readonly credential: Credential;
  /** The number of calls that it costs; all are counted or none. Default: 1. */
  readonly calls?: number | undefined;
  readonly repeatable?: RepeatableCall | undefined;
}

/** SHA-256 digests of a call's Idempotency-Key and of its request. */
export interface RepeatableCall {
  readonly key: Uint8Array;
  readonly request: Uint8Array;
}

export type ChargeOutcome =
  /** `usage` includes this call. */
  | { readonly result: "counted"; readonly usage: AccountUsage }
  | { readonly result: "exhausted" | "trial-over"; readonly usage: AccountUsage }
  /** A call with the same key and the same request was counted already. */
  | { readonly result: "repeated"; readonly usage: AccountUsage }
  /** A call with the same key and another request was counted already. */
  | { readonly result: "other-request" }
  /** The credential is no longer valid, or the account is disabled. */
  | { readonly result: "unauthorized" }
  /** This call could not be processed. The other calls of its batch are not affected. */
  | { readonly result: "failed"; readonly cause: unknown };

export interface AccountUsage {
  readonly month: WindowCount;
  readonly day: WindowCount;
  /** The end of the trial. `undefined` means that the plan is not a trial. */
  readonly trialEndsMs: number | undefined;
  /** The instant at which the calls were counted. It is later than `now` if the clock stepped back. */
  readonly atMs: number;
}

/** A period in which calls are counted: a UTC month or a UTC day. */
export interface Window {
  /** A month or day, e.g. `2026-11` or `2026-11-21`. */
  readonly name: string;
  readonly startsMs: number;
  /** The first instant of the next window. */
  readonly endsMs: number;
}

export interface WindowCount {
  readonly window: Window;
  readonly used: number;
  /** The greatest number of calls. `undefined` means unlimited. */
  readonly limit: number | undefined;
}

/** Whether fewer than so many calls are left in the window. */
export function isExhausted({ used, limit }: WindowCount, calls = 1): boolean {
  return limit !== undefined && used + calls > limit;
}

export interface KeyHolder {
  readonly keyId: string;
  readonly accountId: string;
  readonly plan: string;
}
