/** SIGTERM under load: calls in flight are answered and counted, new ones are refused, and the server ends with 0. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { createCaller, openOffice } from "./office.ts";
import { endServersAfterEach, freePort, startServer } from "./server-process.ts";

const newFolder = temporaryFolders();
endServersAfterEach();
const clients = 24;

test("a server that is told to stop answers what it has begun, and counts exactly that", async () => {
  const folder = join(newFolder(), "data");
  const email = "ada@example.com";
  const first = await startServer(folder, await freePort());
  const key = await createCaller(folder, email);
  await first.kill();

  const server = await startServer(folder, await freePort());
  let answered = 0;
  const statuses = new Set<number>();
  const client = async () => {
    for (;;) {
      const headers = { "x-api-key": key };
      const response = await fetch(`${server.address}/v1/users/nobody`, { headers }).catch(
        () => undefined,
      );
      if (!response) return;
      statuses.add(response.status);
      // A body that is cut short is a call that was not answered.
      const text = await response.text();
      if (JSON.parse(text).success === false && response.status === 404) answered += 1;
      if (answered === 300) process.kill(server.pid, "SIGTERM");
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  expect(await server.exited).toBe(0);
  expect([...statuses]).toEqual([404]);
  expect(answered).toBeGreaterThanOrEqual(300);
  const view = await openOffice(folder);
  expect(await view.countCalls(email)).toBe(answered);
  view.close();
}, 300_000);
