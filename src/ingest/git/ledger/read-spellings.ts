/** Reads spellings with the sums of their work in all repositories. */
import type { Connection } from "../../../sqlite/connection.ts";
import type { StoredSpelling } from "./spelling-rows.ts";

const readingSql = {
  all: `SELECT spelling.*, work.commits, work.first, work.last, work.routine, work.is_work, repository.name AS repository,
      (SELECT group_concat(replaced, ' ') FROM mention WHERE spelling_id = spelling.id) AS replaced
    FROM spelling LEFT JOIN work ON work.spelling_id = spelling.id LEFT JOIN repository ON repository.id = work.repository_id
    ORDER BY spelling.id`,
  one: `SELECT spelling.*, work.commits, work.first, work.last, work.routine, work.is_work, repository.name AS repository,
      (SELECT group_concat(replaced, ' ') FROM mention WHERE spelling_id = spelling.id) AS replaced
    FROM spelling LEFT JOIN work ON work.spelling_id = spelling.id LEFT JOIN repository ON repository.id = work.repository_id
    WHERE spelling.id = ?`,
};

interface SpellingRow {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly raw_email: string;
  readonly place: string;
  readonly persona: string | null;
  readonly told: string | null;
  readonly person_id: number | null;
  readonly commits: number | null;
  readonly first: number | null;
  readonly last: number | null;
  readonly routine: number | null;
  readonly is_work: number | null;
  readonly repository: string | null;
  readonly replaced: string | null;
}

/** @package In order of their numbers; those without work or account are left out. */
export function* readSpellings(
  sqlite: Connection,
  spellings: ReadonlySet<number> | "all",
): Generator<StoredSpelling> {
  if (spellings === "all") {
    let rows: SpellingRow[] = [];
    for (const row of sqlite.query<SpellingRow, []>(readingSql.all).iterate()) {
      if (rows[0] && rows[0].id !== row.id) {
        yield* joinRows(rows);
        rows = [];
      }
      rows.push(row);
    }
    yield* joinRows(rows);
    return;
  }
  const read = sqlite.query<SpellingRow, [number]>(readingSql.one);
  for (const id of [...spellings].sort((a, b) => a - b)) yield* joinRows(read.all(id));
}

function* joinRows(rows: readonly SpellingRow[]): Generator<StoredSpelling> {
  const [row] = rows;
  if (!row || (row.repository === null && row.persona === null)) return;
  const firsts = rows.flatMap(({ first }) => (first === null ? [] : [first]));
  const lasts = rows.flatMap(({ last }) => (last === null ? [] : [last]));
  const { id, name, email, raw_email: rawEmail, place } = row;
  yield {
    ...{ id, name, email, rawEmail, place },
    persona: row.persona ?? undefined,
    told: row.told ?? undefined,
    person: row.person_id ?? undefined,
    commits: rows.reduce((sum, { commits }) => sum + (commits ?? 0), 0),
    first: firsts.length > 0 ? Math.min(...firsts) : undefined,
    last: lasts.length > 0 ? Math.max(...lasts) : undefined,
    routine: rows.reduce((sum, { routine }) => sum + (routine ?? 0), 0),
    isWork: rows.some(({ is_work: isWork }) => isWork === 1),
    replaced: row.replaced?.split(" ") ?? [],
    repositories: rows.flatMap(({ repository }) => repository ?? []),
  };
}
