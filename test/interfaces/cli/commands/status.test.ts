import { afterEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Status } from "../../../../src/appliance/appliance.ts";
import { openSqliteControlStore } from "../../../../src/control/sqlite/sqlite-control-store.ts";
import { endedRun } from "../../../control/sources-contract.ts";
import { openCommandLine, writePeople } from "../command-line.ts";

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

async function openFolder() {
  const line = openCommandLine();
  open.push(line);
  const run = (...argv: string[]) => line.run(...argv, "--data", line.folder);
  await run("import", writePeople(line));
  const look = async () => {
    const { code, out } = await run("status", "--json");
    return { code, status: JSON.parse(out) as Status };
  };
  /** Serves the folder while `use` runs. */
  const serve = async (use: () => Promise<void>, ...flags: string[]) => {
    const ending = new AbortController();
    const serving = line.runUntil(
      ending.signal,
      ...["serve", "--port", "0", "--data", line.folder, ...flags],
    );
    const isReady = async () => (await look()).status.server?.ready === true;
    while (!(await isReady())) await Bun.sleep(20);
    await use();
    ending.abort();
    await serving;
  };
  return { ...line, run, look, serve };
}

test("no server: critical, exit 2, and what is known of the folder", async () => {
  const { run, look } = await openFolder();
  const { code, status } = await look();
  expect([code, status.level, status.server]).toEqual([2, "critical", undefined]);
  expect(status.concerns[0]).toEqual({ weight: "fault", text: "no server runs on this folder" });
  const { out } = await run("status");
  expect(out).toStartWith("state");
  expect(out).toMatch(/^people +\d/m);
  expect(out).toMatch(/^backup +never$/m);
});

test("a server: its address, version and start; a warning is exit 1, and nothing to say is exit 0", async () => {
  const { folder, run, look, serve } = await openFolder();
  await serve(async () => {
    const warned = await look();
    expect(warned).toMatchObject({ code: 1, status: { level: "warning" } });
    expect(warned.status.concerns.map(({ text }) => text)).toEqual([
      expect.stringContaining("backup"),
    ]);
    const backups = join(folder, "backups");
    mkdirSync(backups);
    const file = join(backups, "roster-2026-11-21T120000Z.tar.zst");
    await run("backup", file);
    const { code, status } = await look();
    expect([code, status.level, status.lastBackup?.file]).toEqual([0, "ok", file]);
    expect(status).toMatchObject({ index: "fits the pool", server: { version: "0.0.0-test" } });
    expect(status).toMatchObject({ backupsKept: 1, growth: { bytes: expect.any(Number) } });
  });
});

test("how far the index of the server is behind the pool", async () => {
  const { folder, run, look, serve } = await openFolder();
  const lagging = { ready: true, index: { revision: 0 } };
  const other = createServer((_, answer) => answer.end(JSON.stringify(lagging)));
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  await serve(async () => {
    const { status } = await look();
    expect(status).toMatchObject({ index: "fits the pool", indexRevision: status.revision });
    writeFileSync(join(folder, "server.pid"), `${process.pid}\n${address}\n`);
    lagging.index.revision = status.revision - 1;
    expect((await run("status")).out).toMatch(/^index +1 change behind the pool$/m);
    expect((await look()).status).toMatchObject({
      ...{ indexRevision: status.revision - 1, revision: status.revision },
    });
  });
  other.close();
});

test("the last run that failed is told also while another one runs", async () => {
  const { folder, look } = await openFolder();
  const control = openSqliteControlStore(join(folder, "control.db"));
  const own = { source: null, endedAt: new Date("2026-11-21T12:30:00Z") };
  await control.runs.add(endedRun("run_1", { ...own, state: "failed", outcome: "no room" }));
  const next = { ...own, endedAt: new Date("2026-11-21T12:40:00Z"), pid: process.pid };
  await control.runs.add(endedRun("run_2", { ...next, state: "running" }));
  await control.close();
  const texts = (await look()).status.concerns.map(({ text }) => text);
  expect(texts.filter((text) => text.includes("no room"))).toHaveLength(1);
});

test("a server behind another address is asked where it listens, also on a socket", async () => {
  const { folder, look, serve } = await openFolder();
  // Whatever stands at the public address must not answer for the server.
  const other = createServer((_, answer) => answer.end('{"ready":false,"reasons":["other"]}'));
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  const publicUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  for (const host of ["127.0.0.1", `unix:${join(folder, "s")}`]) {
    await serve(
      async () => {
        const { status } = await look();
        expect(status.server).toMatchObject({ address: publicUrl, ready: true });
      },
      ...["--public-url", publicUrl, "--host", host],
    );
  }
  other.close();
});
