import type { Credential } from "../contract/caller.ts";
import { type CallLimits, type Plan, planNames, plans } from "../contract/limits.ts";
import { Problem } from "../contract/problem.ts";
import { selectLimit } from "../control/account-limits.ts";
import type { AccountRow } from "../control/account-records.ts";

export interface Identity {
  readonly accountId: string;
  readonly plan: Plan;
  readonly credential: Credential;
  /** The granted scopes, e.g. `search`. Absent if the credential allows everything, as a key does. */
  readonly scopes?: readonly string[];
}

/** Limits of one account, which replace those of its plan. Where a limit is absent, the plan's applies (decision 24). */
export interface OwnLimits {
  readonly callsPerMonth?: number | "unlimited";
  readonly callsPerDay?: number | "unlimited";
}

export interface NewAccount extends OwnLimits {
  readonly email: string;
  readonly plan: Plan;
  readonly administrator?: boolean;
  /** A key that the operator chose (ROSTER_ADMIN_KEY). By default, a random key is created. */
  readonly key?: string;
}

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly plan: Plan;
  readonly administrator: boolean;
  readonly disabled: boolean;
  /** The limits that apply: the account's own where set, otherwise the plan's. */
  readonly limits: CallLimits;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The first and last characters of the key, by which people tell keys apart. */
  readonly keyHint: string | undefined;
  readonly keyLastUsedAt: string | undefined;
}

/** @package @throws Problem invalid_request that names the wrong field. */
export function toNewAccountRow(account: NewAccount, { id, at }: { id: string; at: Date }) {
  const { email, administrator = false } = account;
  if (!isEmail(email)) {
    throw createInvalidRequest(
      `the e-mail must have the form name@example.com, got ${quoteInput(email)}`,
    );
  }
  return {
    id,
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

/** @package Returns the limits in stored form: null for the plan's limit, -1 for unlimited. */
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

/** @package Quotes a caller's text for an error message: shortened, and safe in a terminal. */
export function quoteInput(text: string): string {
  return JSON.stringify(text.toWellFormed().slice(0, 80));
}

/** @package */
export const createInvalidRequest = (message: string) =>
  new Problem("invalid_request", { message });

/** Matches e-mails that an HTML e-mail field accepts. The domain may have no dot (`admin@localhost`). */
const form =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const lengthMax = 254;

/** @package */
export function isEmail(text: string): boolean {
  return text.length <= lengthMax && form.test(text);
}

/** @package Converts an e-mail for comparison: Ada@example.com and ada@example.com are the same account. */
export function toEmailKey(email: string): string {
  return email.toLowerCase();
}
