import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { isKey } from "../../src/accounts/accounts.ts";
import { type Appliance, openAppliance, openDataFolder } from "../../src/appliance/appliance.ts";
import type { Config } from "../../src/config/config.ts";
import { openTestAppliance, silentAround, testConfig } from "../appliance.ts";
import { inventedPeople } from "../invented-people.ts";

const folders: string[] = [];
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), "roster-appliance-"));
  folders.push(parent);
  return join(parent, "data");
}

const around = silentAround(() => new Date("2026-11-21T12:00:00Z"));

async function start(config: Partial<Config> & { readonly data: string }): Promise<Appliance> {
  const appliance = await openAppliance(testConfig(config), around);
  open.push(appliance);
  return appliance;
}

const statusWith = async ({ http }: Appliance, key: string, login = "nobody") => {
  const request = new Request(`http://localhost/v1/users/${login}`, {
    headers: { "x-api-key": key },
  });
  return (await http.handle(request)).status;
};

describe("a first start", () => {
  test("makes the folder for its owner only, and an administrator on the enterprise plan", async () => {
    const data = newFolder();
    const { first, modules } = await start({ data });
    expect(statSync(data).mode & 0o777).toBe(0o700);
    const [account] = await modules.accounts.list();
    expect(account).toMatchObject({ plan: "enterprise", administrator: true });
    expect(first).toMatchObject({ email: account?.email, demoDevelopers: 0 });
    expect(isKey(first?.key ?? "")).toBe(true);
  });

  test("writes the key to a file, which it narrows to its owner, and shows it nowhere else", async () => {
    const data = newFolder();
    const adminKeyFile = join(data, "..", "admin.key");
    const before = "an older and longer text than any key that could be written here";
    writeFileSync(adminKeyFile, before, { mode: 0o644 });
    const appliance = await start({ data, adminKeyFile });
    expect(appliance.first).toMatchObject({ key: undefined, keyFile: adminKeyFile });
    expect(statSync(adminKeyFile).mode & 0o777).toBe(0o600);
    const key = readFileSync(adminKeyFile, "utf8").trim();
    expect(await statusWith(appliance, key)).toBe(404);
  });

  test("refuses a malformed key and an unwritable key file, and the next start is a first one", async () => {
    const data = newFolder();
    await expect(start({ data, adminKey: "secret" })).rejects.toThrow("rst_");
    const adminKeyFile = join(data, "nowhere", "admin.key");
    await expect(start({ data, adminKeyFile })).rejects.toThrow("cannot be written");
    expect((await start({ data })).first?.key).toStartWith("rst_");
  });

  test("who began without demo people is not given them on a later start", async () => {
    const data = newFolder();
    const appliance = await start({ data, demo: false });
    await appliance.close();
    expect(await (await start({ data, demo: true })).modules.pool.size()).toBe(0);
  });

  test("loads no demo people when the pool holds others", async () => {
    const own = newFolder();
    const filled = await openTestAppliance({ folder: own });
    await filled.close();
    const later = await start({ data: own, demo: true });
    expect(await later.modules.pool.size()).toBe(inventedPeople.length);
  }, 300_000);

  test("a start that cannot listen leaves no key behind, and the next one is a first start", async () => {
    const data = newFolder();
    const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const config = testConfig({ data, port: taken.port as number });
    await expect(openAppliance(config, around, { listen: true })).rejects.toThrow();
    await taken.stop(true);
    expect((await start({ data })).first?.key).toStartWith("rst_");
  });
});

describe("a data folder", () => {
  test("is served once: a second server is refused with a clear line, and the first goes on", async () => {
    const data = newFolder();
    const appliance = await start({ data });
    await expect(start({ data })).rejects.toThrow("another Roster");
    expect(await statusWith(appliance, appliance.first?.key as string)).toBe(404);
  });

  test("is served under an address that can be called, whatever it listens on", async () => {
    const config = testConfig({ data: newFolder(), host: "0.0.0.0" });
    const appliance = await openAppliance(config, around, { listen: true });
    open.push(appliance);
    expect(appliance.address).toMatch(/^http:\/\/localhost:[1-9]\d*$/);
    expect((await fetch(`${appliance.address}/livez`)).status).toBe(200);
  });

  test("that cannot be made is refused with its name", async () => {
    const data = join(newFolder(), "..", "file");
    writeFileSync(data, "");
    await expect(start({ data: join(data, "below") })).rejects.toThrow("cannot be made");
  });

  test("shows a command's changes to the running server at once, and a search within a second", async () => {
    const data = newFolder();
    const serving = await openTestAppliance({ folder: data, people: [] });
    open.push(serving);
    const account = await serving.newAccount("pro");
    expect((await serving.client.get("ada-example", account.key)).status).toBe(404);

    const beside = await openDataFolder(serving.config, around, { create: false, search: false });
    const fresh = await beside.modules.accounts.regenerateKey(account.email);
    const load = await beside.modules.pool.beginImport("test");
    await load.put(inventedPeople.map(beside.judge("2026-11-21")));
    await load.commit();
    await beside.close();

    expect((await serving.client.get("ada-example", account.key)).status).toBe(401);
    expect((await serving.client.get("ada-example", fresh)).status).toBe(200);
    await serving.modules.search.refresh();
    const found = await serving.client.search({ location: "Berlin" }, fresh);
    expect(found.body.data.totalCount).toBe(2);
  });

  test("is unchanged when a start fails half-way, and opens afterwards", async () => {
    const data = newFolder();
    await (await start({ data })).close();
    open.splice(0);
    writeFileSync(join(data, "pool.db"), "no database");
    await expect(start({ data })).rejects.toThrow("pool.db");
    rmSync(join(data, "pool.db"));
    expect((await (await start({ data })).modules.accounts.list()).length).toBe(1);
  });
});

describe("a server that other machines reach", () => {
  const warningsOf = async (own: Partial<Config>) => {
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => lines.push(line) });
    const config = testConfig({ data: newFolder(), ...own });
    open.push(await openAppliance(config, { ...around, log }, { listen: true }));
    return lines.filter((line) => line.includes("plain HTTP"));
  };

  test("warns of plain HTTP, and not where TLS stands before it", async () => {
    expect(await warningsOf({ host: "0.0.0.0" })).toHaveLength(1);
    expect(await warningsOf({ host: "0.0.0.0", publicUrl: "https://roster.example" })).toEqual([]);
    expect(await warningsOf({ host: "127.0.0.1" })).toEqual([]);
  });
});
