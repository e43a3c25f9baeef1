import type { Caller } from "../contract/caller.ts";
import { type CallLimits, type Plan, planNames, plans } from "../contract/limits.ts";
import { createInvalidRequest } from "../contract/problem.ts";
import { selectLimit } from "../control/account-limits.ts";
import type { AccountRow } from "../control/account-records.ts";
import { createRandomBase62 } from "./keys.ts";

export interface Identity extends Pick<Caller, "accountId" | "plan" | "credential"> {
  /** The granted scopes, such as `search`. If this is absent, the credential allows everything. */
  readonly scopes?: readonly string[];
}

/** The limits that the operator set for one account. An absent limit means that the plan's limit applies (decision 24). */
export interface OwnLimits {
  readonly callsPerMonth?: number | "unlimited";
  readonly callsPerDay?: number | "unlimited";
}

export interface NewAccount extends OwnLimits {
  readonly email: string;
  readonly plan: Plan;
  readonly administrator?: boolean;
  /** The key that the operator chose (ROSTER_ADMIN_KEY). By default, a random key is created. */
  readonly key?: string;
}

export type Account = ReturnType<typeof toAccount>;

/** @package @throws Problem `invalid_request` if a field is wrong. The message names the field. */
export function toNewAccountRow(account: NewAccount, at: Date) {
  const { email, administrator = false } = account;
  if (!isEmail(email)) {
    throw createInvalidRequest(
      `the e-mail must have the form name@example.com, got ${quoteInput(email)}`,
    );
  }
  return {
    id: `acc_${createRandomBase62(16)}`,
    email,
    emailKey: toEmailKey(email),
    plan: parsePlan(account.plan),
    ...parseOwnLimits(account),
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

/** @package Converts limits to their stored form. `null` means the plan's limit, and -1 means unlimited. */
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
export function toAccount(row: AccountRow) {
  const plan = row.plan as Plan;
  const limits: CallLimits = {
    callsPerMonth: selectLimit(row.callsPerMonth, plans[plan].callsPerMonth),
    callsPerDay: selectLimit(row.callsPerDay, plans[plan].callsPerDay),
  };
  const { id, email, administrator, disabled, keyHint, keyLastUsedMs } = row;
  return {
    ...{ id, email, plan, administrator, disabled },
    /** The limits that apply: the account's own where set, otherwise the plan's. */
    limits,
    /** The first and last characters of the key. Undefined means that the account has no key. */
    keyHint,
    createdAt: new Date(row.createdMs).toISOString(),
    keyLastUsedAt: keyLastUsedMs === undefined ? undefined : new Date(keyLastUsedMs).toISOString(),
  };
}

/** @package Quotes a caller's text for an error message. The quote is short and safe to print in a terminal. */
export function quoteInput(text: string): string {
  return JSON.stringify(text.toWellFormed().slice(0, 80));
}

/** Matches the e-mails that an HTML e-mail field accepts. `admin@localhost` is one of them. */
const form =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const lengthMax = 254;

/** @package */
export function isEmail(text: string): boolean {
  return text.length <= lengthMax && form.test(text);
}

/** @package Converts an e-mail for comparison. `Ada@example.com` and `ada@example.com` become equal. */
export function toEmailKey(email: string): string {
  return email.toLowerCase();
}
