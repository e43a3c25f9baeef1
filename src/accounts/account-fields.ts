import { type Plan, planNames, plans } from "../contract/limits.ts";
import { Problem } from "../contract/problem.ts";
import { type AccountRow, selectLimit } from "../control/control-store.ts";
import type { Account, NewAccount, OwnLimits } from "./accounts.ts";

/** @package @throws Problem invalid_request, naming the field. */
export function toNewAccountRow(wanted: NewAccount, { id, at }: { id: string; at: Date }) {
  const { email, administrator = false } = wanted;
  if (!isEmail(email)) {
    throw createInvalidRequest(
      `the e-mail must have the form name@example.com, got ${quoteInput(email)}`,
    );
  }
  return {
    id,
    email,
    emailKey: toEmailKey(email),
    plan: parsePlan(wanted.plan),
    ...parseOwnLimits(wanted),
    administrator,
    createdMs: at.getTime(),
  };
}

/** @package */
export function parsePlan(plan: string): Plan {
  const known = planNames.find((name) => name === plan);
  if (known) return known;
  throw createInvalidRequest(
    `the plan must be one of ${planNames.join(", ")}, got ${quoteInput(plan)}`,
  );
}

/** @package As stored: null is the plan's, -1 none. */
export function parseOwnLimits({ callsPerMonth, callsPerDay }: OwnLimits) {
  const read = (name: string, value: number | "unlimited" | undefined) => {
    if (value === undefined) return null;
    if (value === "unlimited") return -1;
    if (Number.isSafeInteger(value) && value > 0) return value;
    throw createInvalidRequest(
      `${name} must be a whole number of at least 1, or "unlimited", got ${value}`,
    );
  };
  return {
    callsPerMonth: read("callsPerMonth", callsPerMonth),
    callsPerDay: read("callsPerDay", callsPerDay),
  };
}

/** @package */
export function toAccount(row: AccountRow): Account {
  const plan = row.plan as Plan;
  const limits = {
    callsPerMonth: selectLimit(row.callsPerMonth, plans[plan].callsPerMonth),
    callsPerDay: selectLimit(row.callsPerDay, plans[plan].callsPerDay),
  };
  const { id, email, administrator, disabled, keyHint, keyLastUsedMs } = row;
  return {
    ...{ id, email, plan, administrator, disabled, limits, keyHint },
    createdAt: new Date(row.createdMs).toISOString(),
    keyLastUsedAt: keyLastUsedMs === undefined ? undefined : new Date(keyLastUsedMs).toISOString(),
  };
}

/** @package A text in a message: short, and safe for a terminal. */
export function quoteInput(text: string): string {
  return JSON.stringify(text.toWellFormed().slice(0, 80));
}

/** @package */
export const createInvalidRequest = (message: string) =>
  new Problem("invalid_request", { message });

/** The form that HTML accepts in an e-mail field; the domain may have no dot (`admin@localhost`). */
const form =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const lengthMax = 254;

/** @package */
export function isEmail(text: string): boolean {
  return text.length <= lengthMax && form.test(text);
}

/** @package The form e-mails are compared in: nobody tells Ada@example.com from ada@example.com. */
export function toEmailKey(email: string): string {
  return email.toLowerCase();
}
