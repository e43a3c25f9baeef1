/** The server that tests of PostgreSQL stand on: real, durable, and gone with its user. */
import { expect, test } from "bun:test";
import { SQL } from "bun";
import { hasPostgres, newDatabase } from "./database.ts";

test.skipIf(!hasPostgres)(
  "it is new enough, syncs to disk, and gives each test a database of its own",
  async () => {
    const [one, other] = [await newDatabase(), await newDatabase()];
    await using sql = new SQL(one, { max: 1 });
    const [row] = await sql`SELECT current_setting('server_version_num')::int AS version,
    current_setting('fsync') AS fsync, current_database() AS name`;
    expect(row.version).toBeGreaterThanOrEqual(150_000);
    expect(row.fsync).toBe("on");
    expect(one).toEndWith(`/${row.name}`);
    expect(other).not.toBe(one);
  },
);
