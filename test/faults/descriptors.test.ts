/** The real program with few file descriptors, and more connections than those, which say little and stay. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { openOffice } from "./office.ts";
import { endServersAfterEach, freePort, program, startServer } from "./server-process.ts";

const newFolder = temporaryFolders();
endServersAfterEach();
const descriptors = 256;
const connections = 600;
const limited = ["sh", "-c", `ulimit -n ${descriptors}; exec "$0" "$@"`];

/** Keeps so many connections open, each with half a request; what is closed is made again. */
function startFlood(port: number) {
  const open = new Set<Socket>();
  let isOver = false;
  const dial = () => {
    if (isOver) return;
    // Without data the system does not pass the connection to the server.
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /"));
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      open.delete(socket);
      setTimeout(dial, 100);
    });
  };
  for (let at = 0; at < connections; at += 1) dial();
  return () => {
    isOver = true;
    for (const socket of open) socket.destroy();
  };
}

test.skipIf(process.platform === "win32")(
  `${connections} connections with ${descriptors} descriptors: calls are answered during and after it, each is counted once, and SIGTERM is heard`,
  async () => {
    const folder = join(newFolder(), "data");
    const server = await startServer(folder, await freePort(), limited, [], program);
    const port = Number(new URL(server.address).port);
    const office = await openOffice(folder);
    const email = "ada@example.com";
    const { key } = await office.accounts.create({ email, plan: "pro" });
    const call = async (path: string) => {
      // The system may keep a connection waiting; after ten seconds it counts as refused.
      const signal = AbortSignal.timeout(10_000);
      const asked = fetch(server.address + path, { headers: { "x-api-key": key }, signal });
      return (await asked.catch(() => undefined))?.status;
    };
    // At once: three seconds after its start a server starts a thread, which needs descriptors.
    const endFlood = startFlood(port);
    await Bun.sleep(1000);
    const until = performance.now() + 6000;
    let answered = 0;
    let refused = 0;
    while (performance.now() < until || answered === 0) {
      const status = await call("/v1/users/nobody");
      if (status === undefined) refused += 1;
      else expect(status).toBe(404);
      if (status === 404) answered += 1;
      await Bun.sleep(20);
    }
    process.stdout.write(`while it lasted: ${answered} answered, ${refused} refused\n`);
    endFlood();
    while ((await call("/readyz")) !== 200) await Bun.sleep(50);
    expect(await call("/sign-in")).toBe(200);
    expect(await call("/v1/users/nobody")).toBe(404);
    // A call whose connection was cut may have been counted.
    const used = await office.countCalls(email);
    expect(used).toBeGreaterThanOrEqual(answered + 1);
    expect(used).toBeLessThanOrEqual(answered + 1 + refused);

    const endSecond = startFlood(port);
    await Bun.sleep(500);
    process.kill(server.pid, "SIGTERM");
    expect(await server.exited).toBe(0);
    endSecond();
    const sqlite = new Database(join(folder, "control.db"), { readonly: true });
    expect(sqlite.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    sqlite.close();
    office.close();
  },
  300_000,
);
