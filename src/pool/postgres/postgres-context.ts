/** Runs the pool's work in PostgreSQL. Only one transaction at a time changes the pool. */
import { sql } from "drizzle-orm";
import type { PostgresDatabase, PostgresSession, Statements } from "../../postgres/database.ts";
import { runAwaited, toQueries } from "../../postgres/run-awaited.ts";
import type { Work } from "../../queries/work.ts";
import type { PoolContext, PoolRows } from "../rows/pool-context.ts";
import { toFindableValues } from "./reading/findable-values.ts";
import { findCurrentRows, findRows } from "./reading/row-finder.ts";
import { poolState, poolTables, searchIndexes } from "./tables.ts";

export function createPostgresContext(database: PostgresDatabase): PoolContext {
  return {
    ...createSessionContext(database),
    changeAtLength: (work) =>
      runOnOwnConnection(database, (connection) => createSessionContext(connection).change(work)),
  };
}

/** @package Creates a context on one connection. Failed work is not repeated. */
export function createSessionContext(
  connection: Pick<PostgresSession, "read" | "transact">,
): PoolContext {
  const change: PoolContext["change"] = (work) =>
    applyChange(connection, (statements) => runWork(statements, work));
  const read: PoolContext["read"] = (work) =>
    connection.read((statements) => runWork(statements, work));
  return { read, change, changeAtLength: change };
}

/** @package */
export function runWork<Result>(
  statements: Statements,
  work: (rows: PoolRows) => Work<Result>,
): Promise<Result> {
  return runAwaited(statements, () => work(toRows(statements)));
}

/** @package */
export function toRows(statements: Statements): PoolRows {
  const suppression = sql`${poolState.suppression} + 1`;
  const rows: PoolRows = {
    queries: toQueries(statements),
    tables: poolTables,
    findRows: (logins) => findRows(rows, logins),
    findCurrentRows: (logins) => findCurrentRows(rows, logins),
    toFindableValues,
    *dropIndexes() {
      yield { kind: "change", query: statements.delete(searchIndexes) };
    },
    *countSuppression() {
      yield { kind: "change", query: statements.update(poolState).set({ suppression }) };
    },
  };
  return rows;
}

/** Runs a transaction that changes the pool, after the previous change has ended. Keep it short. @package */
export function applyChange<T>(
  { transact }: Pick<PostgresDatabase, "transact">,
  work: (statements: Statements) => Promise<T>,
): Promise<T> {
  return transact(async (statements) => {
    await statements.update(poolState).set({ changes: sql`${poolState.changes} + 1` });
    return work(statements);
  });
}

/** @package Runs work on its own connection, without the time limit of a statement. */
export async function runOnOwnConnection<T>(
  database: Pick<PostgresDatabase, "reserve">,
  work: (connection: PostgresSession) => Promise<T>,
): Promise<T> {
  const connection = await database.reserve();
  try {
    await connection.orm.execute(sql`SET statement_timeout = 0`);
    return await work(connection);
  } finally {
    await connection.orm.execute(sql`RESET statement_timeout`).catch(() => {});
    connection.release();
  }
}
