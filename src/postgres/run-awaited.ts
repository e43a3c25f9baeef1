import type { Queries, Work } from "../queries/work.ts";
import type { Statements } from "./database.ts";

/** The same statements, for tables that both databases have and that are typed as SQLite's. Await each query. */
export function toQueries(statements: Statements): Queries {
  return statements as unknown as Queries;
}

/** Runs the work to its end, and waits for the rows of each query before the next. */
export async function runAwaited<Result>(
  statements: Statements,
  write: (queries: Queries) => Work<Result>,
): Promise<Result> {
  const work = write(toQueries(statements));
  let turn = work.next();
  while (!turn.done) {
    const { kind, query } = turn.value;
    turn = work.next(await (kind === "sql" ? statements.execute(query) : query));
  }
  return turn.value;
}
