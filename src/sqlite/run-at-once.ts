import { sql } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { Insertion, Queries, Work, WorkStep } from "../queries/work.ts";

/** Runs the work synchronously to its end. Each query that the work yields runs immediately. */
export function runAtOnce<Result>(
  orm: BunSQLiteDatabase,
  write: (queries: Queries) => Work<Result>,
): Result {
  const steps = runInSteps(orm, write);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Runs the work, and pauses after each query. The work may catch the error of a query. */
export function* runInSteps<Result>(
  orm: BunSQLiteDatabase,
  write: (queries: Queries) => Work<Result>,
): Generator<void, Result> {
  const work = write(orm);
  let turn = work.next();
  while (!turn.done) {
    turn = continueWork(orm, work, turn.value);
    yield;
  }
  return turn.value;
}

function continueWork<Result>(orm: BunSQLiteDatabase, work: Work<Result>, step: WorkStep) {
  let answer: unknown;
  try {
    answer = runStep(orm, step);
  } catch (error) {
    return work.throw(error);
  }
  return work.next(answer);
}

interface Runnable {
  all(): unknown[];
  run(): void;
}

function runStep(orm: BunSQLiteDatabase, step: WorkStep): unknown {
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
