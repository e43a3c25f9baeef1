/** The appliance with its accounts, people and index in PostgreSQL, as callers see it when that goes away and comes back. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";
import { hasPostgres } from "../postgres/database.ts";
import { type PostgresServer, startPostgres } from "../postgres/server.ts";

describe.skipIf(!hasPostgres)("everything in PostgreSQL", () => {
  let server: PostgresServer;
  let roster: TestAppliance;
  let key: string;
  beforeAll(async () => {
    server = await startPostgres();
    roster = await openTestAppliance({
      config: {
        database: { url: server.url, connections: 4 },
        search: { engine: "database" },
      },
    });
    ({ key } = await roster.newAccount("enterprise"));
  });
  afterAll(async () => {
    await roster.close();
    await server.stop();
  });

  const get = (path: string) =>
    roster.handle(new Request(`http://localhost${path}`, { headers: { "x-api-key": key } }));
  const ask = () => get("/v1/users/nobody");
  const search = () => roster.client.search({ location: "worldwide", skills: ["Go"] });
  const usedIn = async (response: Response) => {
    const { meta } = (await response.json()) as { meta: { quota: { used: number } } };
    return meta.quota.used;
  };

  test.each(["halt", "kill"] as const)(
    "after a %s, calls get 503 with Retry-After and cost nothing; then all goes on where it was",
    async (end) => {
      const before = await usedIn(await ask());
      const found = await search();
      expect(found.body.data.totalCount).toBeGreaterThan(0);
      expect((await get("/readyz")).status).toBe(200);
      await server[end]();
      const statuses: number[] = [];
      while (statuses.at(-1) !== 503) statuses.push((await ask()).status);
      const refused = await ask();
      expect(refused.headers.get("retry-after")).toBe("2");
      const body = await refused.json();
      expect(body).toMatchObject({ success: false, error: { code: "internal" } });
      expect(JSON.stringify(body)).not.toContain(new URL(server.url).password);
      const unsearched = await search();
      expect([unsearched.status, unsearched.headers.get("retry-after")]).toEqual([503, "2"]);
      expect(unsearched.body).toMatchObject({ success: false, error: { code: "internal" } });
      // Not only because nobody is known: the index itself is away.
      const { search: index } = roster.modules;
      const asked = { location: "worldwide", maxResults: 1, offset: 0 };
      expect(await index.find(asked).catch((error) => error)).toMatchObject({
        code: "database_away",
      });
      roster.clock.advance(5);
      const ready = await get("/readyz");
      expect(ready.status).toBe(503);
      expect(await ready.text()).toContain("the database cannot be reached");
      await server.start();
      const after = await usedIn(await ask());
      // Processes of a server that was killed may answer for a moment longer, or leave that open.
      const open = statuses.filter((status) => status !== 503).length;
      expect(after).toBeGreaterThan(before);
      expect(after).toBeLessThanOrEqual(before + 1 + open);
      const again = await search();
      expect(again.body.data).toEqual(found.body.data);
      expect(again.body.meta.quota.used).toBe(found.body.meta.quota.used + 1);
      roster.clock.advance(5);
      expect((await get("/readyz")).status).toBe(200);
      const warnings = roster
        .log()
        .split("\n")
        .filter((line) => line.includes("is away"));
      expect(warnings.length).toBeGreaterThan(0);
      expect(warnings.join("")).not.toContain("stack");
      expect(roster.log()).not.toContain(new URL(server.url).password);
    },
  );
});
