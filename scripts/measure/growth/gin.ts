import { join } from "node:path";
import { SQL } from "bun";
import { copyRows, loadPeople, toSql } from "../rivals/people-table.ts";
import { people } from "../synthetic-people.ts";
import type { Engine, EngineKind, EnginePlace } from "./engine.ts";
import { startKeptPostgres } from "./kept-postgres.ts";

/** PostgreSQL with the people in one table under a GIN index, kept for later runs. */
export const gin: EngineKind = { build, open };

async function build({ developers, folder }: EnginePlace): Promise<number> {
  await using server = await startKeptPostgres(folder);
  await using sql = new SQL(server.url, { max: 1 });
  const numbers = await loadPeople(sql, people(developers), folder);
  await sql`CREATE TABLE tag (tag text PRIMARY KEY, number int NOT NULL)`;
  await copyRows(
    sql,
    join(folder, "tags.copy"),
    "tag",
    Array.from(numbers, ([tag, number]) => `${tag}\t${number}\n`),
  );
  const [row] = await sql`SELECT pg_total_relation_size('people') AS size`;
  return Number(row.size);
}

async function open({ folder }: EnginePlace): Promise<Engine> {
  const server = await startKeptPostgres(folder);
  // Filters differ with every question, so no one plan suits all of them.
  const sql = new SQL(server.url, { max: 1, connection: { plan_cache_mode: "force_custom_plan" } });
  const rows: { tag: string; number: number }[] = await sql`SELECT tag, number FROM tag`;
  const numbers = new Map(rows.map(({ tag, number }) => [tag, number]));
  return {
    async find(query) {
      const { text, values } = toSql(query, numbers);
      const [row] = await sql.unsafe(text, values);
      return { total: Number(row.total) };
    },
    async close() {
      await sql.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
