/**
 * People in PostgreSQL as one might store them: everything that is asked for by name is a number in one array under a GIN index,
 * and the rest is in columns.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SQL } from "bun";
import type { SearchQuery } from "../../../src/search/search-index.ts";
import type { Person } from "../synthetic-people.ts";
import { documentOf } from "./person-document.ts";

const rowsPerCopy = 100_000;

/**
 * Creates the table and its index. Repositories of a single person are left out, which saves millions of keys.
 *
 * @param folder where the server can read a file.
 * @returns the number of each name, by `kind name`.
 */
export async function loadPeople(
  sql: SQL,
  people: Iterable<Person>,
  folder: string,
): Promise<ReadonlyMap<string, number>> {
  await sql`CREATE TABLE people (id int PRIMARY KEY, score real NOT NULL, experience int NOT NULL,
    hireable boolean NOT NULL, tags int[] NOT NULL)`;
  const file = join(folder, "people.copy");
  const numbers = new Map<string, number>();
  let lines: string[] = [];
  for (const person of people) {
    const tags = listTags(person).map((tag) =>
      numbers.getOrInsertComputed(tag, () => numbers.size + 1),
    );
    lines.push(toLine(person, tags));
    if (lines.length < rowsPerCopy) continue;
    await copyRows(sql, file, "people", lines);
    lines = [];
  }
  await copyRows(sql, file, "people", lines);
  await sql`CREATE INDEX ON people USING gin (tags) WITH (fastupdate = off)`;
  await sql`VACUUM (ANALYZE, FREEZE) people`;
  return numbers;
}

export async function copyRows(
  sql: SQL,
  file: string,
  table: string,
  lines: readonly string[],
): Promise<void> {
  writeFileSync(file, lines.join(""), { mode: 0o644 });
  await sql.unsafe(`COPY ${table} FROM '${file}'`);
  rmSync(file);
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

/**
 * It orders by the stored score, which is less work than an order by role and skills. It forces the filters to be applied
 * first, because the planner would otherwise walk along the order.
 *
 * @param numbers of names; a name that no person has is 0.
 */
export function toSql(
  query: SearchQuery,
  numbers: ReadonlyMap<string, number>,
): { text: string; values: (string | number)[] } {
  const values: (string | number)[] = [];
  const list = (kind: string, names: readonly string[]) =>
    `{${names.map((name) => numbers.get(`${kind} ${name}`) ?? 0).join()}}`;
  const value = (one: string | number) => `$${values.push(one)}`;
  const must = [
    ...[list("places", [query.location]), ...(query.role ? [list("roles", [query.role])] : [])],
  ].map((list) => `tags @> ${value(list)}::int[]`);
  const skills = (query.skills ?? []).map((skill) =>
    skill.includes(" ") ? list("words", skill.split(" ")) : list("concepts", [skill]),
  );
  if (skills.length > 0) {
    const each = skills.map((list) => `tags @> ${value(list)}::int[]`);
    must.push(`(${each.join(query.strictSkills ? " AND " : " OR ")})`);
  }
  if (query.languages) {
    must.push(`tags && ${value(list("concepts", query.languages))}::int[]`);
  }
  if (query.repositories) {
    must.push(`tags && ${value(list("repositories", query.repositories))}::int[]`);
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
