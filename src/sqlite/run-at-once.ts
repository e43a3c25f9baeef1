import { sql } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { Insertion, Queries, Work, WorkStep } from "../queries/work.ts";

/** Runs the work synchronously to its end. Each query that the work yields runs immediately. */
export function runAtOnce<Result>(
  orm: BunSQLiteDatabase,
  write: (queries: Queries) => Work<Result>,
): Result {
  const work = write(orm);
  let turn = work.next();
  while (!turn.done) turn = work.next(runStep(orm, turn.value));
  return turn.value;
}

interface Runnable {
  all(): unknown[];
  run(): void;
}

function runStep(orm: BunSQLiteDatabase, step: WorkStep): unknown {
  if (step.kind === "sql") return orm.all(step.query);
  if (step.kind === "insert") return insertEach(orm, step);
  const query = step.query as Runnable;
  return step.kind === "rows" ? query.all() : query.run();
}

function insertEach(orm: BunSQLiteDatabase, { table, rows, returning }: Insertion): unknown[] {
  const fields = Object.keys(rows[0] ?? {});
  const values = Object.fromEntries(fields.map((field) => [field, sql.placeholder(field)]));
  const insertion = orm.insert(table).values(values);
  if (Object.keys(returning).length === 0) {
    const statement = insertion.prepare();
    for (const row of rows) statement.run({ ...row });
    return [];
  }
  const statement = insertion.returning(returning).prepare();
  return rows.map((row) => statement.get({ ...row }));
}
