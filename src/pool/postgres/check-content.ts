import { sql } from "drizzle-orm";
import type { PostgresDatabase, Statements } from "../../postgres/database.ts";
import { checkContent } from "../rows/check-content.ts";
import { runWork } from "./postgres-context.ts";

/** Checks the content of the pool's rows at one moment. @returns messages about damage, without names of people. */
export function checkPoolRows({ orm }: PostgresDatabase): Promise<readonly string[]> {
  const check = async (statements: Statements) => {
    await statements.execute(sql`SET LOCAL statement_timeout = 0`);
    return runWork(statements, (rows) => checkContent(rows, rethrow));
  };
  return orm.transaction((statements) => check(statements as Statements), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
}

function rethrow(error: unknown): never {
  throw error;
}
