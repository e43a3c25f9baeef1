/** Nodes without an index of their own: what they answer, what they leave behind, and whom they forget. */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { openPostgresControlStore } from "../../../src/control/postgres/postgres-control-store.ts";
import { openPostgres } from "../../../src/postgres/database.ts";
import { checkStoredIndex } from "../../../src/search/database/database-index.ts";
import { openTestAppliance, type TestAppliance, type TestOptions } from "../../appliance.ts";
import { hasPostgres, newDatabase } from "../../postgres/database.ts";

async function openNode(
  url: string,
  engine: "memory" | "database",
  options: TestOptions = {},
): Promise<TestAppliance> {
  const config = { database: { url, connections: 4 }, search: { engine } };
  const node = await openTestAppliance({ folder: true, ...options, config });
  afterAll(() => node.close());
  return node;
}

const worldwide = { location: "worldwide", maxResults: 25 };
const searches = [
  worldwide,
  { location: "Germany", role: "backend", skills: ["Go", "k8s"], maxResults: 5 },
  { location: "worldwide", skills: ["Go", "React"], strictSkills: false, offset: 2 },
  { location: "worldwide", languages: ["Python"], minExperienceYears: 3 },
  { location: "worldwide", repositories: ["commons"] },
  { location: "worldwide", repositories: ["commosn"] },
  { location: "Belrin" },
];

describe.skipIf(!hasPostgres)("a node whose index is in the database", () => {
  test("answers like one with an index in memory, and keeps no file", async () => {
    const url = await newDatabase();
    const memory = await openNode(url, "memory");
    const node = await openNode(url, "database", { people: [] });
    const key = (await memory.newAccount("enterprise")).key;
    const ask = async ({ client }: TestAppliance, path: string, body?: unknown) => {
      const given = body === undefined ? {} : { method: "POST" as const, body };
      const { status, body: answer } = await client.ask({ path, key, ...given });
      const { data, error } = answer as { data?: unknown; error?: unknown };
      return { status, data, error };
    };
    const asked = [
      ...searches.map((body) => ["/v1/search", body] as const),
      ...["ada", "a", "ada-example@example.com", "github.com/ada-example", "exam ada"].map(
        (text) => ["/v1/people/find", { text, limit: 50 }] as const,
      ),
      ...["Ber", "k8s", "back", "comm", "example-org/", "commosn"].map(
        (text) => [`/v1/lookup?q=${encodeURIComponent(text)}`] as const,
      ),
    ];
    for (const [path, body] of asked) {
      const answer = await ask(node, path, body);
      expect([path, body, answer]).toEqual([path, body, await ask(memory, path, body)]);
    }
    // Nothing is known of backups until a command records one.
    const readiness = async () => {
      const ready = await node.handle(new Request("http://127.0.0.1/readyz"));
      const {
        version: _,
        startedAt: __,
        index: ___,
        ...notes
      } = (await ready.json()) as object & {
        [name: string]: unknown;
      };
      return [ready.status, notes];
    };
    expect(await readiness()).toEqual([200, { ready: true }]);
    const control = await openPostgresControlStore({ url, connectionsMax: 1 });
    await control.folder.noteBackup({
      ...{ at: new Date(1000), actor: "operator", action: "backup.made", subject: "", detail: {} },
    });
    await control.close();
    const backup = { at: "1970-01-01T00:00:01.000Z", ageSeconds: expect.any(Number) };
    expect(await readiness()).toEqual([200, { ready: true, backup }]);
    expect(existsSync(join(node.config.data, "search.index"))).toBe(false);
  }, 300_000);

  test("shows an import with the next generation, and a person who was forgotten to nobody", async () => {
    const url = await newDatabase();
    const one = await openNode(url, "database");
    const other = await openNode(url, "database", { people: [] });
    const named = async (node: TestAppliance) =>
      JSON.stringify((await node.client.search(worldwide)).body).includes("ada-example");
    const find = async (node: TestAppliance) =>
      (
        await node.modules.search.findPeople({
          ...{ text: "ada-example", canSeeUnpublished: true, limit: 10, offset: 0 },
        })
      ).total;
    expect([await named(one), await named(other), await find(other)]).toEqual([true, true, 1]);
    await one.modules.pool.erasing.hide("ada-example");
    expect([await named(other), await find(other), await find(one)]).toEqual([false, 0, 0]);
    await one.modules.search.discard();
    await using sql = new SQL(url);
    const revisions = await sql`SELECT revision FROM search.generation`;
    expect([...revisions]).toEqual([{ revision: await one.modules.pool.revision() }]);
    await other.modules.search.refresh();
    expect([await named(one), await named(other)]).toEqual([false, false]);
    const found = await other.client.search(worldwide);
    expect(found.body.data.totalCount).toBe(other.modules.search.generation?.developers ?? 0);
    // A build leaves no row that names somebody.
    const [left] = await sql`SELECT count(*)::int AS n FROM search.arrival`;
    expect(left.n).toBe(0);
  }, 300_000);

  test("is said to be not whole where something of it is gone", async () => {
    const url = await newDatabase();
    const { modules } = await openNode(url, "database");
    const database = await openPostgres({ url, connectionsMax: 1 });
    const [{ edition }] = await database.sql`SELECT edition FROM search.generation`;
    const whole = await checkStoredIndex(database, edition);
    const { revision = 0, developers = 0 } = modules.search.generation ?? {};
    expect(whole).toEqual({ revision, developers, poolRevision: revision, faults: [] });
    await database.sql`DELETE FROM search.block`;
    const { faults } = (await checkStoredIndex(database, edition)) ?? {};
    expect(faults).toEqual([`it has 0 of ${developers} people, 0 of 1 blocks`]);
    expect(await checkStoredIndex(database, "another")).toBeUndefined();
    await database.close();
  }, 300_000);
});
