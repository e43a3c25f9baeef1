import { type Plan, planNames, plans } from "../contract/limits.ts";
import { Problem } from "../contract/problem.ts";
import { type HeldAccount, limitInForce } from "../store/store.ts";
import type { Account, NewAccount, OwnLimits } from "./accounts.ts";
import { emailKeyOf, isEmail } from "./email.ts";

/** @package @throws Problem invalid_request, naming the field. */
export function asNewRow(wanted: NewAccount, { id, at }: { id: string; at: Date }) {
  const { email, administrator = false } = wanted;
  if (!isEmail(email)) {
    throw malformed(`the e-mail must have the form name@example.com, got ${shown(email)}`);
  }
  return {
    id,
    email,
    emailKey: emailKeyOf(email),
    plan: readPlan(wanted.plan),
    ...readLimits(wanted),
    administrator,
    createdMs: at.getTime(),
  };
}

/** @package */
export function readPlan(plan: string): Plan {
  const known = planNames.find((name) => name === plan);
  if (known) return known;
  throw malformed(`the plan must be one of ${planNames.join(", ")}, got ${shown(plan)}`);
}

/** @package As stored: null is the plan's, -1 none. */
export function readLimits({ callsPerMonth, callsPerDay }: OwnLimits) {
  const read = (name: string, value: number | "unlimited" | undefined) => {
    if (value === undefined) return null;
    if (value === "unlimited") return -1;
    if (Number.isSafeInteger(value) && value > 0) return value;
    throw malformed(`${name} must be a whole number of at least 1, or "unlimited", got ${value}`);
  };
  return {
    callsPerMonth: read("callsPerMonth", callsPerMonth),
    callsPerDay: read("callsPerDay", callsPerDay),
  };
}

/** @package */
export function asAccount(row: HeldAccount): Account {
  const plan = row.plan as Plan;
  const limits = {
    callsPerMonth: limitInForce(row.callsPerMonth, plans[plan].callsPerMonth),
    callsPerDay: limitInForce(row.callsPerDay, plans[plan].callsPerDay),
  };
  const { id, email, administrator, disabled, keyHint, keyLastUsedMs } = row;
  return {
    ...{ id, email, plan, administrator, disabled, limits, keyHint },
    createdAt: new Date(row.createdMs).toISOString(),
    keyLastUsedAt: keyLastUsedMs === undefined ? undefined : new Date(keyLastUsedMs).toISOString(),
  };
}

/** @package A text in a message: short, and safe for a terminal. */
export function shown(text: string): string {
  return JSON.stringify(text.toWellFormed().slice(0, 80));
}

/** @package */
export const malformed = (message: string) => new Problem("invalid_request", { message });
