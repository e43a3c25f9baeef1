import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyRows } from "../../src/postgres/copy-rows.ts";
import { openPostgres, type PostgresDatabase } from "../../src/postgres/database.ts";
import { hasPostgres, newDatabase } from "./database.ts";

const statement = "COPY copied (content, label, at, whole, bits) FROM STDIN (FORMAT binary)";

describe.skipIf(!hasPostgres)("rows that are copied", () => {
  let database: PostgresDatabase;
  beforeAll(async () => {
    database = await openPostgres({ url: await newDatabase(), connectionsMax: 1 });
    await database.sql`
      CREATE TABLE copied (content bytea, label text, at integer, whole bigint, bits bit varying)`;
  });
  afterAll(() => database?.close());

  test("are stored as they were given, of any length", async () => {
    // Longer than what is gathered before it is sent, by any amount.
    const lengths = [0, 1, 262_143, 524_288, 1_200_000, 3_000_001];
    await copyRows(database.sql, statement, async (rows) => {
      for (const length of lengths) {
        await rows.begin(5);
        rows.bytes(length === 0 ? undefined : Buffer.alloc(length, 7));
        rows.text("é".repeat(length));
        rows.integer(-1 - length);
        rows.bigint(-(2n ** 62n));
        rows.bits(Uint8Array.of(0b1000_0001, 0xff));
      }
    });
    const found = await database.sql`
      SELECT length(content) AS bytes, length(label) AS letters, at, whole::text, bits::text
      FROM copied ORDER BY at DESC`;
    const same = { whole: String(-(2n ** 62n)), bits: "1000000111111111" };
    expect([...found]).toEqual(
      lengths.map((letters) => ({ bytes: letters || null, letters, at: -1 - letters, ...same })),
    );
  });

  test("are none where one of them could not be given", async () => {
    await database.sql`TRUNCATE copied`;
    const copying = copyRows(database.sql, statement, async (rows) => {
      await rows.begin(5);
      throw new Error("no more");
    });
    await expect(copying).rejects.toThrow("no more");
    expect([...(await database.sql`SELECT FROM copied`)]).toEqual([]);
  });
});
