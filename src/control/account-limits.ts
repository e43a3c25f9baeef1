import type { NewAccountRow } from "./account-records.ts";
import type { ChargeTerms } from "./control-store.ts";

/** @package */
export type AccountLimits = ReturnType<typeof getAccountLimits>;

type LimitedAccount = Pick<
  NewAccountRow,
  "id" | "plan" | "callsPerMonth" | "callsPerDay" | "createdMs"
>;

const dayMs = 86_400_000;

/** @package A limit of `undefined` means unlimited. @throws Error if the terms do not contain the plan. */
export function getAccountLimits(
  { id, plan, callsPerMonth, callsPerDay, createdMs }: LimitedAccount,
  { plans, trial }: ChargeTerms,
) {
  const planned = plans[plan];
  if (!planned) throw new Error(`account ${id} is on plan "${plan}", which has no limits`);
  return {
    month: selectLimit(callsPerMonth, planned.callsPerMonth),
    day: selectLimit(callsPerDay, planned.callsPerDay),
    trialEndsMs: trial?.plan === plan ? createdMs + trial.days * dayMs : undefined,
  };
}

/**
 * @param own the account's own limit. null means that the plan's limit applies, and -1 means unlimited.
 * @returns the limit in force. `undefined` means unlimited.
 */
export function selectLimit(own: number | null, planned: number | undefined): number | undefined {
  if (own === null) return planned;
  return own < 0 ? undefined : own;
}
