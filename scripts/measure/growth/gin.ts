import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { documentOf } from "../rivals/person-document.ts";
import { toSql } from "../rivals/postgres.ts";
import { type Person, people } from "../synthetic-people.ts";
import type { Engine, EngineKind, EnginePlace } from "./engine.ts";
import { startKeptPostgres } from "./kept-postgres.ts";

const rowsPerCopy = 100_000;

/**
 * PostgreSQL as one might use it: everything that is asked for by name is a number in one array under a GIN index, and
 * the rest is in columns. It orders by the stored score, which is less work than an order by role and skills, and it
 * leaves out repositories of a single person, which saves millions of keys.
 */
export const gin: EngineKind = { build, open };

async function build({ developers, folder }: EnginePlace): Promise<number> {
  await using server = await startKeptPostgres(folder);
  await using sql = new SQL(server.url, { max: 1 });
  await sql`DROP TABLE IF EXISTS people, tag`;
  await sql`CREATE TABLE people (id int PRIMARY KEY, score real NOT NULL, experience int NOT NULL,
    hireable boolean NOT NULL, tags int[] NOT NULL)`;
  await sql`CREATE TABLE tag (tag text PRIMARY KEY, number int NOT NULL)`;
  const file = join(folder, "rows.copy");
  const copy = async (table: string, lines: readonly string[]) => {
    writeFileSync(file, lines.join(""), { mode: 0o644 });
    await sql.unsafe(`COPY ${table} FROM '${file}'`);
  };
  const numbers = new Map<string, number>();
  let lines: string[] = [];
  for (const person of people(developers)) {
    const tags = listTags(person).map((tag) =>
      numbers.getOrInsertComputed(tag, () => numbers.size + 1),
    );
    lines.push(toLine(person, tags));
    if (lines.length < rowsPerCopy) continue;
    await copy("people", lines);
    lines = [];
  }
  await copy("people", lines);
  await copy(
    "tag",
    Array.from(numbers, ([tag, number]) => `${tag}\t${number}\n`),
  );
  rmSync(file);
  await sql`CREATE INDEX ON people USING gin (tags) WITH (fastupdate = off)`;
  await sql`VACUUM (ANALYZE, FREEZE) people`;
  const [row] = await sql`SELECT pg_total_relation_size('people') AS size`;
  return Number(row.size);
}

function listTags(person: Person): readonly string[] {
  const { places, concepts, roles, words } = documentOf(person);
  const named = Object.entries({ places, concepts, roles, words }).flatMap(([kind, text]) =>
    text.split(" ").flatMap((name) => (name === "" ? [] : `${kind} ${name}`)),
  );
  const shared = person.standing.repositories.filter(({ name }) => name.startsWith("org-"));
  return [...named, ...shared.map(({ name }) => `repositories ${name}`)];
}

function toLine(person: Person, tags: readonly number[]): string {
  const { id, score, experienceTenths, hireable } = documentOf(person);
  return `${id}\t${score}\t${experienceTenths}\t${hireable}\t{${tags.join()}}\n`;
}

async function open({ folder }: EnginePlace): Promise<Engine> {
  const server = await startKeptPostgres(folder);
  // Filters differ with every question, so no one plan suits all of them.
  const sql = new SQL(server.url, { max: 1, connection: { plan_cache_mode: "force_custom_plan" } });
  const rows: { tag: string; number: number }[] = await sql`SELECT tag, number FROM tag`;
  const numbers = new Map(rows.map(({ tag, number }) => [tag, number]));
  const list = (kind: string, names: readonly string[]) =>
    `{${names.map((name) => numbers.get(`${kind} ${name}`) ?? 0).join()}}`;
  return {
    async find(query) {
      const { text, values } = toSql(query, { list });
      const [row] = await sql.unsafe(text, values);
      return { total: Number(row.total) };
    },
    async close() {
      await sql.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
