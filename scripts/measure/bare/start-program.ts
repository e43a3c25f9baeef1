/**
 * The least that a program of this stack can do: imports elysia and drizzle, opens the two databases of the folder in DATA,
 * and answers one route. Compiled and run by `scripts/bench start`.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { Elysia } from "elysia";

for (const name of ["control.db", "pool.db"]) {
  const file = drizzle(new Database(join(process.env["DATA"] ?? "", name)));
  file.get(sql`select count(*) from sqlite_master`);
}
new Elysia()
  .get("/", () => "ok")
  .listen({ hostname: "127.0.0.1", port: Number(process.env["PORT"]) });
