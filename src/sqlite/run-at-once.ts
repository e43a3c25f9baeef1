import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { Queries, Work, WorkStep } from "../queries/work.ts";

/** Runs the work to its end without waiting, each query when it is yielded. */
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

function runStep(orm: BunSQLiteDatabase, { kind, query }: WorkStep): unknown {
  if (kind === "sql") return orm.all(query);
  return kind === "rows" ? (query as Runnable).all() : (query as Runnable).run();
}
