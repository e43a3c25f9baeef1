/** A database that goes away and comes back: what is repeated, what is told, and that nothing needs a restart. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { integer, pgTable } from "drizzle-orm/pg-core";
import { isFault } from "../../src/contract/fault.ts";
import { toProblem } from "../../src/contract/problem.ts";
import { openPostgres, type PostgresDatabase } from "../../src/postgres/database.ts";
import { hasPostgres } from "./database.ts";
import { startProxy } from "./proxy.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

describe.skipIf(!hasPostgres)("a database that is away for a while", () => {
  let server: PostgresServer;
  let database: PostgresDatabase;
  beforeAll(async () => {
    // Its kill is one of processes, so nothing is lost; and no answer is late because others write to the disk.
    server = await startPostgres({ settings: { fsync: "off" } });
    database = await openPostgres({ url: server.url, connectionsMax: 3 });
    await database.sql.unsafe("CREATE TABLE made (n int)");
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });
  beforeEach(async () => {
    await database.sql.unsafe("DELETE FROM made");
  });

  const make = (n: number) =>
    database.commitOne((statements) => statements.execute(`INSERT INTO made VALUES (${n})`));
  const made = pgTable("made", { n: integer() });
  const readMade = async () => {
    const rows = await database.read((statements) =>
      statements.select().from(made).orderBy(made.n),
    );
    return rows.map(({ n }) => n);
  };
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (thrown) => (isFault(thrown) ? thrown.code : thrown),
    );
  /** Ends all connections but this test's own, as a failover does. */
  const endConnections = async () => {
    const own = await openPostgres({ url: server.url, connectionsMax: 1 });
    await own.sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
    await own.close();
  };

  test("connections that were ended while nobody used them are no trouble to who reads, and nothing is done twice", async () => {
    await Promise.all([make(1), make(2), make(3)]);
    await endConnections();
    expect(await readMade()).toEqual([1, 2, 3]);
    await endConnections();
    // The server may say the same once it has committed, while it waits for a standby.
    const outcomes = await Promise.all([4, 5, 6].map((n) => codeOf(make(n))));
    expect(outcomes.filter((one) => one !== "done" && one !== "outcome_unknown")).toEqual([]);
    const made = await readMade();
    expect(new Set(made).size).toBe(made.length);
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome === "done") expect(made).toContain(4 + at);
    }
  });

  test("a transaction whose connection ends before its commit runs again, and happens once", async () => {
    let runs = 0;
    await database.transact(async (statements) => {
      runs += 1;
      await statements.execute("INSERT INTO made VALUES (7)");
      if (runs === 1) await endConnections();
      await statements.execute("INSERT INTO made VALUES (8)");
    });
    // Each of the other connections of the pool may prove to be dead only when the work runs on it.
    expect(runs).toBeGreaterThan(1);
    expect(await readMade()).toEqual([7, 8]);
  });

  test.each(["40001", "40P01"])("SQLSTATE %s is repeated, but not for ever", async (state) => {
    const fail = `DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '${state}'; END $$`;
    let runs = 0;
    const failing = (times: number) =>
      database.transact(async (statements) => {
        runs += 1;
        if (runs <= times) await statements.execute(fail);
        await statements.execute("INSERT INTO made VALUES (9)");
      });
    await failing(2);
    expect([runs, await readMade()]).toEqual([3, [9]]);
    runs = 0;
    expect(await codeOf(failing(100))).toBe("database_away");
    expect(await readMade()).toEqual([9]);
  });

  test("an error of the statement itself is neither repeated nor hidden", async () => {
    let runs = 0;
    const failing = database.transact(async (statements) => {
      runs += 1;
      await statements.execute("SELECT 1/0");
    });
    expect(((await codeOf(failing)) as Error).cause).toMatchObject({ errno: "22012" });
    expect(runs).toBe(1);
  });

  test("a connection that ends under a statement leaves its outcome unknown: it is not sent again", async () => {
    const sleeping = codeOf(
      database.commitOne((statements) =>
        statements.execute(
          "WITH waited AS (SELECT pg_sleep(60)) INSERT INTO made SELECT 10 FROM waited",
        ),
      ),
    );
    for (;;) {
      const [row] = await database.sql`SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE wait_event = 'PgSleep'`;
      if (row.n > 0) break;
    }
    await server.kill();
    expect(await sleeping).toBe("outcome_unknown");
    await server.start();
    expect(await readMade()).toEqual([]);
  });

  test("a proxy that has no server to lead to is one that is away: nothing can have been done", async () => {
    const url = new URL(server.url);
    const proxy = await startProxy(Number(url.port));
    url.port = String(proxy.port);
    const behind = await openPostgres({ url: url.href, connectionsMax: 1 });
    const insert = () =>
      codeOf(behind.commitOne((all) => all.execute("INSERT INTO made VALUES (1)")));
    expect(await insert()).toBe("done");
    proxy.lead();
    // The connection that was open may be sent what is lost with it; no other one is made.
    await insert();
    expect(await insert()).toBe("database_away");
    proxy.lead(Number(new URL(server.url).port));
    expect(await insert()).toBe("done");
    await behind.close();
    proxy.close();
    expect(await readMade()).toEqual([1, 1]);
  }, 300_000);

  test("a server that falls silent is left after a while, and found again when it answers", async () => {
    const impatient = await openPostgres({ url: server.url, connectionsMax: 2, answerMsMax: 3000 });
    const insert = (n: number) =>
      codeOf(impatient.commitOne((all) => all.execute(`INSERT INTO made VALUES (${n})`)));
    const select = () => codeOf(impatient.read((all) => all.execute("SELECT 1")));
    expect([await insert(1), await select()]).toEqual(["done", "done"]);
    server.pause();
    try {
      // On open connections, then on those that took their place.
      expect([await insert(2), await select()]).toEqual(["outcome_unknown", "database_away"]);
      expect(await select()).toBe("database_away");
    } finally {
      server.resume();
    }
    while ((await select()) !== "done") await Bun.sleep(10);
    expect(await insert(3)).toBe("done");
    await impatient.close();
    expect(await readMade()).toContain(3);
  });

  test.each(["halt", "kill"] as const)(
    "after a %s of the server everything is refused with 503, and works again once it is back",
    async (end) => {
      await server[end]();
      const codes: unknown[] = [];
      // Processes of a server that was killed may answer for a moment longer.
      while (codes.at(-1) !== "database_away") codes.push(await codeOf(make(codes.length)));
      const refusals = [
        make(100),
        readMade(),
        database.transact((statements) => statements.execute("SELECT 1")),
      ];
      for (const refusal of refusals) {
        const thrown = await refusal.catch((error: unknown) => error);
        expect(isFault(thrown, "database_away")).toBe(true);
        expect(toProblem(thrown)).toMatchObject({ status: 503, retryAfterSeconds: 2 });
      }
      await server.start();
      await make(101);
      const kept = new Set(await readMade());
      for (const [n, code] of codes.entries()) {
        if (code === "outcome_unknown") continue;
        expect([n, code, kept.has(n)]).toEqual([n, code, code === "done"]);
      }
      expect([kept.has(100), kept.has(101)]).toEqual([false, true]);
    },
  );
});
