/** What a card shows of an analysis is kept; whoever changes or is erased must not be shown as before. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCardFigures } from "../../../../src/interfaces/web/search/card-figures.ts";
import type { Pool } from "../../../../src/pool/pool.ts";
import { openSqlitePool } from "../../../../src/pool/sqlite/sqlite-pool.ts";
import { type Invented, invented } from "../../../pool/invented.ts";
import type { OpenPool } from "../../../pool/pool-contract.ts";
import { openPostgresAt } from "../../../pool/postgres/open.ts";
import { hasPostgres } from "../../../postgres/database.ts";

const folder = mkdtempSync(join(tmpdir(), "roster-figures-"));
afterAll(() => rmSync(folder, { recursive: true }));

const databases: readonly (readonly [name: string, openAt: OpenPool, isThere: boolean])[] = [
  ["SQLite", openSqlitePool, true],
  ["PostgreSQL", openPostgresAt, hasPostgres],
];
const now = () => new Date("2026-11-21T12:00:00Z");

async function bring(pool: Pool, ...people: readonly Invented[]) {
  const load = await pool.beginImport("test");
  await load.put(people.map(invented));
  await load.commit();
}

for (const [name, openAt, isThere] of databases) {
  describe.skipIf(!isThere)(`the figures of cards from ${name}`, () => {
    test("change with the person, and go with who is erased, whichever process does it", async () => {
      const place = join(folder, "pool.db");
      const pool = await openAt(place, { now });
      const other = await openAt(place, { now });
      const readDays = async (...logins: readonly string[]) => {
        // Within a turn all callers may see the pool as it was when the turn began.
        await Bun.sleep(1);
        return (await readCardFigures(pool, logins)).map((figures) => figures?.asOf);
      };
      for (const writer of [pool, other]) {
        await bring(writer, { login: "ada", asOf: "2026-11-01" }, { login: "ben" });
        expect(await readDays("ada", "ben", "nobody")).toEqual([
          "2026-11-01",
          "2026-11-01",
          undefined,
        ]);
        await bring(writer, { login: "ada", asOf: "2026-11-20" });
        expect(await readDays("ben", "ada")).toEqual(["2026-11-01", "2026-11-20"]);
        await bring(writer, { login: "cy", asOf: "2026-11-21", formerLogins: ["dee"] });
        expect(await readDays("dee")).toEqual(["2026-11-21"]);
        await bring(writer, { login: "dee", asOf: "2026-11-02" });
        expect(await readDays("dee", "cy")).toEqual(["2026-11-02", "2026-11-21"]);
        const load = await writer.beginImport("test");
        await load.remove(["dee", "cy"]);
        await load.commit();
        expect(await readDays("dee", "ada")).toEqual([undefined, "2026-11-20"]);
      }
      await other.erasing.hide("ada");
      expect(await readDays("ada", "ben")).toEqual([undefined, "2026-11-01"]);
      await other.close();
      await pool.close();
    });
  });
}
