import { afterEach, expect, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockFolder } from "../../src/sqlite/folder/folder-lock.ts";
import { temporaryFolders } from "./temporary-folder.ts";

const newFolder = temporaryFolders();
const holders: Bun.Subprocess[] = [];
afterEach(async () => {
  for (const holder of holders) holder.kill("SIGKILL");
  await Promise.all(holders.splice(0).map(({ exited }) => exited));
});

/** A process that takes the lock and then waits to be killed. */
async function startHolder(folder: string) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "lock-holder.ts"), folder], {
    stdout: "pipe",
  });
  holders.push(child);
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe("locked\n");
  return child;
}

test("the lock of a process that was killed is free at once", async () => {
  const folder = newFolder();
  const child = await startHolder(folder);
  child.kill("SIGKILL");
  await child.exited;
  expect(existsSync(join(folder, "server.pid"))).toBe(true);
  lockFolder(folder).release();
});

test("a process id left behind by chance names a living process and locks nobody out", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "server.pid"), `${process.ppid}\n`);
  lockFolder(folder).release();
});

test("a link in place of the process id is not written through", () => {
  const folder = newFolder();
  const outside = join(newFolder(), "outside");
  writeFileSync(outside, "4711\n");
  symlinkSync(outside, join(folder, "server.pid"));
  lockFolder(folder).release();
  expect(readFileSync(outside, "utf8")).toBe("4711\n");
});

test("a folder that was let go can be taken again, and holds no process id", () => {
  const folder = newFolder();
  lockFolder(folder).release();
  expect(existsSync(join(folder, "server.pid"))).toBe(false);
  const lock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow("is served by another Roster");
  lock.release();
});
