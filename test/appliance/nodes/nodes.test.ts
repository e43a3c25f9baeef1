/** Several nodes on one database: what one has done, the others know at the next call. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import type { OwnLimits } from "../../../src/accounts/accounts.ts";
import { openTestAppliance, type TestAppliance, type TestOptions } from "../../appliance.ts";
import { until } from "../../faults/callers.ts";
import { program } from "../../faults/server-process.ts";
import { importNewcomers } from "../../interfaces/web/newcomers.ts";
import { invited, readable } from "../../interfaces/web/person.ts";
import { hasPostgres, newDatabase } from "../../postgres/database.ts";

/** Opens a node that is closed after the test. */
async function openNode(url: string, options: TestOptions = {}): Promise<TestAppliance> {
  const node = await makeNode(url, options);
  afterAll(() => node.close());
  return node;
}

function makeNode(url: string, options: TestOptions = {}): Promise<TestAppliance> {
  const config = { database: { url, connections: 4 }, ...options.config };
  // The database checks sessions by its own clock.
  const now = new Date().toISOString();
  return openTestAppliance({ folder: true, now, ...options, config });
}

const email = "caller@example.com";
const newKey = async ({ modules }: TestAppliance, limits: OwnLimits = {}, its = email) =>
  (await modules.accounts.create({ email: its, plan: "pro", ...limits })).key;

const get = (node: TestAppliance, key: string) =>
  node.handle(
    new Request("http://127.0.0.1/v1/users/ada-example", { headers: { "x-api-key": key } }),
  );

const urlOf = ({ config }: TestAppliance) => config.database.url as string;

describe.skipIf(!hasPostgres)("nodes on one database", () => {
  /** Two nodes that several tests share. */
  const pair: TestAppliance[] = [];
  afterAll(() => Promise.all(pair.map((node) => node.close())));
  const openPair = async () => {
    if (pair.length === 0) {
      const url = await newDatabase();
      pair.push(await makeNode(url), await makeNode(url, { people: [] }));
    }
    return pair as [TestAppliance, TestAppliance];
  };

  test("run each saved search once after an import, and all of them know who is new", async () => {
    const url = await newDatabase();
    const one = await openNode(url);
    const other = await openNode(url, { people: [] });
    const person = await invited(one, email);
    const sql = new SQL(url);
    await sql.unsafe(`CREATE TABLE public.runs (id text, revision bigint);
      CREATE FUNCTION public.note_run() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO public.runs VALUES (NEW.id, NEW.revision); RETURN NEW; END $$;
      CREATE TRIGGER note_run AFTER UPDATE OF total ON control.saved_search
        FOR EACH ROW EXECUTE FUNCTION public.note_run()`);
    const names = ["Berlin", "Germany", "worldwide"];
    for (const name of names) {
      await person.send("/saved", "save-search", { name, query: `location=${name}` });
    }
    const account = await one.modules.accounts.find(email);
    const usedBefore = await one.modules.quota.usage({ accountId: account?.id ?? "" });
    const isEverythingRun = async () => {
      const revision = await one.modules.pool.revision();
      const [row] =
        await sql`SELECT count(*)::int AS n FROM control.saved_search WHERE revision = ${revision}`;
      return row.n === names.length;
    };
    await until(isEverythingRun);
    await importNewcomers(one, { come: ["zoe-sample", "yan-sample"] });
    await other.modules.search.refresh();
    await until(isEverythingRun);
    // Longer than the interval at which nodes look.
    await Bun.sleep(5000);
    const revision = await one.modules.pool.revision();
    const runs = await sql`SELECT id FROM public.runs WHERE revision = ${revision}`;
    await sql.close();
    expect(runs).toHaveLength(names.length);
    // Sessions are shared; who is new in three searches is one person.
    for (const node of [one, other]) {
      const cookie = [...person.jar].map((pair) => pair.join("=")).join("; ");
      const request = new Request("http://127.0.0.1:7171/saved", { headers: { cookie } });
      expect(await (await node.handle(request)).text()).toContain("Saved (2 new)");
    }
    expect(await one.modules.quota.usage({ accountId: account?.id ?? "" })).toEqual(usedBefore);
  }, 300_000);

  test("have the same people, find them alike, and count together", async () => {
    const [one, other] = await openPair();
    expect(await other.modules.pool.size()).toBe(await one.modules.pool.size());
    const search = { location: "worldwide", skills: ["Go"], maxResults: 20 };
    const found = await one.client.search(search);
    expect((await other.client.search(search)).body.data).toEqual(found.body.data);
    const key = await newKey(one, {}, "counted@example.com");
    const used = [];
    for (const node of [one, other, one]) {
      const answer = (await (await get(node, key)).json()) as { meta: { quota: { used: number } } };
      used.push(answer.meta.quota.used);
    }
    expect(used).toEqual([1, 2, 3]);
  });

  test("import one at a time, and tell on which machine the other import runs", async () => {
    const nodes = await openPair();
    const load = await nodes[0].modules.pool.beginImport("import");
    await expect(nodes[1].modules.pool.beginImport("import")).rejects.toThrow(
      `an import of a file, process ${process.pid} on ${hostname()}, since`,
    );
    await load.abort();
    await (await nodes[1].modules.pool.beginImport("import")).abort();
  });

  test("list the runs of each other", async () => {
    const url = await newDatabase();
    const settingsFile = join(mkdtempSync(join(tmpdir(), "roster-nodes-")), "roster.toml");
    writeFileSync(settingsFile, `[database]\nurl = "${url}"\n`, { mode: 0o600 });
    const one = await openNode(url, { self: program, people: [], config: { settingsFile } });
    const other = await openNode(url, { people: [] });
    const person = await invited(one, "boss@example.com", { administrator: true });
    await person.send("/admin/runs", "recount");
    const cookie = [...person.jar].map((pair) => pair.join("=")).join("; ");
    const request = () => new Request("http://127.0.0.1:7171/admin/runs", { headers: { cookie } });
    let page = "";
    await until(async () => {
      page = readable(await (await other.handle(request())).text());
      return page.includes("started by boss@example.com");
    });
    expect(page).toContain("Recheck identities failed");
    rmSync(join(settingsFile, ".."), { recursive: true });
  }, 300_000);

  test("forget a person for all of them at once", async () => {
    const [one, other] = await openPair();
    const key = await newKey(one, {}, "forgetting@example.com");
    expect((await get(other, key)).status).toBe(200);
    await one.modules.pool.erasing.hide("ada-example");
    expect((await get(other, key)).status).toBe(404);
    const found = await other.client.search({ location: "worldwide", maxResults: 25 });
    expect(JSON.stringify(found)).not.toContain("ada-example");
    await other.modules.search.refresh();
    expect(await other.modules.pool.size()).toBe(await one.modules.pool.size());
  });

  test("start together on an empty database, and one of them loads the demo people", async () => {
    const url = await newDatabase();
    const config = { demo: true };
    const nodes = await Promise.all(
      Array.from({ length: 2 }, () => openNode(url, { people: [], config })),
    );
    for (const node of nodes) await node.modules.search.refresh();
    const sizes = await Promise.all(nodes.map((node) => node.modules.pool.size()));
    expect(sizes[0]).toBeGreaterThan(100);
    expect(sizes[1]).toBe(sizes[0] as number);
    const administrators = (await nodes[0]?.modules.accounts.list())?.filter(
      ({ administrator }) => administrator,
    );
    expect(administrators).toHaveLength(1);
  }, 300_000);

  test("build the index of each revision once: the others take it over", async () => {
    const url = await newDatabase();
    const nodes = [await openNode(url), await openNode(url, { people: [] })] as const;
    for (const { modules } of nodes) await modules.search.refresh();
    const indexOf = ({ config }: TestAppliance) => readFileSync(join(config.data, "search.index"));
    expect(indexOf(nodes[1]).equals(indexOf(nodes[0]))).toBe(true);
    const countParts = async () => {
      await using sql = new SQL(url);
      return (await sql`SELECT count(*)::int AS n FROM pool.search_index`)[0].n;
    };
    expect(await countParts()).toBeGreaterThan(0);
    await nodes[0].modules.pool.erasing.hide("ada-example");
    // The stored index has all logins, so it must go with who was forgotten.
    expect(await countParts()).toBe(0);
    for (const { modules } of nodes) await modules.search.refresh();
    expect(indexOf(nodes[1]).equals(indexOf(nodes[0]))).toBe(true);
    expect(indexOf(nodes[0]).includes("ada-example")).toBe(false);
    expect(await countParts()).toBeGreaterThan(0);
    const late = await openNode(url, { people: [] });
    await late.modules.search.refresh();
    expect(indexOf(late).equals(indexOf(nodes[0]))).toBe(true);
    expect(await countParts()).toBeGreaterThan(0);
  });

  test("tell administrators which database it is, but not how to get in, and back up nothing", async () => {
    const [node] = await openPair();
    const url = new URL(urlOf(node));
    const person = await invited(node, "boss@example.com", { administrator: true });
    const { text } = await person.open("/admin");
    expect(text).toContain(url.pathname.slice(1));
    expect(text).toContain("shared by all nodes");
    expect(readable(text)).toMatch(/All nodes share \S+ at \S+\. Roster does not back it up/);
    expect(text).not.toContain("none was ever made");
    for (const act of ["back-up", "download-backup"]) {
      const refused = await person.send("/admin", act, act === "back-up" ? {} : { archive: "x" });
      expect(refused.status).toBe(400);
    }
    // The folder has at least the index.
    expect(text).toMatch(/Roster uses (?!0\.0 )/);
    for (const page of ["/admin", "/admin/settings"]) {
      expect((await person.open(page)).text).not.toContain(url.password || url.href);
    }
  });

  test("refuse a folder with data of its own", async () => {
    const folder = mkdtempSync(join(tmpdir(), "roster-own-"));
    writeFileSync(join(folder, "control.db"), "");
    await expect(openNode(await newDatabase(), { folder })).rejects.toThrow("data of its own");
    rmSync(folder, { recursive: true });
  });
});
