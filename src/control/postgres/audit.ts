/** The audit log in PostgreSQL: the chain of `audit-chain.ts`, hash by hash as in control.db. */
import { and, asc, desc, eq, gte, like, lt, or } from "drizzle-orm";
import type { Statements } from "../../postgres/database.ts";
import type { AuditEntry, AuditFilter, NewAuditEntry } from "../account-records.ts";
import { hashAuditRow } from "../audit-chain.ts";
import { audit } from "./tables.ts";

/** @package Call inside the transaction that makes the logged change, and that no other such one runs beside. */
export async function appendAudit(statements: Statements, entry: NewAuditEntry): Promise<void> {
  const [last] = await statements
    .select({ sequence: audit.sequence, hash: audit.hash })
    .from(audit)
    .orderBy(desc(audit.sequence))
    .limit(1);
  const row = {
    sequence: (last?.sequence ?? 0) + 1,
    atMs: entry.at.getTime(),
    actor: entry.actor,
    action: entry.action,
    subject: entry.subject,
    detail: JSON.stringify(entry.detail),
  };
  await statements.insert(audit).values({ ...row, hash: hashAuditRow(last?.hash ?? "", row) });
}

/** @package Newest first. */
export async function listAudit(
  statements: Statements,
  entriesMax: number,
  filter: AuditFilter = {},
): Promise<readonly AuditEntry[]> {
  const rows = await statements
    .select()
    .from(audit)
    .where(toCondition(filter))
    .orderBy(desc(audit.sequence))
    .limit(entriesMax);
  return rows.map(({ atMs, detail, hash: _, ...row }) => ({
    ...row,
    at: new Date(atMs).toISOString(),
    detail: JSON.parse(detail) as NewAuditEntry["detail"],
  }));
}

const dayMs = 86_400_000;

function toCondition({ action, actor, subject, from, to, before }: AuditFilter) {
  return and(
    action === undefined
      ? undefined
      : or(eq(audit.action, action), like(audit.action, `${action.replaceAll(/[%_\\]/g, "")}.%`)),
    actor === undefined ? undefined : eq(audit.actor, actor),
    subject === undefined ? undefined : eq(audit.subject, subject),
    from === undefined ? undefined : gte(audit.atMs, Date.parse(from)),
    to === undefined ? undefined : lt(audit.atMs, Date.parse(to) + dayMs),
    before === undefined ? undefined : lt(audit.sequence, before),
  );
}

const rowsAtOnce = 1000;

/** @package @returns the sequence of the first row that does not fit its predecessor. */
export async function findBrokenAuditRow(statements: Statements): Promise<number | undefined> {
  let previous = { sequence: 0, hash: "" };
  for (;;) {
    const rows = await statements
      .select()
      .from(audit)
      .where(gte(audit.sequence, previous.sequence + (previous.hash === "" ? 0 : 1)))
      .orderBy(asc(audit.sequence))
      .limit(rowsAtOnce);
    for (const { hash, ...row } of rows) {
      const isNext = row.sequence === previous.sequence + 1;
      if (!isNext || hash !== hashAuditRow(previous.hash, row)) return row.sequence;
      previous = { sequence: row.sequence, hash };
    }
    if (rows.length < rowsAtOnce) return undefined;
  }
}
