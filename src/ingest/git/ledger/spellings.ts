/**
 * The spellings of authors, what links them, and which of them a change has touched since people were last identified. Touched
 * spellings are stored with what touched them, so that a run that is cut off loses none.
 */
import { normaliseAddress } from "../../../identity/address.ts";
import { foldName, type Selector } from "../../../identity/selector.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import type { Database } from "../../../sqlite/database.ts";
import type { Spelling } from "../identity/spelling.ts";
import { createNeighbourSearch } from "./find-neighbours.ts";
import { readSpellings } from "./read-spellings.ts";
import type { SpellingRows } from "./spelling-rows.ts";

/** @package */
export function openSpellings({ sqlite }: Database): SpellingRows {
  const written = openWritten(sqlite);
  const touched = openTouched(sqlite);
  const links = openLinks(sqlite, { ...written, ...touched });
  return { ...written, ...touched, ...links, ...openPersonas(sqlite, written) };
}

function openWritten(
  sqlite: Connection,
): Pick<SpellingRows, "number" | "find" | "in" | "all" | "read" | "fitting"> {
  return {
    number: (spelling) => numberSpelling(sqlite, spelling),
    find: (spelling) =>
      sqlite
        .query<Spelling, [number]>(
          "SELECT name, email, raw_email AS rawEmail, place FROM spelling WHERE id = ?",
        )
        .get(spelling) ?? undefined,
    in: (repository) =>
      sqlite
        .query<{ id: number }, [number]>(
          "SELECT spelling_id AS id FROM work WHERE repository_id = ?",
        )
        .all(repository)
        .map(({ id }) => id),
    all: () =>
      sqlite
        .query<{ id: number }, []>(
          `SELECT id FROM spelling
           WHERE persona IS NOT NULL OR EXISTS (SELECT 1 FROM work WHERE work.spelling_id = spelling.id)`,
        )
        .all()
        .map(({ id }) => id),
    read: (spellings) => [...readSpellings(sqlite, spellings)],
    fitting: (selector) => findFitting(sqlite, selector),
  };
}

function openTouched(
  sqlite: Connection,
): Pick<
  SpellingRows,
  | "touch"
  | "touchWithNeighbours"
  | "due"
  | "touchCredited"
  | "touched"
  | "sweep"
  | "settle"
  | "connected"
  | "parts"
> {
  const touch: SpellingRows["touch"] = (spellings) => {
    const insert = sqlite.query("INSERT OR IGNORE INTO touched (spelling_id) VALUES (?)");
    for (const spelling of spellings) insert.run(spelling);
  };
  return {
    touch,
    touchWithNeighbours(spellings) {
      if (spellings.length === 0) return;
      const search = createNeighbourSearch(sqlite);
      touch(spellings);
      for (const spelling of spellings) touch(search.neighbours(spelling));
    },
    due(spelling, who) {
      sqlite
        .query(
          `UPDATE person SET is_due = 1 WHERE id = (SELECT person_id FROM spelling WHERE id = ?1)
             AND (class = 'human' OR ?2 = 'anybody')`,
        )
        .run(spelling, who);
    },
    touchCredited(named) {
      const mark = sqlite.query(
        `UPDATE person SET is_due = 1 WHERE id IN (SELECT person_id FROM person_key WHERE key IN
           (SELECT key FROM credit_key WHERE named_id = ?))`,
      );
      for (const one of named) mark.run(one);
    },
    touched: () =>
      sqlite
        .query<{ id: number }, []>("SELECT spelling_id AS id FROM touched ORDER BY spelling_id")
        .all()
        .map(({ id }) => id),
    sweep: (spellings) => sweepSpellings(sqlite, spellings),
    settle(touched) {
      sqlite.run("DELETE FROM touched");
      sweepSpellings(sqlite, touched);
    },
    connected: (seeds) => connect(createNeighbourSearch(sqlite), seeds),
    parts: (seeds) => divide(sqlite, seeds),
  };
}

function openLinks(
  sqlite: Connection,
  rows: Pick<SpellingRows, "all" | "touch" | "touchWithNeighbours">,
): Pick<
  SpellingRows,
  "unlinked" | "link" | "unlinkAll" | "linkedBy" | "relink" | "addLink" | "unlink"
> {
  return {
    unlinked: () =>
      sqlite
        .query<{ id: number }, []>(
          `SELECT id FROM spelling WHERE is_linked = 0 AND (persona IS NOT NULL
             OR EXISTS (SELECT 1 FROM work WHERE work.spelling_id = spelling.id))`,
        )
        .all()
        .map(({ id }) => id),
    link(spelling, links, account) {
      const insert = sqlite.query(
        "INSERT OR IGNORE INTO link (key, spelling_id, reach) VALUES (?, ?, ?)",
      );
      for (const { key, reach } of links) insert.run(key, spelling, reach);
      sqlite
        .query("UPDATE spelling SET is_linked = 1, account = ? WHERE id = ?")
        .run(account ?? null, spelling);
    },
    unlinkAll() {
      sqlite.run("DELETE FROM link");
      sqlite.run("UPDATE spelling SET is_linked = 0");
      rows.touch(rows.all());
    },
    linkedBy: (key) =>
      sqlite
        .query<{ id: number }, [number]>("SELECT spelling_id AS id FROM link WHERE key = ?")
        .all(key)
        .map(({ id }) => id),
    relink(spelling) {
      rows.touchWithNeighbours([spelling]);
      sqlite.query("DELETE FROM link WHERE spelling_id = ?").run(spelling);
      sqlite.query("UPDATE spelling SET is_linked = 0 WHERE id = ?").run(spelling);
    },
    addLink(spelling, { key, reach }) {
      sqlite
        .query("INSERT OR IGNORE INTO link (key, spelling_id, reach) VALUES (?, ?, ?)")
        .run(key, spelling, reach);
    },
    unlink(key) {
      sqlite.query("DELETE FROM link WHERE key = ?").run(key);
    },
  };
}

function openPersonas(
  sqlite: Connection,
  rows: Pick<SpellingRows, "read" | "number">,
): Pick<
  SpellingRows,
  "personas" | "addPersona" | "setPersonaDigest" | "removePersona" | "setTold"
> {
  return {
    personas() {
      const read = sqlite.query<{ id: number; digest: string | null }, []>(
        "SELECT id, persona_digest AS digest FROM spelling WHERE persona IS NOT NULL",
      );
      const digests = new Map(read.all().map(({ id, digest }) => [id, digest ?? ""]));
      return rows
        .read(new Set(digests.keys()))
        .map((spelling) => ({ ...spelling, digest: digests.get(spelling.id) ?? "" }));
    },
    addPersona(spelling, account, digest) {
      sqlite
        .query("UPDATE spelling SET persona = ?, persona_digest = ? WHERE id = ?")
        .run(account, digest, rows.number(spelling));
    },
    setPersonaDigest(spelling, digest) {
      sqlite.query("UPDATE spelling SET persona_digest = ? WHERE id = ?").run(digest, spelling);
    },
    removePersona(spelling) {
      sqlite
        .query("UPDATE spelling SET persona = NULL, persona_digest = NULL WHERE id = ?")
        .run(spelling);
    },
    setTold(spelling, told) {
      sqlite.query("UPDATE spelling SET told = ? WHERE id = ?").run(told ?? null, spelling);
    },
  };
}

function numberSpelling(sqlite: Connection, { name, email, rawEmail, place }: Spelling): number {
  const known = sqlite
    .query<{ id: number }, [string, string, string, string]>(
      "SELECT id FROM spelling WHERE raw_email = ? AND name = ? AND email = ? AND place = ?",
    )
    .get(rawEmail, name, email, place);
  if (known) return known.id;
  const { lastInsertRowid } = sqlite
    .query(
      `INSERT INTO spelling (name, email, raw_email, place, folded, address, raw_address)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      ...([name, email, rawEmail, place, foldName(name)] as const),
      ...([normaliseAddress(email), normaliseAddress(rawEmail)] as const),
    );
  return Number(lastInsertRowid);
}

type NeighbourSearch = ReturnType<typeof createNeighbourSearch>;

function connect(search: NeighbourSearch, seeds: Iterable<number>): Set<number> {
  const found = new Set(seeds);
  for (const spelling of found) for (const other of search.neighbours(spelling)) found.add(other);
  return found;
}

/** Small parts come together, so that what is done once for each is done seldom; a part of so many takes some tens of megabytes. */
const partMin = 3000;

function* divide(sqlite: Connection, seeds: Iterable<number>): Generator<ReadonlySet<number>> {
  const done = new Set<number>();
  let part = new Set<number>();
  let search = createNeighbourSearch(sqlite);
  for (const seed of seeds) {
    if (done.has(seed)) continue;
    for (const spelling of connect(search, [seed])) {
      done.add(spelling);
      part.add(spelling);
    }
    if (part.size < partMin) continue;
    yield part;
    part = new Set();
    search = createNeighbourSearch(sqlite);
  }
  if (part.size > 0) yield part;
}

function sweepSpellings(sqlite: Connection, spellings: Iterable<number>): void {
  const remove = sqlite.query(
    `DELETE FROM spelling WHERE id = ?1 AND persona IS NULL AND person_id IS NULL
       AND NOT EXISTS (SELECT 1 FROM work WHERE spelling_id = ?1)
       AND NOT EXISTS (SELECT 1 FROM mention WHERE spelling_id = ?1)
       AND NOT EXISTS (SELECT 1 FROM credit WHERE named_id = ?1)
       AND NOT EXISTS (SELECT 1 FROM touched WHERE spelling_id = ?1)`,
  );
  const unlink = sqlite.query("DELETE FROM link WHERE spelling_id = ?");
  const unkey = sqlite.query("DELETE FROM credit_key WHERE named_id = ?");
  for (const spelling of spellings) {
    if (remove.run(spelling).changes === 0) continue;
    unlink.run(spelling);
    unkey.run(spelling);
  }
}

function findFitting(sqlite: Connection, { name, address, account }: Selector): readonly number[] {
  const list = (sql: string, ...values: string[]): readonly number[] =>
    sqlite
      .query<{ id: number }, string[]>(sql)
      .all(...values)
      .map(({ id }) => id);
  if (account) {
    const { forge, login } = account;
    return forge === undefined
      ? list("SELECT id FROM spelling WHERE account LIKE ? ESCAPE '\\'", `%/${escapeLike(login)}`)
      : list("SELECT id FROM spelling WHERE account = ?", `${forge}/${login}`);
  }
  if (address === undefined) {
    return list("SELECT id FROM spelling WHERE folded = ?", foldName(name ?? ""));
  }
  if (address.startsWith("*@")) {
    const sql = `SELECT id FROM spelling WHERE address LIKE ?1 ESCAPE '\\' OR raw_address LIKE ?1 ESCAPE '\\'`;
    return list(sql, `%${escapeLike(address.slice(1))}`);
  }
  return list("SELECT id FROM spelling WHERE address = ?1 OR raw_address = ?1", address);
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
