import type { PostgresDatabase } from "../../postgres/database.ts";
import { lockFor } from "../../postgres/migrate.ts";
import { runAwaited } from "../../postgres/run-awaited.ts";
import { appendAudit } from "../rows/audit-rows.ts";
import type { RowsContext } from "../rows/rows-context.ts";
import { tables } from "./tables.ts";

/** @package Runs one transaction at a time, by a lock that all nodes share. Only `transact` waits for the lock. */
export function createRowsContext({ read, commitOne, transact }: PostgresDatabase): RowsContext {
  return {
    tables,
    read: (work) => read((statements) => runAwaited(statements, work)),
    commitOne: (work) => commitOne((statements) => runAwaited(statements, work)),
    transact: (work) =>
      transact(async (statements) => {
        await lockFor("control", (statement) => statements.execute(statement));
        return runAwaited(statements, (queries) =>
          work(queries, (entry) => appendAudit(queries, tables, entry)),
        );
      }),
  };
}
