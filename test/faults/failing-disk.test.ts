import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { createCaller, openOffice } from "./office.ts";
import { openOracle } from "./oracle.ts";
import { endServersAfterEach, freePort, smallFiles, startServer } from "./server-process.ts";

const newFolder = temporaryFolders();
endServersAfterEach();

test("a write that fails ends the server with a fault; nothing acknowledged is lost, and it starts again", async () => {
  const folder = join(newFolder(), "data");
  const email = "ada@example.com";
  const first = await startServer(folder, await freePort());
  const key = await createCaller(folder, email);
  await first.kill();

  const server = await startServer(folder, await freePort(), smallFiles(600));
  const oracle = openOracle();
  const statuses = new Set<number>();
  const client = async () => {
    for (;;) {
      oracle.sent(email);
      const headers = { "x-api-key": key };
      const response = await fetch(`${server.address}/v1/users/nobody`, { headers }).catch(
        () => undefined,
      );
      if (!response) return;
      statuses.add(response.status);
      const { meta } = (await response.json()) as {
        meta: { quota: { used: number; limit: number; month: string } };
      };
      if (response.status === 404) oracle.acknowledged(email, meta.quota);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  expect(await server.exited).toBe(5);
  expect(await Bun.file(`${folder}.log`).text()).toContain("the disk may be faulty");
  expect([...statuses].filter((status) => status !== 404 && status !== 500)).toEqual([]);
  expect(oracle.totals().acknowledged).toBeGreaterThan(0);

  const again = await startServer(folder, await freePort());
  const view = await openOffice(folder);
  oracle.compare(email, await view.usedBy(email));
  expect(oracle.violations).toEqual([]);
  view.close();
  await again.kill();
}, 300_000);
