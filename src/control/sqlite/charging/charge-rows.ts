import type { Database } from "../../../sqlite/database.ts";
import type { ChargedCall, KeyHolder, RepeatableCall } from "../../control-store.ts";
import { repeatableMs, type Windows } from "../../windows.ts";

/** @package The rows that a charge reads and writes. */
export type ChargeRows = ReturnType<typeof prepareChargeRows>;

/** @package The total number of counted calls, and the minute of the latest call. */
export interface InstanceRow {
  readonly charges: number;
  readonly latestMs: number;
}

/** @package */
export interface ChargedAccountRow {
  readonly id: string;
  readonly plan: string;
  readonly isDisabled: boolean;
  readonly callsPerMonth: number | null;
  readonly callsPerDay: number | null;
  readonly createdMs: number;
  readonly usedInMonth: number;
  readonly usedInDay: number;
}

/** @package A key, a grant or a session. */
export interface CredentialRow {
  readonly kind: Exclude<ChargedCall["credential"]["kind"], "operator">;
  readonly id: string;
  readonly accountId: string;
  /** The client of a grant. */
  readonly clientId: string | null;
  readonly isRevoked: boolean;
  /** Time when the credential expires. A key never expires. */
  readonly endsMs: number;
  /** Time of the last use, accurate to the minute. Null means that no use is known. */
  readonly lastUsedMs: number | null;
}

/** The counts of an account after `calls` more calls. */
interface AccountCounts {
  readonly id: string;
  readonly calls: number;
  readonly month: number;
  readonly day: number;
}

/** @package */
export function prepareChargeRows(store: Database) {
  return {
    ...prepareReads(store),
    ...prepareCounts(store),
    ...prepareCredentials(store),
    ...prepareCallKeys(store),
  };
}

type Values = readonly (string | number | null)[];

/** Prepares the reads that every call needs. Plain SQL with subqueries is the fastest form. */
function prepareReads({ sqlite }: Database) {
  const instance = sqlite.query("SELECT charges, latest_ms FROM instance");
  const holder = sqlite.query(
    "SELECT id, account_id, (SELECT plan FROM account WHERE id = account_id AND NOT disabled) FROM api_key WHERE digest = ? AND revoked_ms IS NULL",
  );
  const account = sqlite.query(
    `SELECT plan, disabled, calls_per_month, calls_per_day, created_ms,
      (SELECT used FROM usage WHERE window = ?2 AND account_id = ?1),
      (SELECT used FROM usage WHERE window = ?3 AND account_id = ?1)
    FROM account WHERE id = ?1`,
  );
  return {
    instance(): InstanceRow {
      const [charges = 0, latestMs = 0] = (instance.values()[0] ?? []) as number[];
      return { charges, latestMs };
    },
    holder(digest: Uint8Array): KeyHolder | undefined {
      const [row] = holder.values(digest) as Values[];
      const [keyId, accountId, plan] = (row ?? []) as string[];
      return keyId && accountId && plan ? { keyId, accountId, plan } : undefined;
    },
    account(id: string, { month, day }: Windows): ChargedAccountRow | undefined {
      const [row] = account.values(id, month.name, day.name) as Values[];
      if (!row) return undefined;
      const [plan, disabled, callsPerMonth, callsPerDay, createdMs, inMonth, inDay] = row;
      return {
        ...{ id, plan: plan as string, isDisabled: disabled !== 0, createdMs: createdMs as number },
        callsPerMonth: callsPerMonth as number | null,
        callsPerDay: callsPerDay as number | null,
        usedInMonth: (inMonth ?? 0) as number,
        usedInDay: (inDay ?? 0) as number,
      };
    },
  };
}

function prepareCounts({ sqlite }: Database) {
  const count = sqlite.query(
    `INSERT INTO usage (window, account_id, used) VALUES (?2, ?1, ?3), (?4, ?1, ?5)
    ON CONFLICT DO UPDATE SET used = excluded.used WHERE used = excluded.used - ?6`,
  );
  const countAll = sqlite.query("UPDATE instance SET charges = ?, latest_ms = ?");
  const prune = sqlite.query("DELETE FROM usage WHERE window < ?");
  return {
    /** @throws Error if the stored counts were not the expected ones. */
    count({ id, calls, month, day }: AccountCounts, windows: Windows): void {
      const { changes } = count.run(id, windows.month.name, month, windows.day.name, day, calls);
      if (changes === 2) return;
      throw new Error(`the usage of ${id} was not ${month - calls} and ${day - calls} as read`);
    },
    countAll: ({ charges, latestMs }: InstanceRow) => void countAll.run(charges, latestMs),
    /** Deletes the counts of months and days before this name, e.g. before `2026-10`. */
    prune: (before: string) => void prune.run(before),
  };
}

function prepareCallKeys({ sqlite }: Database) {
  const find = sqlite.query(
    "SELECT request FROM call_key WHERE account_id = ? AND key = ? AND at_ms > ?",
  );
  const add = sqlite.query("INSERT OR REPLACE INTO call_key VALUES (?, ?, ?, ?)");
  const prune = sqlite.query("DELETE FROM call_key WHERE at_ms <= ?");
  return {
    /** @returns the request of the counted call with this key. */
    repeated(accountId: string, key: Uint8Array, atMs: number): Uint8Array | undefined {
      return find.values(accountId, key, atMs - repeatableMs)[0]?.[0] as Uint8Array | undefined;
    },
    addCallKey(accountId: string, { key, request }: RepeatableCall, atMs: number): void {
      prune.run(atMs - repeatableMs);
      add.run(accountId, key, request, atMs);
    },
  };
}

function prepareCredentials({ sqlite }: Database) {
  const reads = {
    key: sqlite.query(
      "SELECT account_id, NULL, revoked_ms, NULL, last_used_ms FROM api_key WHERE id = ?",
    ),
    // A token is valid only while the account's consent to the client exists.
    grant: sqlite.query(
      `SELECT user_id, client_id, revoked_ms, expires_ms, last_used_ms FROM oauth_access_token AS token
      JOIN (SELECT user_id, client_id, last_used_ms FROM oauth_consent) USING (user_id, client_id)
      WHERE token.id = ?`,
    ),
    session: sqlite.query("SELECT user_id, NULL, NULL, expires_ms, NULL FROM session WHERE id = ?"),
  };
  const noteKeyUse = sqlite.query("UPDATE api_key SET last_used_ms = ? WHERE id = ?");
  const noteConsentUse = sqlite.query(
    "UPDATE oauth_consent SET last_used_ms = ? WHERE user_id = ? AND client_id = ?",
  );
  return {
    credential(kind: CredentialRow["kind"], id: string): CredentialRow | undefined {
      const [row] = reads[kind].values(id) as Values[];
      if (!row) return undefined;
      const [accountId, clientId, revokedMs, endsMs, lastUsedMs] = row;
      return {
        ...{ kind, id, accountId: accountId as string, clientId: clientId as string | null },
        isRevoked: revokedMs !== null,
        endsMs: (endsMs ?? Number.POSITIVE_INFINITY) as number,
        lastUsedMs: lastUsedMs as number | null,
      };
    },
    noteUse({ kind, id, accountId, clientId, lastUsedMs: minute }: CredentialRow): void {
      if (kind === "key") noteKeyUse.run(minute, id);
      if (kind === "grant") noteConsentUse.run(minute, accountId, clientId);
      // The use of a session is recorded when its user opens a page.
    },
  };
}
