/** The real program with few file descriptors, all of them taken by connections that say little and stay. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { openCaller } from "./load.ts";
import { openOffice } from "./office.ts";
import { endServersAfterEach, freePort, startServer } from "./server-process.ts";

const newFolder = temporaryFolders();
endServersAfterEach();
const prlimit = Bun.which("prlimit");
const descriptors = 64;

test.skipIf(!prlimit)(
  "a flood of idle connections takes every descriptor: the log says so, nothing is lost, good callers are served again (skipped without prlimit)",
  async () => {
    const folder = join(newFolder(), "data");
    const server = await startServer(folder, await freePort());
    const port = Number(new URL(server.address).port);
    const office = await openOffice(folder);
    const email = "ada@example.com";
    const { key } = await office.accounts.create({ email, plan: "pro" });
    const caller = openCaller(port, key);
    expect(await caller.get("/v1/users/nobody")).toBe(404);
    // Only now: Bun raises the limit that it starts with.
    Bun.spawnSync([
      ...[prlimit as string, "--pid", String(server.pid)],
      `--nofile=${descriptors}:${descriptors}`,
    ]);
    const isToldOf = (words: string) => readFileSync(`${folder}.log`, "utf8").includes(words);
    const idle: Socket[] = [];
    const flood = () => {
      while (idle.length < 4 * descriptors) {
        // A beginning, or the system would keep the connection to itself.
        const socket = connect(port, "127.0.0.1", () => socket.write("GET /"));
        socket.on("error", () => undefined);
        socket.on("close", () => idle.splice(idle.indexOf(socket), 1));
        idle.push(socket);
      }
    };
    let served = 1;
    while (!isToldOf("no file descriptor is left")) {
      flood();
      // Who is connected already goes on, and what needs a descriptor of its own is an answer in words.
      expect(await caller.get("/v1/users/nobody")).toBe(404);
      served += 1;
      await Bun.sleep(50);
    }
    // What has to be loaded first cannot be, and is an answer all the same.
    expect(await caller.get("/sign-in")).toBe(500);
    const renewed = await office.accounts.regenerateKey(email);
    expect(await caller.get("/v1/users/nobody")).toBe(401);
    for (const socket of [...idle]) socket.destroy();
    caller.end();

    const again = openCaller(port, renewed);
    expect(await again.get("/v1/users/nobody")).toBe(404);
    expect(await again.get("/sign-in")).toBe(200);
    expect(await again.get("/readyz")).toBe(200);
    again.end();
    while (!isToldOf("file descriptors are free again")) await Bun.sleep(50);
    expect((await office.usedBy(email)).used).toBe(served + 1);
    await server.kill();
    const sqlite = new Database(join(folder, "control.db"), { readonly: true });
    expect(sqlite.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    sqlite.close();
    office.close();
  },
  300_000,
);
