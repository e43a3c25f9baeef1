import { dirname, join } from "node:path";
import { SQL } from "bun";
import type { SearchQuery } from "../../../src/search/search-index.ts";
import { findPostgres } from "../../../test/postgres/programs.ts";
import { startPostgres } from "../../../test/postgres/server.ts";
import type { Person } from "../synthetic-people.ts";
import { documentOf } from "./person-document.ts";
import type { Rival } from "./rival.ts";

/** Nothing here needs to survive a crash: the measurement is of answers from memory. */
const settings = {
  ...{ listen_addresses: "", fsync: "off", full_page_writes: "off", autovacuum: "off", jit: "off" },
  ...{ shared_buffers: "512MB", work_mem: "64MB", maintenance_work_mem: "256MB" },
  // Filters differ with every question, so no one plan suits all of them.
  ...{ plan_cache_mode: "force_custom_plan", max_wal_size: "4GB" },
};

/**
 * PostgreSQL as one might use it: everything that is asked for by name is a number in one array under a GIN index, and
 * the rest is in columns. The query forces the filters to be applied first, because the planner would otherwise walk
 * along the order.
 */
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
  const tags = new Tags();
  try {
    await fill(sql, people, tags);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    total: async (query) => {
      const { text, values } = toSql(query, tags);
      const [row] = await sql.unsafe(text, values);
      return Number(row.total);
    },
    close,
  };
}

/** Gives each name of a kind a number. */
class Tags {
  private readonly ids = new Map<string, number>();

  take(kind: string, names: readonly string[]): number[] {
    return names.map((name) => {
      const tag = `${kind} ${name}`;
      const id = this.ids.get(tag) ?? this.ids.size + 1;
      this.ids.set(tag, id);
      return id;
    });
  }

  /** @returns the numbers of names as an SQL array, with 0 for a name that no person has. */
  list(kind: string, names: readonly string[]): string {
    return `{${names.map((name) => this.ids.get(`${kind} ${name}`) ?? 0).join()}}`;
  }
}

async function fill(sql: SQL, people: Iterable<Person>, tags: Tags): Promise<void> {
  await sql`CREATE TABLE people (id int PRIMARY KEY, score real NOT NULL, experience int NOT NULL,
    hireable boolean NOT NULL, tags int[] NOT NULL)`;
  let rows: object[] = [];
  const flush = async () => {
    await sql.unsafe(
      "INSERT INTO people SELECT * FROM json_populate_recordset(NULL::people, $1::text::json)",
      [JSON.stringify(rows)],
    );
    rows = [];
  };
  for (const person of people) {
    const { id, score, experienceTenths: experience, hireable, ...texts } = documentOf(person);
    const own = Object.entries(texts).flatMap(([kind, text]) =>
      tags.take(kind, text.split(" ").filter(Boolean)),
    );
    rows.push({ id, score, experience, hireable, tags: own });
    if (rows.length === 2000) await flush();
  }
  await flush();
  await sql`CREATE INDEX ON people USING gin (tags) WITH (fastupdate = off)`;
  await sql`VACUUM (ANALYZE, FREEZE) people`;
}

/** @param tags gives the numbers of names as an SQL array. */
export function toSql(
  query: SearchQuery,
  tags: { list(kind: string, names: readonly string[]): string },
): { text: string; values: (string | number)[] } {
  const values: (string | number)[] = [];
  const value = (one: string | number) => `$${values.push(one)}`;
  const must = [
    ...[
      tags.list("places", [query.location]),
      ...(query.role ? [tags.list("roles", [query.role])] : []),
    ],
  ].map((list) => `tags @> ${value(list)}::int[]`);
  const skills = (query.skills ?? []).map((skill) =>
    skill.includes(" ") ? tags.list("words", skill.split(" ")) : tags.list("concepts", [skill]),
  );
  if (skills.length > 0) {
    const each = skills.map((list) => `tags @> ${value(list)}::int[]`);
    must.push(`(${each.join(query.strictSkills ? " AND " : " OR ")})`);
  }
  if (query.languages) {
    must.push(`tags && ${value(tags.list("concepts", query.languages))}::int[]`);
  }
  if (query.repositories) {
    must.push(`tags && ${value(tags.list("repositories", query.repositories))}::int[]`);
  }
  if (query.minExperienceYears !== undefined) {
    must.push(`experience >= ${value(query.minExperienceYears * 10)}`);
  }
  if (query.isHireable) must.push("hireable");
  const text = `WITH found AS MATERIALIZED (SELECT id, score FROM people WHERE ${must.join(" AND ")})
    SELECT (SELECT count(*) FROM found) AS total,
      ARRAY(SELECT id FROM found ORDER BY score DESC, id LIMIT ${value(query.maxResults)} OFFSET ${value(query.offset)}) AS page`;
  return { text, values };
}
