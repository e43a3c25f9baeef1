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

function openWritten(sqlite: Connection) {
  return {
    number: (spelling) => numberSpelling(sqlite, spelling),
    find: (spelling) =>
      sqlite.readRow<Spelling>`
        SELECT name, email, raw_email AS rawEmail, place FROM spelling WHERE id = ${spelling}`,
    mentionedIn: (spelling) =>
      sqlite.readColumn<string>`SELECT DISTINCT repository.name FROM mention JOIN place ON place.id = mention.place_id
        JOIN repository ON repository.id = place.repository_id WHERE mention.spelling_id = ${spelling}`,
    in: (repository) =>
      sqlite.readColumn`SELECT spelling_id FROM work WHERE repository_id = ${repository}`,
    all: () =>
      sqlite.readColumn`SELECT id FROM spelling WHERE persona IS NOT NULL
        OR EXISTS (SELECT 1 FROM work WHERE work.spelling_id = spelling.id)`,
    read: (spellings) => [...readSpellings(sqlite, spellings)],
    fitting: (selector) => findFitting(sqlite, selector),
  } satisfies Partial<SpellingRows>;
}

function openTouched(sqlite: Connection) {
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
      sqlite.execute`UPDATE person SET is_due = 1
        WHERE id = (SELECT person_id FROM spelling WHERE id = ${spelling})
          AND (class = 'human' OR ${who} = 'anybody')`;
    },
    touchCredited(named) {
      const mark = sqlite.query(
        `UPDATE person SET is_due = 1 WHERE id IN (SELECT person_id FROM person_key WHERE key IN
           (SELECT key FROM credit_key WHERE named_id = ?))`,
      );
      for (const one of named) mark.run(one);
    },
    touched: () => sqlite.readColumn`SELECT spelling_id FROM touched ORDER BY spelling_id`,
    sweep: (spellings) => sweepSpellings(sqlite, spellings),
    settle(touched) {
      sqlite.run("DELETE FROM touched");
      sweepSpellings(sqlite, touched);
    },
    connected: (seeds) => connect(createNeighbourSearch(sqlite), seeds),
    parts: (seeds) => divide(sqlite, seeds),
  } satisfies Partial<SpellingRows>;
}

function openLinks(
  sqlite: Connection,
  rows: Pick<SpellingRows, "all" | "touch" | "touchWithNeighbours">,
) {
  return {
    unlinked: () =>
      sqlite.readColumn<number>`SELECT id FROM spelling WHERE is_linked = 0 AND (persona IS NOT NULL
        OR EXISTS (SELECT 1 FROM work WHERE work.spelling_id = spelling.id))`,
    link(spelling, links, account) {
      const insert = sqlite.query(
        "INSERT OR IGNORE INTO link (key, spelling_id, reach) VALUES (?, ?, ?)",
      );
      for (const { key, reach } of links) insert.run(key, spelling, reach);
      sqlite.execute`UPDATE spelling SET is_linked = 1, account = ${account ?? null}
        WHERE id = ${spelling}`;
    },
    unlinkAll() {
      sqlite.run("DELETE FROM link");
      sqlite.run("UPDATE spelling SET is_linked = 0");
      rows.touch(rows.all());
    },
    linkedBy: (key) => sqlite.readColumn<number>`SELECT spelling_id FROM link WHERE key = ${key}`,
    relink(spelling) {
      rows.touchWithNeighbours([spelling]);
      sqlite.execute`DELETE FROM link WHERE spelling_id = ${spelling}`;
      sqlite.execute`UPDATE spelling SET is_linked = 0 WHERE id = ${spelling}`;
    },
    addLink(spelling, { key, reach }) {
      sqlite.execute`INSERT OR IGNORE INTO link (key, spelling_id, reach)
        VALUES (${key}, ${spelling}, ${reach})`;
    },
    unlink(key) {
      sqlite.execute`DELETE FROM link WHERE key = ${key}`;
    },
  } satisfies Partial<SpellingRows>;
}

function openPersonas(sqlite: Connection, rows: Pick<SpellingRows, "read" | "number">) {
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
      sqlite.execute`UPDATE spelling SET persona = ${account}, persona_digest = ${digest}
        WHERE id = ${rows.number(spelling)}`;
    },
    setPersonaDigest(spelling, digest) {
      sqlite.execute`UPDATE spelling SET persona_digest = ${digest} WHERE id = ${spelling}`;
    },
    removePersona(spelling) {
      sqlite.execute`UPDATE spelling SET persona = NULL, persona_digest = NULL
        WHERE id = ${spelling}`;
    },
    setTold(spelling, told) {
      sqlite.execute`UPDATE spelling SET told = ${told ?? null} WHERE id = ${spelling}`;
    },
  } satisfies Partial<SpellingRows>;
}

function numberSpelling(sqlite: Connection, { name, email, rawEmail, place }: Spelling): number {
  const known = sqlite.readValue<number>`SELECT id FROM spelling WHERE raw_email = ${rawEmail}
    AND name = ${name} AND email = ${email} AND place = ${place}`;
  if (known !== undefined) return known;
  const { lastInsertRowid } = sqlite.execute`
    INSERT INTO spelling (name, email, raw_email, place, folded, address, raw_address)
    VALUES (${name}, ${email}, ${rawEmail}, ${place}, ${foldName(name)}, ${normaliseAddress(email)},
      ${normaliseAddress(rawEmail)})`;
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
  if (account) {
    const { forge, login } = account;
    return forge === undefined
      ? sqlite.readColumn`SELECT id FROM spelling
          WHERE account LIKE ${`%/${escapeLike(login)}`} ESCAPE '\\'`
      : sqlite.readColumn`SELECT id FROM spelling WHERE account = ${`${forge}/${login}`}`;
  }
  if (address === undefined) {
    return sqlite.readColumn`SELECT id FROM spelling WHERE folded = ${foldName(name ?? "")}`;
  }
  if (address.startsWith("*@")) {
    const pattern = `%${escapeLike(address.slice(1))}`;
    return sqlite.readColumn`SELECT id FROM spelling
      WHERE address LIKE ${pattern} ESCAPE '\\' OR raw_address LIKE ${pattern} ESCAPE '\\'`;
  }
  return sqlite.readColumn`SELECT id FROM spelling
    WHERE address = ${address} OR raw_address = ${address}`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
