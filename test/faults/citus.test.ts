/** The appliance with its index on the servers of Citus, as callers see it when those go away and come back. Only in the long form. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";
import { isLong } from "../long.ts";
import { type CitusCluster, hasCitus, startCitus } from "../postgres/citus.ts";

if (!isLong) process.stderr.write("Skips calls on Citus: they are part of scripts/explore\n");

describe.skipIf(!hasCitus || !isLong)("a search on Citus", () => {
  let cluster: CitusCluster;
  let roster: TestAppliance;
  beforeAll(async () => {
    cluster = await startCitus();
    const database = { url: await cluster.newDatabase(), connections: 4 };
    const search = { engine: "database" } as const;
    roster = await openTestAppliance({ folder: true, config: { database, search } });
  }, 300_000);
  afterAll(async () => {
    await roster?.close();
    await cluster?.stop();
  });

  const search = () => roster.client.search({ location: "worldwide", skills: ["Go"] });
  /** Counted itself. */
  const countUsed = async () => (await roster.client.get("nobody-example")).body.meta.quota.used;

  test("answers as before, and counts once, when either worker is killed", async () => {
    const before = await search();
    expect(before.body.data.totalCount).toBeGreaterThan(0);
    for (const worker of cluster.workers) {
      const used = await countUsed();
      await worker.kill();
      for (let call = 0; call < 3; call++) {
        const answer = await search();
        expect(answer.status).toBe(200);
        expect(answer.body.data).toEqual(before.body.data);
      }
      await worker.start();
      expect((await search()).body.data).toEqual(before.body.data);
      expect(await countUsed()).toBe(used + 5);
    }
  }, 300_000);

  test("without any worker gets 503 with Retry-After and costs nothing; then all goes on", async () => {
    const before = await search();
    const used = await countUsed();
    for (const worker of cluster.workers) await worker.kill();
    for (let call = 0; call < 3; call++) {
      const { status, headers, body } = await search();
      expect(status).toBe(503);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect(body).toMatchObject({ success: false, error: { code: "internal" } });
      expect(JSON.stringify(body)).not.toContain("127.0.0.1");
    }
    // Accounts and people are on the coordinator.
    const person = await roster.client.get("ada-example");
    expect([person.status, person.body.meta.quota.used]).toEqual([200, used + 1]);
    for (const worker of cluster.workers) await worker.start();
    expect((await search()).body.data).toEqual(before.body.data);
    expect(await countUsed()).toBe(used + 3);
  }, 300_000);
});
