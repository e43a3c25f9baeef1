/**
 * Merges two control files when a backup is restored. The later state of keys and passwords wins, and the higher count of calls.
 */
import { closeAtEnd } from "../../contract/close-at-end.ts";
import { type Database, openDatabase } from "../../sqlite/database.ts";
import { runAtOnce } from "../../sqlite/run-at-once.ts";
import { hasChainHead, readChainHead } from "../rows/audit-rows.ts";
import { controlFile } from "./sqlite-control-store.ts";
import { tables } from "./tables.ts";

/** The number of rows that one file received from the other file. */
export interface MergeCounts {
  readonly revocations: number;
  readonly keys: number;
  readonly accounts: number;
  readonly passwords: number;
  /** The number of counts of calls that were higher in the other file. */
  readonly counters: number;
}

/**
 * How a control file relates to another file, by their audit logs. `same` means that the file lacks no entry. `behind` means that
 * it lacks entries. `diverged` means that both files lack entries. `other` means that the files were never the same file.
 */
type ChainRelation = "same" | "behind" | "diverged" | "other";

/** Both files must have the newest version. */
export function compareControlFiles(path: string, otherPath: string): ChainRelation {
  using store = closeAtEnd(openDatabase(path, controlFile));
  using other = closeAtEnd(openDatabase(otherPath, controlFile));
  if (readName(store) !== readName(other)) return "other";
  if (hasHeadOf(store, other)) return "same";
  return hasHeadOf(other, store) ? "behind" : "diverged";
}

/**
 * Merges later changes from another file. Both files must have the newest version.
 * @param options.isDiverged whether each file has changes that the other lacks. Then the lists, searches, sources and runs of both are kept.
 */
export function mergeControlFile(
  path: string,
  otherPath: string,
  now: Date,
  { isDiverged = false }: { readonly isDiverged?: boolean } = {},
): MergeCounts {
  using store = closeAtEnd(openDatabase(path, controlFile));
  const { sqlite } = store;
  sqlite.execute`ATTACH ${otherPath} AS other`;
  const nowMs = now.getTime();
  const run = (sql: string) => {
    const values = sql.includes("$nowMs") ? [{ nowMs }] : [];
    return sqlite.execute(sql, ...(values as [{ nowMs: number }])).changes;
  };
  return sqlite.transact(() => {
    const accounts = run(missingAccounts);
    if (isDiverged) for (const sql of missingRows) run(sql);
    const revocations = run(revokedKeys) + run(revokedRefreshTokens) + run(revokedAccessTokens);
    run(olderKeys);
    const keys = run(missingKeys);
    const passwords = run(newerPasswords);
    const counters = run(higherCounters);
    run(callKeys);
    run(latest);
    return { revocations, keys, accounts, passwords, counters };
  });
}

const missingAccounts = `INSERT OR IGNORE INTO account SELECT * FROM other.account
  WHERE id NOT IN (SELECT id FROM account)`;

const revokedIn = (table: string) => `UPDATE ${table} SET revoked_ms = theirs.revoked_ms
  FROM other.${table} AS theirs WHERE theirs.id = ${table}.id
  AND ${table}.revoked_ms IS NULL AND theirs.revoked_ms IS NOT NULL`;
const revokedKeys = revokedIn("api_key");
const revokedRefreshTokens = revokedIn("oauth_refresh_token");
const revokedAccessTokens = revokedIn("oauth_access_token");

/** SQL that revokes the older of two active keys of an account. */
const olderKeys = `UPDATE api_key SET revoked_ms = $nowMs WHERE revoked_ms IS NULL AND EXISTS (
  SELECT 1 FROM other.api_key AS theirs WHERE theirs.account_id = api_key.account_id
  AND theirs.revoked_ms IS NULL AND theirs.id <> api_key.id AND theirs.created_ms > api_key.created_ms
  AND theirs.id NOT IN (SELECT id FROM main.api_key))`;
const missingKeys = `INSERT OR IGNORE INTO api_key
  (id, account_id, digest, hint, created_ms, last_used_ms, revoked_ms)
  SELECT id, account_id, digest, hint, created_ms, last_used_ms,
    CASE WHEN revoked_ms IS NULL AND EXISTS (SELECT 1 FROM main.api_key AS ours
      WHERE ours.account_id = theirs.account_id AND ours.revoked_ms IS NULL)
    THEN $nowMs ELSE revoked_ms END
  FROM other.api_key AS theirs
  WHERE id NOT IN (SELECT id FROM main.api_key)
  AND account_id IN (SELECT id FROM main.account)`;

const newerPasswords = `INSERT INTO password SELECT * FROM other.password AS theirs
  WHERE account_id IN (SELECT id FROM account)
  ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash, changed_ms = excluded.changed_ms
  WHERE excluded.changed_ms > password.changed_ms`;

/** SQL that adds lists, searches, sources and runs of the other file. Those that exist already are not changed. */
const missingRows = [
  "INSERT OR IGNORE INTO source SELECT * FROM other.source",
  "INSERT OR IGNORE INTO webhook_target SELECT * FROM other.webhook_target",
  "INSERT OR IGNORE INTO run SELECT * FROM other.run",
  "INSERT OR IGNORE INTO people_list SELECT * FROM other.people_list WHERE account_id IN (SELECT id FROM account)",
  "INSERT OR IGNORE INTO saved_search SELECT * FROM other.saved_search WHERE account_id IN (SELECT id FROM account)",
  `INSERT OR IGNORE INTO list_entry SELECT * FROM other.list_entry
    WHERE list_id IN (SELECT id FROM people_list) AND list_id NOT IN (SELECT list_id FROM main.list_entry)`,
  `INSERT OR IGNORE INTO found_person SELECT * FROM other.found_person
    WHERE search_id IN (SELECT id FROM saved_search) AND search_id NOT IN (SELECT search_id FROM main.found_person)`,
];

const higherCounters = `INSERT INTO usage SELECT * FROM other.usage AS theirs WHERE true
  ON CONFLICT (window, account_id) DO UPDATE SET used = excluded.used
  WHERE excluded.used > usage.used`;

const callKeys = "INSERT OR IGNORE INTO call_key SELECT * FROM other.call_key";

const latest = `UPDATE instance SET
  latest_ms = max(instance.latest_ms, theirs.latest_ms),
  charges = max(instance.charges, theirs.charges),
  backed_up_ms = nullif(max(coalesce(instance.backed_up_ms, 0), coalesce(theirs.backed_up_ms, 0)), 0)
  FROM other.instance AS theirs`;

/** Whether the audit log of the first file contains all entries of the other file's log. */
function hasHeadOf({ orm }: Database, other: Database): boolean {
  const head = runAtOnce(other.orm, (queries) => readChainHead(queries, tables));
  return runAtOnce(orm, (queries) => hasChainHead(queries, tables, head));
}

function readName({ sqlite }: Database): string | undefined {
  return sqlite.readValue<string>`SELECT name FROM instance`;
}
