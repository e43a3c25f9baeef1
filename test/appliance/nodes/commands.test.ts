/** Every command on a node, against a real database; some of them by the program in a process of its own. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { readOutput } from "../../child-output.ts";
import { program } from "../../faults/server-process.ts";
import { openCommandLine } from "../../interfaces/cli/command-line.ts";
import { hasPostgres, newDatabase, runAsSuperuser } from "../../postgres/database.ts";
import { makeFolder } from "../../temporary-folder.ts";

const root = makeFolder("node");
const [one, other] = [join(root, "one"), join(root, "other")];

describe.skipIf(!hasPostgres)("on a node", () => {
  let url: string;
  let engine = "memory";

  const line = openCommandLine(() => new Date());
  afterAll(() => line.close());
  const settings = () => {
    return { ROSTER_DATABASE_URL: url, ROSTER_DATA: one, ROSTER_SEARCH_ENGINE: engine };
  };
  async function run(...given: readonly string[]) {
    Object.assign(process.env, settings());
    try {
      return await line.run(...given);
    } finally {
      for (const name of Object.keys(settings())) delete process.env[name];
    }
  }
  async function runProgram(...given: readonly string[]) {
    const env = { ...process.env, ...settings() };
    const child = Bun.spawn([...program, ...given], { env, stdout: "pipe", stderr: "pipe" });
    return readOutput(child);
  }
  async function done(...given: readonly string[]): Promise<string> {
    const { code, out, err } = await run(...given);
    expect([given, code, code === 0 ? "" : err]).toEqual([given, 0, ""]);
    return out;
  }
  const git = (...given: readonly string[]) => {
    const who = ["-c", "user.name=Ada Example", "-c", "user.email=ada@example.com"];
    const { exitCode } = Bun.spawnSync(["git", ...who, ...given], { cwd: join(root, "work") });
    expect([given, exitCode]).toEqual([given, 0]);
  };

  // The program sets this umask too.
  const umask = process.umask(0o077);
  afterAll(() => void process.umask(umask));

  beforeAll(async () => {
    url = await newDatabase();
    mkdirSync(join(root, "work"));
    writeFileSync(join(root, "work/main.go"), 'package main\n\nimport "github.com/spf13/cobra"\n');
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "feat: begin, because there was nothing");
    writeFileSync(join(root, "hr.csv"), "email,location\nada@example.com,Berlin\n");
  });

  const login = "ada-b5fc85";

  test("history and a list of people are ingested, and other nodes find them", async () => {
    await done("ingest", "git", join(root, "work"), "--quiet");
    const planned = await done("ingest", "people", join(root, "hr.csv"), "--dry-run");
    expect(planned).toContain("dry run: 1 matched: 1 added");
    await done("ingest", "people", join(root, "hr.csv"));
    expect(await done("ingest", "list")).toContain("work");
    expect(await done("search", "Berlin", "--data", other)).toContain(login);
    expect((await runProgram("get", login, "--data", other)).out).toContain("Ada Example");
    expect(await done("analyze", login)).toContain(" 1 commit.");
    expect(await done("find", "ada")).toContain(login);
    expect(await done("lookup", "Ber")).toContain("Berlin, Germany");
    expect(await done("who", "--repository", "work", "--path", "main.go")).toContain(login);
    expect(await done("explain", login)).toContain(`${login}: `);
    expect(await done("places", "explain", "Berlin, DE")).toContain("Berlin");
    await done("identity", "list");
    await done("identity", "suggestions");
    await done("sources", "list");
  }, 300_000);

  test("people go out and come in, and are judged anew", async () => {
    const file = join(root, "people.jsonl");
    await done("export", file);
    expect(await Bun.file(file).text()).toContain(`"login":"${login}"`);
    expect(await done("import", file)).toContain("unchanged");
    expect(await done("rescore", "--diff")).toContain("1 judged");
    await done("rescore", "--as-of", "2026-12-01");
    expect(await done("runs", "--data", other)).toMatch(/ done +Update all scores +a command /);
    expect(await done("person", "export", login)).toContain('"urn:roster:person:1"');
  }, 300_000);

  test("accounts, keys and assistants are kept by all nodes", async () => {
    const email = "a@example.com";
    const [first] = (await done("account", "create", email, "--plan", "pro")).split("\n");
    const [second] = (await done("key", "regenerate", email, "--data", other)).split("\n");
    expect(second).toMatch(/^rst_/);
    expect(second).not.toBe(first);
    await done("account", "set-plan", email, "--plan", "free");
    await done("account", "disable", email);
    await done("account", "enable", email);
    expect(await done("account", "show", email, "--data", other)).toContain("free");
    expect(await done("account", "list")).toContain(email);
    expect(await done("account", "invite", "b@example.com", "--plan", "pro")).toContain("token=");
    expect(await done("account", "reset", email)).toContain("token=");
    await done("assistant", "list");
    await done("clock", "accept");
    expect(await done("cleanup", "--dry-run", "--json")).toBe("[]\n");
  }, 300_000);

  test("that the database was backed up is recorded, and all nodes know since when", async () => {
    const status = async () => JSON.parse((await run("status", "--json", "--data", other)).out);
    expect((await status()).lastBackup).toBeUndefined();
    expect(await done("backup", "--made")).toMatch(/^backup recorded +20\d\d-/);
    const at = (await status()).lastBackup?.at;
    expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000);
    expect((await run("status")).out).toMatch(/backup +just now, made with the database/);
    expect((await run("backup", "--made", "file.tar.zst")).code).toBe(2);
    const alone = await line.run("backup", "--made", "--data", join(root, "alone"));
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining("database of nodes")]);
  }, 300_000);

  test("who is forgotten is forgotten everywhere", async () => {
    await done("forget", login, "--dry-run");
    await done("forget", login);
    expect((await run("get", login, "--data", other)).code).toBe(4);
    // Another node's ledger still has the person, but does not bring them back.
    await done("ingest", "git", join(root, "work"), "--quiet", "--data", other, "--allow-removals");
    expect((await run("get", login)).code).toBe(4);
  }, 300_000);

  test("what is for a data folder says so", async () => {
    const archive = join(root, "backup.tar.zst");
    const refused = async (...given: readonly string[]) => {
      const { code, err } = await run(...given);
      expect([given, code]).toEqual([given, 2]);
      return err;
    };
    expect(await refused("backup", archive)).toContain("pg_dump");
    expect(await Bun.file(archive).exists()).toBe(false);
    expect(await refused("restore", archive)).toContain("works only on a data folder");
    expect(await refused("move", "--to", url)).toContain("database");
    await done("doctor", "--rebuild", "ledger");
    await done("doctor", "--rebuild", "index");
    const shown = await done("config", "show");
    expect(shown).toContain("database.url");
    expect(shown).not.toContain(url);
  }, 300_000);

  test("doctor has an index in the database made anew", async () => {
    const found = await done("search", "Worldwide");
    engine = "database";
    const rebuild = async () => {
      await done("doctor", "--rebuild", "index");
      await using sql = new SQL(url, { max: 1 });
      return [...(await sql`SELECT id, is_ready FROM search.generation`)];
    };
    const made = await rebuild();
    expect(made).toMatchObject([{ is_ready: true }]);
    await runAsSuperuser(url, "UPDATE search.generation SET developers = 5");
    const { code, out, err } = await run("doctor");
    expect([code, out]).toEqual([0, expect.stringContaining("its index is incomplete")]);
    expect(out).toContain("audit");
    expect(err).toContain("`roster doctor --rebuild index`");
    const again = await rebuild();
    expect(again).toMatchObject([{ is_ready: true }]);
    expect(again[0].id).not.toBe(made[0].id);
    expect(await done("search", "Worldwide")).toBe(found);
    engine = "memory";
  }, 300_000);

  test("doctor looks at the database and the folder", async () => {
    writeFileSync(join(root, "work/more.go"), "package main\n");
    git("add", ".");
    git("commit", "-qm", "feat: add more", "--author=Ben Example <ben@example.com>");
    await done("ingest", "git", join(root, "work"), "--quiet");
    const { findings } = JSON.parse(await done("doctor", "--json")) as {
      findings: readonly { level: string; about: string; text: string }[];
    };
    expect(findings.filter(({ level }) => level !== "ok")).toEqual([]);
    expect(findings.map(({ text }) => text).join()).toContain("3 accounts, 1 active keys");
    await runAsSuperuser(
      url,
      "UPDATE pool.card SET card = card || ' '",
      "DROP TRIGGER audit_append_only ON control.audit",
      "UPDATE control.audit SET subject = 'somebody' WHERE sequence = 2",
      "INSERT INTO pool.card VALUES (1000000, '{}')",
      "INSERT INTO pool.suppressed VALUES ('\\x00', 'none')",
    );
    const { code, out, err } = await run("doctor");
    expect(code).toBe(5);
    expect(out).toContain("chain is broken at entry 2");
    expect(out).toContain("1 of 1 rows about developers are damaged");
    expect(out).toContain("rows of card belong to no developer");
    expect(out).toContain("entries of the suppression list");
    expect(err).toContain("backup of the database");
    await runAsSuperuser(url, "UPDATE control.form SET number = 99");
    expect((await run("doctor")).out).toContain("newer Roster");
    url = `${url}_gone`;
    const away = await runProgram("doctor");
    expect([away.code, away.out]).toEqual([5, expect.stringContaining("3D000")]);
  }, 300_000);

  test("a user who lacks a right is told which, by every command", async () => {
    const admin = await newDatabase();
    const role = `lacking_${process.pid}`;
    await runAsSuperuser(admin, `CREATE ROLE ${role} LOGIN PASSWORD 'only-here'`);
    const own = new URL(admin);
    [own.username, own.password] = [role, "only-here"];
    const commands = [
      ["account", "list"],
      ["key", "regenerate", "a@example.com"],
      ["forget", "ada-example"],
      ["search", "Berlin"],
    ];
    const refused = async (text: string) => {
      url = own.href;
      for (const command of commands) {
        const isFirst = command === commands[0];
        const { code, err } = await (isFirst ? runProgram : run)(...command);
        expect([command, code, err]).toEqual([command, 5, expect.stringContaining(text)]);
        expect(err).toContain("docs/growth.md lists the rights that the database's user needs");
        expect(err).not.toMatch(/Failed query|\n +at |only-here/);
      }
      const { code, out, err } = await run("doctor");
      expect([code, err.trim()]).toEqual([
        5,
        "docs/growth.md lists the rights that the database's user needs.",
      ]);
      expect(out).toContain("this user may not");
    };
    await refused("may not make the schema control or its tables");
    url = admin;
    await done("account", "create", "a@example.com", "--plan", "pro");
    const all = "ALL TABLES IN SCHEMA control, pool";
    await runAsSuperuser(
      admin,
      `GRANT USAGE ON SCHEMA control, pool TO ${role}`,
      `GRANT SELECT ON ${all} TO ${role}`,
    );
    await refused("permission denied for table instance");
  }, 300_000);
});
