import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { SQL } from "bun";
import type { Pool } from "../../../src/pool/pool.ts";
import { openPostgresPool } from "../../../src/pool/postgres/postgres-pool.ts";
import type { SearchIndex } from "../../../src/search/search-index.ts";
import { until } from "../../faults/callers.ts";
import { isLong } from "../../long.ts";
import { invented } from "../../pool/invented.ts";
import { hasPostgres, newDatabase, runAsSuperuser } from "../../postgres/database.ts";
import { createRandom, drawSeed } from "../../random.ts";
import { smallShape } from "./shared-database.ts";
import { openThreadedNode } from "./threaded-node.ts";

const people = isLong ? 400 : 150;
const blocks = Math.ceil(people / smallShape.blockSize);

describe.skipIf(!hasPostgres)("the thread that builds the index in the database", () => {
  const draw = createRandom(drawSeed("building thread"));
  let url = "";
  let sql: SQL;
  let pool: Pool;
  let node: SearchIndex;

  beforeAll(async () => {
    url = await newDatabase();
    sql = new SQL(url, { max: 4 });
    pool = await openPostgresPool({ url, connectionsMax: 2 }, { now: () => new Date() });
    await bring(...Array.from({ length: people }, (_, at) => `person-${at}`));
    node = await openThreadedNode(url);
    await node.refresh();
    await runAsSuperuser(
      url,
      `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0
        AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END'`,
    );
  });
  afterAll(async () => {
    await node?.close();
    await pool?.close();
    await sql?.close();
  });

  async function bring(...logins: string[]): Promise<void> {
    const load = await pool.beginImport("test");
    await load.put(logins.map((login) => invented({ login })));
    await load.commit();
  }
  const total = async ({ find }: SearchIndex) =>
    (await find({ location: "Berlin", maxResults: 5, offset: 0 })).total;
  const locks = async (key: number, isGranted: boolean) => {
    const [row] = await sql`SELECT count(*)::int AS n FROM pg_locks
      WHERE locktype = 'advisory' AND objid = ${key}::oid AND granted = ${isGranted}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    return row.n as number;
  };
  const buildLock = 7_766_103;

  /** Lets whoever builds wait at a block, drawn anew each time, until this is disposed of. */
  async function holdBuilders() {
    const block = Math.floor(draw() * blocks);
    const holder = await sql.reserve();
    await holder`SELECT pg_advisory_lock(1)`;
    await holder.unsafe(`CREATE OR REPLACE TRIGGER wait BEFORE INSERT ON search.block
      FOR EACH ROW WHEN (NEW.block = ${block}) EXECUTE FUNCTION wait()`);
    return {
      isReached: () => until(async () => (await locks(1, false)) > 0),
      async [Symbol.asyncDispose]() {
        await holder`SELECT pg_advisory_unlock(1)`;
        holder.release();
      },
    };
  }

  test("leaves the one that answers free until it has built", async () => {
    await bring("new-one");
    let isBuilt = false;
    const building = async () => {
      await node.refresh();
      isBuilt = true;
    };
    let done: Promise<void>;
    {
      await using held = await holdBuilders();
      done = building();
      await held.isReached();
      expect([await total(node), isBuilt]).toEqual([people, false]);
    }
    await done;
    expect(await total(node)).toBe(people + 1);
  });

  const endings = {
    "is killed with its process": async (isReached: () => Promise<void>) => {
      const script = join(import.meta.dir, "threaded-node.ts");
      const child = Bun.spawn([process.execPath, script, url], { stderr: "inherit" });
      await isReached();
      child.kill("SIGKILL");
      await child.exited;
    },
    "is ended when its node is closed": async (isReached: () => Promise<void>) => {
      const other = await openThreadedNode(url);
      const refreshing = other.refresh();
      await isReached();
      await other.close();
      await refreshing;
    },
  };
  for (const [name, end] of Object.entries(endings)) {
    test(`${name}, and the one before stays in use until the next builder has done`, async () => {
      const before = await total(node);
      await bring(`next-${before}`);
      {
        await using held = await holdBuilders();
        await end(held.isReached);
        // In the middle of a statement, too, the lock goes back.
        await until(async () => (await locks(buildLock, true)) === 0);
        expect(await total(node)).toBe(before);
      }
      await node.refresh();
      expect(await total(node)).toBe(before + 1);
      const [left] = await sql`SELECT count(*)::int AS n FROM search.generation WHERE NOT is_ready`;
      expect(left.n).toBe(0);
    });
  }

  test("says that the database is away where it is, and where its connection is ended", async () => {
    const nowhere = new URL(url);
    nowhere.port = "1";
    const lost = await openThreadedNode(url, nowhere.href);
    await bring("somebody");
    await expect(lost.refresh()).rejects.toMatchObject({ code: "database_away" });
    await lost.close();
    {
      await using held = await holdBuilders();
      const refreshing = node.refresh().catch((error) => error);
      await held.isReached();
      // Of this database: others on the server build beside it.
      await sql`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
        AND objid = ${buildLock}::oid AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      expect(await refreshing).toMatchObject({ code: "database_away" });
    }
    await node.refresh();
    expect(node.generation?.revision).toBe(await pool.revision());
  });
});
