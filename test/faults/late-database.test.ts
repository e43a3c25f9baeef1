/** The real program as a node whose database starts late, refuses its password, has no free connection or stops answering. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { hasPostgres } from "../postgres/database.ts";
import { type PostgresServer, startPostgres } from "../postgres/server.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { freePort, program } from "./server-process.ts";

describe.skipIf(!hasPostgres)("a node and its database", () => {
  const newFolder = temporaryFolders();
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  /** @param url goes into a file that the node is told of. */
  async function startNode(url: string, mode = 0o600) {
    const folder = newFolder();
    const at = (name: string) => join(folder, name);
    const [urlFile, keyFile, log] = [at("url"), at("key"), at("log")];
    writeFileSync(urlFile, url, { mode });
    const port = await freePort();
    const given = ["--no-demo", "--data", join(folder, "data"), "--port", String(port)];
    const child = Bun.spawn([...program, "serve", ...given, "--admin-key-file", keyFile], {
      env: { PATH: process.env["PATH"] ?? "", ROSTER_DATABASE_URL_FILE: urlFile },
      stdout: "ignore",
      stderr: Bun.file(log),
    });
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      return { status: response.status, text: await response.text(), headers: response.headers };
    };
    return {
      child,
      get,
      call: () => get("/v1/users/nobody", { "x-api-key": readFileSync(keyFile, "utf8").trim() }),
      log: () => readFileSync(log, "utf8"),
      setUrl: (next: string) => writeFileSync(urlFile, next),
      /** Waits until `/readyz` answers so. */
      async until(status: number, words = "") {
        for (;;) {
          const answer = await get("/readyz").catch(() => undefined);
          const isStarted = status !== 200 || readFileSync(log, "utf8").includes('"started"');
          if (answer?.status === status && answer.text.includes(words) && isStarted) return;
          if (child.exitCode !== null) throw new Error(readFileSync(log, "utf8"));
          await Bun.sleep(50);
        }
      },
      /** @returns its exit code. */
      async stop() {
        child.kill("SIGTERM");
        return child.exited;
      },
    };
  }
  const endConnections = async (sql: SQL) => {
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'roster'`;
  };

  test("that comes late is waited for, in words; SIGTERM ends the wait; what is wrong for good ends the start", async () => {
    await server.halt();
    const ended = await startNode(server.url);
    await ended.until(503, "the database cannot be reached");
    ended.child.kill("SIGHUP");
    expect(await ended.stop()).toBe(0);
    expect(ended.log()).toContain("stopped before the start was complete");

    const node = await startNode(server.url, 0o644);
    await node.until(503, "the database cannot be reached");
    expect((await node.get("/livez")).status).toBe(200);
    const refused = await node.get("/v1/users/nobody");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(refused.text).not.toContain(new URL(server.url).port);
    expect(node.log()).toContain("others can read this file, which holds a secret");
    await server.start();
    await node.until(200);
    expect((await node.call()).status).toBe(404);
    expect(await node.stop()).toBe(0);
    expect(node.log()).not.toContain(new URL(server.url).password);

    await using sql = new SQL(server.url, { max: 1 });
    await sql.unsafe("CREATE DATABASE other ENCODING 'SQL_ASCII' TEMPLATE template0");
    const wrong = await startNode(server.url.replace(/postgres$/, "other"));
    expect(await wrong.child.exited).toBe(5);
    expect(wrong.log()).toContain("UTF8 is needed");
    const mistyped = await startNode("mysql://roster@127.0.0.1/roster");
    expect(await mistyped.child.exited).toBe(2);
  }, 300_000);

  test("that gets another password, and then another user, is gone on with from the file, without a restart", async () => {
    await using sql = new SQL(server.url, { max: 1 });
    await sql.unsafe("CREATE ROLE one SUPERUSER LOGIN PASSWORD 'first'");
    await sql.unsafe("CREATE DATABASE rotated ENCODING 'UTF8' TEMPLATE template0");
    const url = new URL(server.url);
    url.pathname = "/rotated";
    const write = (user: string, password: string) => {
      url.username = user;
      url.password = encodeURIComponent(password);
      return url.href;
    };
    const node = await startNode(write("one", "wrong"));
    await node.until(503, "the database refuses this node's user or password");
    node.setUrl(write("one", "first"));
    await node.until(200);
    await sql.unsafe("ALTER ROLE one PASSWORD 'sec%nd'");
    await endConnections(sql);
    await node.until(503, "the database refuses this node's user or password");
    expect((await node.call()).status).toBe(503);
    node.setUrl(write("one", "sec%nd"));
    await node.until(200);
    expect((await node.call()).status).toBe(404);

    await sql.unsafe("CREATE ROLE two SUPERUSER LOGIN PASSWORD 'third'");
    node.setUrl(write("two", "third"));
    node.child.kill("SIGHUP");
    while (!node.log().includes("SIGHUP: the log file")) await Bun.sleep(20);
    expect((await node.call()).status).toBe(404);
    await sql.unsafe("ALTER ROLE one NOLOGIN");
    const users =
      await sql`SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name = 'roster' AND usename = 'two'`;
    expect(users).toHaveLength(1);

    url.pathname = "/elsewhere";
    node.setUrl(url.href);
    node.child.kill("SIGHUP");
    while (!node.log().includes("names another database")) await Bun.sleep(20);
    expect((await node.call()).status).toBe(404);
    expect(await node.stop()).toBe(0);
    for (const secret of ["sec%", "third"]) expect(node.log()).not.toContain(secret);
  }, 300_000);

  test("that has no connection for a charge, or falls silent, makes it not ready; SIGTERM is heard all the same", async () => {
    await using sql = new SQL(server.url, { max: 1 });
    await sql.unsafe("CREATE ROLE few LOGIN PASSWORD 'few'");
    await sql.unsafe("CREATE DATABASE few OWNER few ENCODING 'UTF8' TEMPLATE template0");
    const url = new URL(server.url);
    Object.assign(url, { username: "few", password: "few", pathname: "/few" });
    const node = await startNode(url.href);
    await node.until(200);
    await sql.unsafe("ALTER ROLE few CONNECTION LIMIT 1");
    await endConnections(sql);
    await node.until(503, "the database has no connection left for this node");
    expect((await node.call()).status).toBe(503);
    await sql.unsafe("ALTER ROLE few CONNECTION LIMIT -1");
    await node.until(200);
    server.pause();
    try {
      // The node answers long before it gives up the database.
      await node.until(503, "the store does not answer");
      const asked = node.call().catch(() => undefined);
      expect(await node.stop()).toBe(0);
      await asked;
    } finally {
      server.resume();
    }
  }, 300_000);
});
