import type { Queries, Work, WorkStep } from "../queries/work.ts";
import type { Statements } from "./database.ts";

/** Returns a PostgreSQL query builder under the type of SQLite's builder. Await each query. */
export function toQueries(statements: Statements): Queries {
  return statements as unknown as Queries;
}

/** Runs the work to its end. Awaits each query before the next. */
export async function runAwaited<Result>(
  statements: Statements,
  write: (queries: Queries) => Work<Result>,
): Promise<Result> {
  const work = write(toQueries(statements));
  let turn = work.next();
  while (!turn.done) {
    turn = work.next(await runStep(statements, turn.value));
  }
  return turn.value;
}

async function runStep(statements: Statements, step: WorkStep): Promise<unknown> {
  if (step.kind !== "insert") return step.query;
  const { table, rows, returning } = step;
  const insertion = toQueries(statements)
    .insert(table)
    .values([...rows]);
  return Object.keys(returning).length > 0 ? insertion.returning(returning) : insertion;
}
