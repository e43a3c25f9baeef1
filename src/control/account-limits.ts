import type { NewAccountRow } from "./account-records.ts";
import type { ChargeTerms } from "./control-store.ts";

/** @package `undefined`: unlimited, or no trial. */
export interface AccountLimits {
  readonly month: number | undefined;
  readonly day: number | undefined;
  readonly trialEndsMs: number | undefined;
}

type LimitedAccount = Pick<
  NewAccountRow,
  "id" | "plan" | "callsPerMonth" | "callsPerDay" | "createdMs"
>;

const dayMs = 86_400_000;

/** @package @throws Error for a plan that the terms do not have. */
export function getAccountLimits(
  { id, plan, callsPerMonth, callsPerDay, createdMs }: LimitedAccount,
  { plans, trial }: ChargeTerms,
): AccountLimits {
  const planned = plans[plan];
  if (!planned) throw new Error(`account ${id} is on plan "${plan}", which has no limits`);
  return {
    month: selectLimit(callsPerMonth, planned.callsPerMonth),
    day: selectLimit(callsPerDay, planned.callsPerDay),
    trialEndsMs: trial?.plan === plan ? createdMs + trial.days * dayMs : undefined,
  };
}

/**
 * @param own the account's own limit as stored: null for the plan's, -1 for unlimited.
 * @returns `undefined` for unlimited.
 */
export function selectLimit(own: number | null, planned: number | undefined): number | undefined {
  if (own === null) return planned;
  return own < 0 ? undefined : own;
}
