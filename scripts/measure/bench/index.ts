/**
 * What the index costs apart from searches: building it from the whole pool, renewing it after a hundred people have
 * changed, and opening its file; compared with a bare loop that reads the rows, and with one read of the file. In
 * processor time, which depends little on what else the machine does.
 */
import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "../../../src/pool/pool.ts";
import { packStanding } from "../../../src/pool/rows/standing.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { readGeneration, writeGeneration } from "../../../src/search/generation/file.ts";
import type { Generation } from "../../../src/search/generation/generation.ts";
import { renewGeneration } from "../../../src/search/generation/renew.ts";
import { defineMeasurement } from "../measurement.ts";
import { measureCpu } from "../processes.ts";
import { atMost, comparePairs } from "../rows.ts";
import { type Person, people, places } from "../synthetic-people.ts";

/** A multiple of the processor time of a loop that reads every needed row from SQLite. */
const rebuildBar = 4;
const changed = 100;
const edition = "bench";

export const measurement = defineMeasurement({
  about: "Processor time to build, renew and open the index.",
  options: { developers: 100_000 },
  async run({ developers, work }) {
    const file = join(work, "search.index");
    const poolFile = join(work, "pool.db");
    const pool = openSqlitePool(poolFile, { now: () => new Date() });
    try {
      fill(poolFile, people(developers));
      const bare = await measure(() => readBare(poolFile));
      const rebuild = await measure(() => renew(pool, undefined));
      writeGeneration(file, rebuild.result);
      change(poolFile, people(changed, 2));
      const renewal = await measure(() => renew(pool, open(file)));
      const whole = await renew(pool, undefined);
      if (!Buffer.from(whole.buffer).equals(Buffer.from(renewal.result.buffer))) {
        throw new Error("the renewed index is not the one that is built of the whole pool");
      }
      const opened = await measure(() => open(file).revision);
      const read = await measure(() => readFileSync(file).length);
      return {
        rows: [
          { name: "index.developers", value: developers, unit: "people" },
          { name: "index.size", value: read.result / 1e6, unit: "MB" },
          atMost(rebuildBar, toRow("rebuild", rebuild, "a bare read of the rows", bare)),
          toRow("renewal", renewal, "a rebuild", rebuild),
          toRow("open", opened, "one read of the file", read),
        ],
      };
    } finally {
      await pool.close();
    }
  },
});

function measure<T>(work: () => T | Promise<T>) {
  Bun.gc(true);
  return measureCpu(work);
}

interface Measured {
  readonly seconds: number;
}

function toRow(name: string, ours: Measured, what: string, other: Measured) {
  const about = { name: `index.${name}`, unit: "s of CPU" };
  return comparePairs(about, [ours.seconds], { what, values: [other.seconds] });
}

function renew(pool: Pool, previous: Generation | undefined): Promise<Generation> {
  return renewGeneration({ pool, ancestors: places.ancestors, edition, previous });
}

function open(file: string): Generation {
  const found = readGeneration(file, { edition });
  if ("fault" in found) throw new Error(`the index ${found.fault}`);
  return found;
}

function readBare(poolFile: string): number {
  const store = new Database(poolFile, { readonly: true });
  const rows = store.prepare<{ standing: string }, []>(
    "SELECT row_id, standing FROM developer JOIN standing USING (row_id) ORDER BY row_id",
  );
  let units = 0;
  for (const { standing } of rows.iterate()) units += standing.length;
  rows.finalize();
  store.close();
  return units;
}

/**
 * Writes rows as an import does, but only the columns that the index reads. Importing a million people whole would take
 * an hour.
 */
function fill(poolFile: string, some: Iterable<Person>): void {
  const store = new Database(poolFile);
  const { revision } = store
    .query<{ revision: number }, []>(
      "SELECT ifnull(max(revision), 0) + 1 AS revision FROM pool_state",
    )
    .get() ?? { revision: 1 };
  const at = "2026-01-01T00:00:00.000Z";
  const developer = store.prepare(
    `INSERT INTO developer (login_key, login, source, searchable, import_id, change, facts_hash, whole_hash)
     VALUES (?, ?, 'test', 1, ?, 'added', '', '') RETURNING row_id`,
  );
  const features = store.prepare("INSERT INTO standing (row_id, standing) VALUES (?, ?)");
  store.transaction(() => {
    const values = [revision, "test", at, at, revision];
    store.run(
      "INSERT INTO import (id, source, started_at, committed_at, revision) VALUES (?, ?, ?, ?, ?)",
      values,
    );
    for (const { standing } of some) {
      const login = `${standing.login}-${revision}`;
      const { row_id } = developer.get(login, login, revision) as { row_id: number };
      features.run(row_id, packStanding({ ...standing, login }));
    }
    store.run("INSERT OR REPLACE INTO pool_state (id, revision) VALUES (1, ?)", [revision]);
  })();
  store.close();
}

/** Adds as many people as it removes. */
function change(poolFile: string, some: Iterable<Person>): void {
  fill(poolFile, some);
  const store = new Database(poolFile);
  store.run("DELETE FROM developer WHERE row_id % 37 = 5 AND row_id <= ?", [changed * 37]);
  store.close();
}
