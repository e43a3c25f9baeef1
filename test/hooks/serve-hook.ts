/** The real program with one source in its settings file, and that source's push hook on. */
import { createHmac } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { createCaller } from "../faults/office.ts";
import { freePort, startServer } from "../faults/server-process.ts";
import type { SentDelivery } from "./deliveries.ts";

export const hookSalt = "c2FsdCBvZiBhIHRlc3Q";

/**
 * @param home a folder that is the caller's to remove.
 * @param id the id of the source.
 * @param source its other settings. It is read at the start, and then once a year.
 */
export async function serveHook(home: string, id: string, source: Record<string, unknown>) {
  const folder = join(home, "served");
  mkdirSync(folder);
  const settings = Object.entries({ id, ...source, everyHours: 8760 });
  const lines = settings.map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  writeFileSync(join(folder, "roster.toml"), ["[[sources]]", ...lines, ""].join("\n"));
  const server = await startServer(folder, await freePort());
  const control = openSqliteControlStore(join(folder, "control.db"));
  const entry = { at: new Date(), actor: "test", subject: id, detail: {} } as const;
  await control.sources.setHook(id, hookSalt, { ...entry, action: "source.hook_on" });
  const key = await control.signIn.secret();
  await control.close();
  const secret = createHmac("sha256", key).update(`hook ${id} ${hookSalt}`).digest("base64url");
  const url = `${server.address}/hooks/${id}`;
  const email = "caller@example.com";
  const apiKey = await createCaller(folder, email);
  return {
    ...{ folder, secret, url, email },
    async send({ headers, body }: SentDelivery): Promise<number> {
      const response = await fetch(url, { method: "POST", headers, body });
      await response.arrayBuffer();
      return response.status;
    },
    /** Makes one call. @returns whether somebody has this login. */
    async isFound(login: string): Promise<boolean> {
      const headers = { "x-api-key": apiKey };
      const response = await fetch(`${server.address}/v1/users/${login}`, { headers });
      await response.arrayBuffer();
      if (response.status === 200 || response.status === 404) return response.status === 200;
      throw new Error(`a good call got ${response.status}`);
    },
  };
}

/** @returns the seconds that it took. */
export async function waitUntil(isSo: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  for (const end = startedMs + 60_000; performance.now() < end; ) {
    if (await isSo()) return (performance.now() - startedMs) / 1000;
    await Bun.sleep(100);
  }
  throw new Error("this never came");
}
