/**
 * The audit log, as a chain of hashes. Each row's hash covers the row and the previous hash, so a changed, removed or inserted
 * row breaks the chain.
 */
import { and, asc, desc, eq, gt, gte, inArray, like, lt, or } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import type { AuditEntry, AuditFilter, NewAuditEntry } from "../account-records.ts";
import type { ControlRow, ControlTables } from "../tables/control-tables.ts";
import type { RowsContext } from "./rows-context.ts";

/** The last entry of the audit log's hash chain. It is also stored outside the database. */
interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
  readonly atMs: number;
}

export function createAuditRows({ tables, read, transact }: RowsContext) {
  const { audit } = tables;
  return {
    /** Adds an audit entry about a change made elsewhere, e.g. in the pool. */
    record: (entry: NewAuditEntry): Promise<void> => transact((_, log) => log(entry)),
    /** Like `record`, but adds nothing if the audit log already has this action with this subject. */
    recordOnce: (entry: NewAuditEntry): Promise<void> =>
      transact(function* (queries, log) {
        const isSame = and(eq(audit.action, entry.action), eq(audit.subject, entry.subject));
        const same = queries.select({ sequence: audit.sequence }).from(audit).where(isSame);
        if (!(yield* fetchRow(same.limit(1)))) yield* log(entry);
      }),
    /** Returns at most `entriesMax` entries, the newest first. */
    auditEntries: (entriesMax: number, filter: AuditFilter = {}): Promise<readonly AuditEntry[]> =>
      read(function* (queries) {
        const rows = yield* fetchRows(
          queries
            .select()
            .from(audit)
            .where(toCondition(audit, filter))
            .orderBy(desc(audit.sequence))
            .limit(entriesMax),
        );
        return rows.map(({ atMs, detail, hash: _, ...row }) => ({
          ...row,
          at: new Date(atMs).toISOString(),
          detail: JSON.parse(detail) as NewAuditEntry["detail"],
        }));
      }),
    /** @returns the sequence number of the first entry that was tampered with. `undefined` means that all entries are intact. */
    brokenAuditEntry: () => read((queries) => findBrokenAuditRow(queries, tables)),
  };
}

/** Call inside the transaction that makes the logged change. Such transactions must not run at the same time. */
export function* appendAudit(
  queries: Queries,
  tables: ControlTables,
  entry: NewAuditEntry,
): Work<void> {
  const previous = yield* readChainHead(queries, tables);
  const row = {
    sequence: previous.sequence + 1,
    atMs: entry.at.getTime(),
    actor: entry.actor,
    action: entry.action,
    subject: entry.subject,
    detail: JSON.stringify(entry.detail),
  };
  const hash = hashAuditRow(previous.hash, row);
  yield* execute(queries.insert(tables.audit).values({ ...row, hash }));
}

export function* readChainHead(queries: Queries, { audit }: ControlTables): Work<ChainHead> {
  const head = { sequence: audit.sequence, hash: audit.hash, atMs: audit.atMs };
  const last = queries.select(head).from(audit).orderBy(desc(audit.sequence)).limit(1);
  return (yield* fetchRow(last)) ?? { sequence: 0, hash: "", atMs: 0 };
}

/** Whether the audit log contains this entry. If its end was cut off, it does not contain the entry. */
export function* hasChainHead(
  queries: Queries,
  { audit }: ControlTables,
  head: Pick<ChainHead, "sequence" | "hash">,
): Work<boolean> {
  if (head.sequence === 0) return true;
  const isMeant = eq(audit.sequence, head.sequence);
  const row = yield* fetchRow(queries.select({ hash: audit.hash }).from(audit).where(isMeant));
  return row?.hash === head.hash;
}

const rowsAtOnce = 1000;

/** @returns the sequence number of the first row that does not fit its predecessor. */
export function* findBrokenAuditRow(
  queries: Queries,
  { audit }: ControlTables,
): Work<number | undefined> {
  let previous = { sequence: 0, hash: "" };
  for (;;) {
    const rows = yield* fetchRows(
      queries
        .select()
        .from(audit)
        .where(previous.sequence === 0 ? undefined : gt(audit.sequence, previous.sequence))
        .orderBy(asc(audit.sequence))
        .limit(rowsAtOnce),
    );
    for (const { hash, ...row } of rows) {
      const isNext = row.sequence === previous.sequence + 1;
      if (!isNext || hash !== hashAuditRow(previous.hash, row)) return row.sequence;
      previous = { sequence: row.sequence, hash };
    }
    if (rows.length < rowsAtOnce) return undefined;
  }
}

/** Computes a row's hash from the row and the previous row's hash. */
function hashAuditRow(previous: string, row: Omit<ControlRow<"audit">, "hash">): string {
  const { sequence, atMs, actor, action, subject, detail } = row;
  const covered = JSON.stringify([previous, sequence, atMs, actor, action, subject, detail]);
  return new Bun.CryptoHasher("sha256").update(covered).digest("hex");
}

const dayMs = 86_400_000;

function toCondition(
  audit: ControlTables["audit"],
  { action, involved, from, to, before }: AuditFilter,
) {
  return and(
    action === undefined
      ? undefined
      : or(eq(audit.action, action), like(audit.action, `${action.replaceAll(/[%_\\]/g, "")}.%`)),
    involved === undefined
      ? undefined
      : or(inArray(audit.actor, [...involved]), inArray(audit.subject, [...involved])),
    from === undefined ? undefined : gte(audit.atMs, Date.parse(from)),
    to === undefined ? undefined : lt(audit.atMs, Date.parse(to) + dayMs),
    before === undefined ? undefined : lt(audit.sequence, before),
  );
}
