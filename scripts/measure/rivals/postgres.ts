import { dirname, join } from "node:path";
import { SQL } from "bun";
import { findPostgres } from "../../../test/postgres/programs.ts";
import { startPostgres } from "../../../test/postgres/server.ts";
import type { Person } from "../synthetic-people.ts";
import { loadPeople, toSql } from "./people-table.ts";
import type { Rival } from "./rival.ts";

/** Nothing here needs to survive a crash: the measurement is of answers from memory. */
const settings = {
  ...{ listen_addresses: "", fsync: "off", full_page_writes: "off", autovacuum: "off", jit: "off" },
  ...{ shared_buffers: "512MB", work_mem: "64MB", maintenance_work_mem: "256MB" },
  // Filters differ with every question, so no one plan suits all of them.
  ...{ plan_cache_mode: "force_custom_plan", max_wal_size: "4GB" },
};

/** PostgreSQL with the people in one table under a GIN index, in a server that goes with it. */
export async function postgresRival(people: Iterable<Person>): Promise<Rival | string> {
  const programs = findPostgres();
  if (typeof programs === "string") return programs;
  const server = await startPostgres({ settings });
  const { username, password, port } = new URL(server.url);
  // A socket, because the other rivals answer without a network.
  const path = join(dirname(server.folder), `.s.PGSQL.${port}`);
  const sql = new SQL({ adapter: "postgres", path, username, password, max: 1 });
  const close = async () => {
    await sql.close();
    await server.stop();
  };
  const numbers = await loadPeople(sql, people, dirname(server.folder)).catch(async (error) => {
    await close();
    throw error;
  });
  return {
    total: async (query) => {
      const { text, values } = toSql(query, numbers);
      const [row] = await sql.unsafe(text, values);
      return Number(row.total);
    },
    close,
  };
}
