import { describe, expect, test } from "bun:test";
import { openPostgresPool } from "../../../src/pool/postgres/postgres-pool.ts";
import { isLong } from "../../long.ts";
import { hasPostgres, newDatabase, runAsSuperuser } from "../../postgres/database.ts";
import { describeChanges } from "../changes-contract.ts";
import { describeErasedOwners } from "../erased-owners-contract.ts";
import { describeErasure } from "../erasure-contract.ts";
import { invented } from "../invented.ts";
import { describePool } from "../pool-contract.ts";
import { expectOldRowsRead } from "../ranked-rows.ts";
import { openPostgresAt } from "./open.ts";

describe.skipIf(!hasPostgres)("the pool in PostgreSQL", () => {
  describePool(openPostgresAt, { runs: isLong ? 10 : 4 });
  describeChanges(openPostgresAt, { histories: 5 });
  describeErasure(openPostgresAt);
  describeErasedOwners(openPostgresAt);

  test("company and followers of rows of an older release are read from their cards", async () => {
    const url = await newDatabase();
    const pool = await openPostgresPool({ url, connectionsMax: 2 }, { now: () => new Date() });
    await expectOldRowsRead(pool, (statement) =>
      runAsSuperuser(url, "SET search_path = pool", statement),
    );
    await pool.close();
  });

  test("an index is stored while the pool is as it was, and goes with whoever is erased", async () => {
    const pool = await openPostgresAt(":memory:", { now: () => new Date() });
    const { indexes } = pool;
    const load = await pool.beginImport("test");
    await load.put([invented({ login: "ada" }), invented({ login: "ben" })]);
    const { revision } = await load.commit();
    const stored = async () => (await Array.fromAsync(indexes?.read("1") ?? [])).map(String);
    await indexes?.store("1", Buffer.from("of ada and ben"), revision);
    expect(await stored()).toEqual(["of ada and ben"]);
    await pool.erasing.hide("ada");
    expect(await stored()).toEqual([]);
    // Built before, and ready only now.
    await indexes?.store("1", Buffer.from("of ada and ben"), revision);
    expect(await stored()).toEqual([]);
    await pool.close();
  });
});
