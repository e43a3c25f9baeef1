/** Checks the content of the account tables, and counts their rows. */
import type { PostgresDatabase } from "../../postgres/database.ts";
import { runAwaited } from "../../postgres/run-awaited.ts";
import { findBrokenAuditRow } from "../rows/audit-rows.ts";
import { tables } from "./tables.ts";

const wrong: readonly (readonly [from: string, says: string])[] = [
  ["api_key WHERE length(digest) <> 32", "API keys are damaged"],
  ["usage WHERE used < 0 OR \"window\" !~ '^[0-9]{4}-[0-9]{2}'", "counts of calls are damaged"],
];

/** Reads one table after the other, without a snapshot. @returns also what is wrong. It names no account. */
export async function checkControlRows({ sql, read }: PostgresDatabase) {
  const faults: string[] = [];
  for (const [from, says] of wrong) {
    const [row] = await sql.unsafe(`SELECT count(*)::int AS n FROM control.${from}`);
    if (row.n > 0) faults.push(`${row.n} ${says}`);
  }
  const broken = await read((statements) =>
    runAwaited(statements, (queries) => findBrokenAuditRow(queries, tables)),
  );
  if (broken !== undefined) faults.push(`the audit log's chain is broken at entry ${broken}`);
  type Counts = Record<"accounts" | "activeKeys" | "auditEntries", number>;
  const [counts] = await sql`SELECT (SELECT count(*)::int FROM control.account) AS accounts,
    (SELECT count(*)::int FROM control.api_key WHERE revoked_ms IS NULL) AS "activeKeys",
    (SELECT count(*)::int FROM control.audit) AS "auditEntries"`;
  return { faults, ...(counts as Counts) };
}
