/**
 * The audit log: who did what to which account. Each row's hash covers the row and the previous hash, so
 * changing, removing or inserting a row breaks the chain from there on.
 */
import { and, asc, desc, eq, gte, like, lt, or } from "drizzle-orm";
import type { Database } from "../../sqlite/database.ts";
import type { AuditEntry, AuditFilter, NewAuditEntry } from "../account-records.ts";
import { hashAuditRow } from "../audit-chain.ts";
import { audit } from "./tables.ts";

/** @package The end of the chain, which is also stored outside the database. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
  readonly atMs: number;
}

/** @package Call inside the transaction that makes the logged change. */
export function appendAudit({ orm }: Database, entry: NewAuditEntry): ChainHead {
  const previous = readChainHead({ orm });
  const sequence = previous.sequence + 1;
  const row = {
    sequence,
    atMs: entry.at.getTime(),
    actor: entry.actor,
    action: entry.action,
    subject: entry.subject,
    detail: JSON.stringify(entry.detail),
  };
  const hash = hashAuditRow(previous.hash, row);
  orm
    .insert(audit)
    .values({ ...row, hash })
    .run();
  return { sequence, hash, atMs: row.atMs };
}

/** @package */
export function readChainHead({ orm }: Pick<Database, "orm">): ChainHead {
  const last = orm
    .select({ sequence: audit.sequence, hash: audit.hash, atMs: audit.atMs })
    .from(audit)
    .orderBy(desc(audit.sequence))
    .limit(1)
    .get();
  return last ?? { sequence: 0, hash: "", atMs: 0 };
}

/** @package Whether the chain contains this head; a chain that lost its end does not. */
export function hasChainHead(
  { orm }: Pick<Database, "orm">,
  head: Pick<ChainHead, "sequence" | "hash">,
): boolean {
  if (head.sequence === 0) return true;
  const row = orm
    .select({ hash: audit.hash })
    .from(audit)
    .where(eq(audit.sequence, head.sequence))
    .get();
  return row?.hash === head.hash;
}

/** @package Newest first. */
export function listAudit(
  { orm }: Database,
  entriesMax: number,
  filter: AuditFilter = {},
): readonly AuditEntry[] {
  const rows = orm
    .select()
    .from(audit)
    .where(toCondition(filter))
    .orderBy(desc(audit.sequence))
    .limit(entriesMax)
    .all();
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
      : or(eq(audit.action, action), like(audit.action, `${action.replaceAll(/[%_]/g, "")}.%`)),
    actor === undefined ? undefined : eq(audit.actor, actor),
    subject === undefined ? undefined : eq(audit.subject, subject),
    from === undefined ? undefined : gte(audit.atMs, Date.parse(from)),
    to === undefined ? undefined : lt(audit.atMs, Date.parse(to) + dayMs),
    before === undefined ? undefined : lt(audit.sequence, before),
  );
}

/** @package @returns the sequence of the first row that does not fit its predecessor. */
export function findBrokenAuditRow({ orm }: Database): number | undefined {
  let previous = { sequence: 0, hash: "" };
  for (const { hash, ...row } of orm.select().from(audit).orderBy(asc(audit.sequence)).all()) {
    if (row.sequence !== previous.sequence + 1 || hash !== hashAuditRow(previous.hash, row)) {
      return row.sequence;
    }
    previous = { sequence: row.sequence, hash };
  }
  return undefined;
}
