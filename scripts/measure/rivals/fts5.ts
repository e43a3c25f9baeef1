import { Database } from "bun:sqlite";
import type { SearchQuery } from "../../../src/search/search-index.ts";
import type { Person } from "../synthetic-people.ts";
import { documentOf } from "./person-document.ts";
import type { Rival } from "./rival.ts";

/** What one might build instead: SQLite's full-text index in memory, with filters and order in columns. */
export function fts5Rival(people: Iterable<Person>): Rival {
  const database = new Database(":memory:");
  database.run(
    "CREATE TABLE people (id INTEGER PRIMARY KEY, experienceTenths INTEGER, hireable INTEGER, score REAL)",
  );
  database.run(
    `CREATE VIRTUAL TABLE texts USING fts5 (places, concepts, roles, words,
      content = '', tokenize = "unicode61 tokenchars '-'")`,
  );
  const person = database.prepare("INSERT INTO people VALUES (?, ?, ?, ?)");
  const text = database.prepare(
    "INSERT INTO texts (rowid, places, concepts, roles, words) VALUES (?, ?, ?, ?, ?)",
  );
  database.transaction(() => {
    for (const each of people) {
      const { id, places, concepts, roles, words, ...rest } = documentOf(each);
      person.run(id, rest.experienceTenths, rest.hireable, rest.score);
      text.run(id, places, concepts, roles, words);
    }
  })();
  database.run("INSERT INTO texts (texts) VALUES ('optimize')");
  const from = `FROM texts JOIN people ON people.id = texts.rowid
    WHERE texts MATCH ? AND experienceTenths >= ? AND hireable >= ?`;
  const count = database.prepare<{ total: number }, (string | number)[]>(
    `SELECT count(*) AS total ${from}`,
  );
  const page = database.prepare(`SELECT id ${from} ORDER BY score DESC, id LIMIT ? OFFSET ?`);
  const total = (query: SearchQuery) => {
    const filters = [
      matchOf(query),
      (query.minExperienceYears ?? 0) * 10,
      query.isHireable ? 1 : 0,
    ];
    page.all(...filters, query.maxResults, query.offset);
    return count.get(...filters)?.total ?? 0;
  };
  return { total };
}

function matchOf(query: SearchQuery): string {
  const any = (column: string, names: readonly string[]) =>
    `(${names.map((name) => `${column} : "${name}"`).join(" OR ")})`;
  const all = [any("places", [query.location])];
  if (query.role) all.push(any("roles", [query.role]));
  const skills = (query.skills ?? []).map((skill) =>
    skill.includes(" ")
      ? `(${skill
          .split(" ")
          .map((word) => any("words", [word]))
          .join(" AND ")})`
      : any("concepts", [skill]),
  );
  if (skills.length > 0) all.push(`(${skills.join(query.strictSkills ? " AND " : " OR ")})`);
  if (query.languages) all.push(any("concepts", query.languages));
  return all.join(" AND ");
}
