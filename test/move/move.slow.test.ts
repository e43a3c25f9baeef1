/** A data folder moves into a database and back: nothing is lost, nothing is mixed, and what cannot be is refused. */
import { Database } from "bun:sqlite";
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { acceptLosses } from "../../src/appliance/appliance.ts";
import { isFault } from "../../src/contract/fault.ts";
import type { Facts } from "../../src/contract/people/facts.ts";
import { examineEverything } from "../../src/doctor/doctor.ts";
import { copyStores, type MoveRequest } from "../../src/move/move.ts";
import { openTestAppliance, type TestAppliance, type TestOptions } from "../appliance.ts";
import { program } from "../faults/server-process.ts";
import { inventedPeople } from "../invented-people.ts";
import { isLong } from "../long.ts";
import { FollowedCopy } from "../pool/followed-copy.ts";
import { hasPostgres, newDatabase, runAsSuperuser } from "../postgres/database.ts";
import { createRandom, drawSeed } from "../random.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { makeFolder } from "../temporary-folder.ts";

const kills = isLong ? 10 : 1;
/** About as long as rows are written. */
const killMsMax = isLong ? 800 : 150;
const random = createRandom(drawSeed("moves killed"));
const newFolder = temporaryFolders();
const opened: TestAppliance[] = [];
afterEach(async () => {
  for (const appliance of opened.splice(0)) await appliance.close();
});

const toDatabase = (folder: string, url: string) =>
  copyStores({ folder, url, direction: "to database" });
const toFolder = (url: string, folder: string) =>
  copyStores({ folder, url, direction: "to folder" });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (thrown) => (isFault(thrown) ? thrown.code : thrown),
  );

// The database has a clock of its own.
const now = new Date().toISOString();
async function open(options: TestOptions): Promise<TestAppliance> {
  const appliance = await openTestAppliance({ now, people: [], ...options });
  opened.push(appliance);
  return appliance;
}
const openNode = (url: string) =>
  open({ folder: true, config: { database: { url, connections: 4 } } });
async function close(appliance: TestAppliance): Promise<void> {
  opened.splice(opened.indexOf(appliance), 1);
  await appliance.close();
}

const email = "caller@example.com";

/** One call: its status, and how many were used with it. */
async function call(node: TestAppliance, key: string, login: string) {
  const url = `http://127.0.0.1/v1/users/${login}`;
  const answer = await node.handle(new Request(url, { headers: { "x-api-key": key } }));
  const { meta } = (await answer.json()) as { meta?: { quota: { used: number } } };
  return [answer.status, meta?.quota.used];
}

/** Everything that must be the same on both sides, as seen through the ports. */
async function describeContent({ modules }: TestAppliance) {
  const { pool } = modules;
  const facts = createHash("sha256");
  for await (const batch of pool.facts()) facts.update(JSON.stringify(batch));
  const repositories = await pool.authorship.repositories();
  const heads = await Promise.all(repositories.map(({ id }) => pool.authorship.head(id)));
  return {
    ...{ facts: facts.digest("hex"), state: await pool.state(), revision: await pool.revision() },
    ...{ sources: await pool.sources(), repositories, heads },
    ...{ receipts: await pool.erasing.receipts(), decisions: await pool.decisions.list() },
    // Who opens a test's appliance makes an account.
    accounts: (await modules.accounts.list()).filter((one) => !one.email.startsWith("account")),
  };
}

const first = makeFolder("move");
let firstKey = "";
beforeAll(async () => {
  if (hasPostgres) firstKey = await fillFirst(first);
});

/** A folder with something in each store: a copy of one that was filled. @returns a key of it. */
function fillFolder(folder: string): string {
  cpSync(first, folder, { recursive: true });
  return firstKey;
}

async function fillFirst(folder: string): Promise<string> {
  const one = await openTestAppliance({ now, folder });
  const { accounts, pool } = one.modules;
  const { key } = await accounts.create({ email, plan: "pro", callsPerDay: "unlimited" });
  await accounts.create({ email: "other@example.com", plan: "free" });
  await accounts.regenerateKey("other@example.com");
  expect(await call(one, key, "ada-example")).toEqual([200, 1]);
  await pool.erasing.hide("ada-example", { reason: "asked" });
  await pool.erasing.clean();
  for (const { id } of await pool.erasing.unfinished()) await pool.erasing.finish(id);
  await one.close();
  return key;
}

const digestsOf = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /^(control|pool)\.(db|mark)$/.test(name))
    .map((name) => [name, Bun.hash(readFileSync(join(folder, name)))]);

describe.skipIf(!hasPostgres)("a move", () => {
  test("into a database and back keeps keys, counts, people, erasures and the audit log", async () => {
    const folder = newFolder();
    const key = fillFolder(folder);
    const before = await open({ folder });
    const content = await describeContent(before);
    await close(before);
    const control = new Database(join(folder, "control.db"));
    control.run("UPDATE instance SET backed_up_ms = 1000");
    control.close();
    const files = digestsOf(folder);

    const url = await newDatabase();
    const there = await toDatabase(folder, url);
    expect(digestsOf(folder)).toEqual(files);
    const node = await openNode(url);
    // A backup of the folder is none of the database.
    const ready = await node.handle(new Request("http://127.0.0.1/readyz"));
    expect(await ready.json()).not.toHaveProperty("backup");
    expect(await describeContent(node)).toEqual(content);
    expect(await call(node, key, "ada-example")).toEqual([404, 2]);
    const load = await node.modules.pool.beginImport("test");
    const [ben] = await node.modules.pool.findFacts(await node.modules.pool.logins());
    if (!ben) throw new Error("nobody was moved");
    await load.put([node.judge(now.slice(0, 10))({ ...ben, profile: { name: "Ben" } })]);
    const ada = await openTestAppliance({ now });
    const [gone] = await ada.modules.pool.findFacts(["ada-example"]);
    await ada.close();
    expect(await load.put([node.judge(now.slice(0, 10))(gone as never)])).toHaveLength(1);
    await load.commit();
    const moved = await describeContent(node);
    await close(node);

    const back = join(newFolder(), "back");
    const again = await toFolder(url, back);
    expect(again.tables.map(({ table }) => table)).toEqual(there.tables.map(({ table }) => table));
    const returned = await open({ folder: back });
    expect(await describeContent(returned)).toEqual(moved);
    expect(await call(returned, key, "ada-example")).toEqual([404, 3]);
    expect(returned.modules.search.generation?.developers).toBe(
      (await returned.modules.pool.size()) - 1,
    );
  }, 300_000);

  test("lets copies elsewhere go on: there and back, their tokens hold", async () => {
    const folder = newFolder();
    fillFolder(folder);
    const [ofAdministrator, ofProgram] = [true, false].map((is) => new FollowedCopy(is, false));
    const copies = [ofAdministrator, ofProgram] as [FollowedCopy, FollowedCopy];
    const follow = async (pool: TestAppliance["modules"]["pool"]) => {
      for (const copy of copies) {
        await copy.readAll(pool, 2);
        await copy.expectWhole(pool, []);
      }
    };
    /** Somebody is new, somebody changes, somebody leaves. */
    const change = async ({ modules: { pool }, judge }: TestAppliance, login: string) => {
      const [gone = "", kept = ""] = await pool.logins();
      const [facts] = await pool.findFacts([kept]);
      if (!facts) throw new Error("nobody is there");
      const anew = { ...facts, profile: { name: `Anew ${login}` } };
      const load = await pool.beginImport("test");
      await load.put([anew, { ...facts, login, emails: [] }].map(judge(now.slice(0, 10))));
      await load.remove([gone]);
      await load.commit();
    };
    const source = await open({ folder });
    await follow(source.modules.pool);
    await change(source, "before-the-move");
    // The administrator's copy has read only one of the changes when the pool moves.
    expect(await ofAdministrator?.readPage(source.modules.pool, 1)).toBe(true);
    await close(source);

    const url = await newDatabase();
    await toDatabase(folder, url);
    const node = await openNode(url);
    await follow(node.modules.pool);
    await change(node, "in-the-database");
    await follow(node.modules.pool);
    expect(copies.map(({ starts }) => starts)).toEqual([0, 0]);
    await node.modules.pool.erasing.hide("in-the-database");
    await close(node);

    const back = join(newFolder(), "back");
    await toFolder(url, back);
    const returned = await open({ folder: back });
    await follow(returned.modules.pool);
    await change(returned, "back-in-the-folder");
    await follow(returned.modules.pool);
    // Only who may not see erased logins had to start anew, once.
    expect(copies.map(({ starts }) => starts)).toEqual([0, 1]);
  }, 300_000);

  test("leaves no index of the people whom the database had before", async () => {
    const folder = newFolder();
    fillFolder(folder);
    const url = await newDatabase();
    const engine = { search: { engine: "database" } } as const;
    const config = { database: { url, connections: 4 }, ...engine };
    await close(await open({ folder: true, config }));
    const source = await open({ folder });
    const revision = await source.modules.pool.revision();
    await close(source);
    // The node that comes next would take an index of this revision for its own.
    await runAsSuperuser(
      url,
      `UPDATE search.generation SET revision = ${revision}`,
      ...["DROP SCHEMA control CASCADE", "DROP SCHEMA pool CASCADE"],
    );
    await toDatabase(folder, url);
    await using sql = new SQL(url);
    expect((await sql`SELECT count(*)::int AS n FROM search.generation`)[0].n).toBe(0);
    const node = await open({ folder: true, config });
    const { body } = await node.client.search({ location: "worldwide", maxResults: 25 });
    expect(body.data.totalCount).toBe(node.modules.search.generation?.developers ?? 0);
    expect(body.data.totalCount).toBeGreaterThan(0);
    const ben = { text: "ben", canSeeUnpublished: true, limit: 10, offset: 0 };
    expect((await node.modules.search.findPeople(ben)).total).toBeGreaterThan(0);
  }, 300_000);

  test("refuses what is not empty, on either side, and changes nothing", async () => {
    const folder = newFolder();
    fillFolder(folder);
    const url = await newDatabase();
    await toDatabase(folder, url);
    expect(await codeOf(toDatabase(folder, url))).toBe("target_not_empty");
    const other = newFolder();
    writeFileSync(join(other, "note.txt"), "");
    expect(await codeOf(toFolder(url, other))).toBe("target_not_empty");
    expect(readdirSync(other)).toEqual(["note.txt"]);
    expect(await codeOf(toDatabase(other, await newDatabase()))).toBe("no_data");
  }, 300_000);

  test("leaves no second life behind: its source is closed until somebody accepts that", async () => {
    const folder = newFolder();
    const key = fillFolder(folder);
    const config = { data: folder, database: { url: undefined, connections: 4 }, secretFiles: {} };
    const [url, other] = [await newDatabase(), await newDatabase()];
    await toDatabase(folder, url);
    for (const again of [() => open({ folder }), () => toDatabase(folder, other)]) {
      const thrown = await again().catch((error) => error);
      expect(isFault(thrown, "folder_moved")).toBe(true);
      const name = new URL(url).pathname.slice(1);
      expect(thrown.message).toContain(`${folder} held was moved to the database ${name}`);
    }
    const found = await examineEverything({ folder, now: new Date(), version: "1.2.3" });
    expect(found).toContainEqual(expect.objectContaining({ level: "fault", remedy: "moved" }));

    const sameFolder = open({ folder, config: { database: { url, connections: 4 } } });
    await expect(sameFolder).rejects.toThrow("was moved to the database");

    const back = join(newFolder(), "back");
    await toFolder(url, back);
    await close(await open({ folder: back }));
    const node = await openNode(url);
    const readyz = async () => (await node.handle(new Request("http://127.0.0.1/readyz"))).text();
    expect(await readyz()).toContain(`was moved to ${back}`);
    const shared = { ...node.config, database: { url, connections: 4 } };
    expect((await acceptLosses(shared, { now: () => new Date() })).length).toBe(1);
    expect(await readyz()).toContain('"ready":true');

    const accepted = await acceptLosses(config, { now: () => new Date() });
    expect(accepted.join()).toContain("was moved to");
    const returned = await open({ folder });
    expect(await call(returned, key, "ada-example")).toEqual([404, 2]);
    await close(returned);
    using control = new Database(join(folder, "control.db"), { readonly: true });
    const entries = control.query("SELECT detail FROM audit WHERE action = 'store.loss_accepted'");
    expect(entries.all()).toHaveLength(1);
    entries.finalize();
    expect(await acceptLosses(config, { now: () => new Date() })).toEqual([]);
  }, 300_000);

  test("refuses a folder that a server uses, and a database that nodes use", async () => {
    const folder = newFolder();
    const server = await open({ folder });
    expect(await codeOf(toDatabase(folder, await newDatabase()))).toBe("folder_in_use");
    await close(server);
    const url = await newDatabase();
    const node = await openNode(url);
    expect(await codeOf(toFolder(url, join(newFolder(), "to")))).toBe("nodes_connected");
    expect(await codeOf(toDatabase(folder, url))).toBe("nodes_connected");
    await close(node);
  }, 300_000);

  test("refuses a folder that has lost something", async () => {
    const folder = newFolder();
    fillFolder(folder);
    const older = readFileSync(join(folder, "control.db"));
    const server = await open({ folder });
    await server.modules.accounts.create({ email: "late@example.com", plan: "free" });
    await close(server);
    writeFileSync(join(folder, "control.db"), older);
    expect(await codeOf(toDatabase(folder, await newDatabase()))).toBe("data_lost");
  }, 300_000);

  test("notices a row that differs from what was read", async () => {
    const folder = newFolder();
    fillFolder(folder);
    const url = await newDatabase();
    await close(await openNode(url));
    await runAsSuperuser(
      url,
      "TRUNCATE control.account CASCADE",
      "TRUNCATE control.usage, control.instance",
      "DROP TRIGGER audit_append_only ON control.audit",
      "TRUNCATE control.audit",
      `CREATE FUNCTION public.change() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.used = NEW.used + 1; RETURN NEW; END $$`,
      "CREATE TRIGGER change BEFORE INSERT ON control.usage FOR EACH ROW EXECUTE FUNCTION public.change()",
    );
    await expect(toDatabase(folder, url)).rejects.toThrow("control.usage differs from the source");
    await using sql = new SQL(url, { max: 1 });
    const [row] = await sql`SELECT count(*)::int AS n FROM control.account`;
    expect(row.n).toBe(0);
  }, 300_000);

  test(`that is killed (${kills}x, at any moment) leaves nothing or all of it, and can be repeated`, async () => {
    const original = newFolder();
    const some = { people: Array.from({ length: 500 }, (_, n) => inventOne(n)) };
    await close(await open({ folder: original, ...(isLong ? { config: { demo: true } } : some) }));
    const before = await open({ folder: original });
    const content = await describeContent(before);
    await close(before);
    /** When the move was killed it may have been complete: then its place is taken. */
    const repeat = async (move: () => Promise<unknown>) => {
      for (;;) {
        const code = await codeOf(move());
        if (code === "done" || code === "target_not_empty") return;
        // The server learns of the death when it has done the statement it is at.
        expect(code).toBe("nodes_connected");
      }
    };
    for (let kill = 0; kill < kills; kill += 1) {
      const url = await newDatabase();
      // A folder that was moved remembers where to, and is moved nowhere else.
      const folder = newFolder();
      cpSync(original, folder, { recursive: true });
      await moveAndKill({ folder, url, direction: "to database" }, async () => {
        await using sql = new SQL(url, { max: 1 });
        const [row] = await sql`SELECT count(*)::int AS n FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE 'INSERT INTO "pool"%'`;
        return row.n > 0;
      });
      await repeat(() => toDatabase(folder, url));
      const back = join(newFolder(), "back");
      const pool = join(`${back}.moving`, "pool.db-wal");
      await moveAndKill({ folder: back, url, direction: "to folder" }, async () =>
        existsSync(pool),
      );
      await repeat(() => toFolder(url, back));
      const after = await open({ folder: back });
      expect(await describeContent(after)).toEqual(content);
      await close(after);
    }
  }, 1_800_000);
});

function inventOne(n: number): Facts {
  const like = inventedPeople[n % inventedPeople.length] as Facts;
  return { ...like, login: `person-${n}`, emails: [] };
}

async function moveAndKill(
  { folder, url, direction }: MoveRequest,
  isUnderWay: () => Promise<boolean>,
): Promise<void> {
  const isInto = direction === "to database";
  const given = isInto
    ? ["--data", folder, "--to", url]
    : ["--data", `${folder}-node`, "--to", folder];
  const child = Bun.spawn([...program, "move", ...given], {
    env: { ...process.env, ...(isInto ? {} : { ROSTER_DATABASE_URL: url }) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  // A machine with much to do may let it end before it is seen.
  while (child.exitCode === null && !(await isUnderWay())) await Bun.sleep(1);
  await Bun.sleep(random() * killMsMax);
  child.kill("SIGKILL");
  await child.exited;
}
