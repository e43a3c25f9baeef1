import type { Caller } from "../contract/caller.ts";
import type { QuotaUsage } from "../contract/envelope.ts";

/** How often accounts may call, counted exactly and durably. */
export interface Quota {
  /** The setting `quota.countInvalid` (decision 21): whether malformed calls count too. */
  readonly countsInvalid: boolean;
  /**
   * A cheap look, in memory: @throws Problem quota_exceeded when the account is known to be exhausted,
   * its trial over. Never the last word: `charge` decides.
   */
  refuseIfExhausted(caller: Caller): void;
  /**
   * Counts one call against the account's month and day, durably, in a group commit.
   *
   * @returns usage after this call. @throws Problem quota_exceeded (not counted), or unauthorized when the
   *   credential died meanwhile (not counted).
   * Source: API document, "Limits", rules 1 to 3; decisions 21 to 25.
   */
  charge(caller: Caller): Promise<Usage>;
  /** Usage now, nothing counted. */
  usage(caller: Caller): Usage;
}

export interface Usage {
  /** As the wire shows it. */
  readonly quota: QuotaUsage;
  readonly month: WindowUsage;
  readonly day: WindowUsage;
}

export interface WindowUsage {
  readonly used: number;
  /** `undefined`: unlimited. */
  readonly limit: number | undefined;
  /** Whole seconds, rounded up, to the start of the next UTC window. */
  readonly resetSeconds: number;
  /** Length of the window, in seconds. */
  readonly windowSeconds: number;
}
