import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { openOffice } from "./office.ts";
import { endServersAfterEach, freePort, startServer } from "./server-process.ts";

const newFolder = temporaryFolders();
endServersAfterEach();
const limit = 1000;

test("64 clients on one account with limit 1,000: exactly 1,000 answers in a month, each used once", async () => {
  const folder = join(newFolder(), "data");
  const server = await startServer(folder, await freePort());
  const office = await openOffice(folder);
  try {
    const email = "ada@example.com";
    const { key } = await office.accounts.create({ email, plan: "pro", callsPerDay: "unlimited" });
    const statuses = new Map<number, number>();
    const counted: { readonly used: number; readonly month: string }[] = [];
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const body = JSON.stringify({ location: "Berlin" });
    const client = async (index: number) => {
      for (let refused = 0; refused < 3; ) {
        const response =
          index % 2 === 0
            ? await fetch(`${server.address}/v1/search`, { method: "POST", headers, body })
            : await fetch(`${server.address}/v1/users/nobody`, { headers });
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        const { meta } = (await response.json()) as {
          meta: { quota: { used: number; month: string } };
        };
        if (response.status === 429) refused += 1;
        else counted.push(meta.quota);
      }
    };
    await Promise.all(Array.from({ length: 64 }, (_, index) => client(index)));
    const months = [...new Set(counted.map(({ month }) => month))].sort();
    for (const month of months) {
      const used = counted.filter((quota) => quota.month === month).map((quota) => quota.used);
      // The last month is used up; one that ended meanwhile was not.
      const calls = month === months.at(-1) ? limit : used.length;
      expect(used.sort((a, b) => a - b)).toEqual(Array.from({ length: calls }, (_, i) => i + 1));
    }
    const [found = 0, unknown = 0] = [200, 404].map((status) => statuses.get(status));
    expect(found + unknown).toBe(counted.length);
    expect([...statuses.keys()].sort()).toEqual([200, 404, 429]);
    expect((await office.usedBy(email)).used).toBe(limit);
  } finally {
    office.close();
    await server.kill();
  }
}, 300_000);
