import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { cpSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";
import { openCommandLine } from "../interfaces/cli/command-line.ts";
import { isLong } from "../long.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { makeFolder } from "../temporary-folder.ts";
import { archives, oneOfEachForm, unpackFolder } from "../upgrade/filled-folders.ts";
import { canMakeUnwritable, unwritableFolders } from "./unwritable.ts";

const asUnwritable = unwritableFolders();
// Unmounted before the folders are removed: hooks run in the order of their calls.
const newFolder = temporaryFolders();
const exported = join(tmpdir(), `roster-test-${process.pid}.jsonl`);
afterEach(() => rmSync(exported, { force: true }));
const isHere = canMakeUnwritable();
if (!isHere) process.stderr.write("read-only folders: this system lets the test make none\n");

/** @param now by default the clock of the tests. */
function openCommands(now?: () => Date) {
  const line = openCommandLine(now);
  afterAll(() => line.close());
  return line;
}

/** Everything in a folder that a write would change. */
const look = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => {
      const { size, mtimeMs, ino } = statSync(join(folder, name));
      return `${name} ${size} ${mtimeMs} ${ino}`;
    });

/** The folder of a server that runs, and the same folder of one that was stopped. */
let server: TestAppliance | undefined;
afterAll(() => server?.close());
const live = join(makeFolder("live"), "data");
const stopped = join(makeFolder("stopped"), "data");
beforeAll(async () => {
  server = await openTestAppliance({ folder: live });
  await server.newAccount("pro");
  cpSync(live, stopped, { recursive: true });
  await (await openTestAppliance({ folder: stopped, people: [] })).close();
}, 300_000);

/** Copies a folder as it lies on the disk, as a snapshot of the disk does. */
function takeSnapshot(folder: string, without = /$^/): string {
  const copy = join(newFolder(), "data");
  cpSync(folder, copy, { recursive: true, filter: (path) => !without.test(path) });
  return copy;
}

const snapshots = {
  "of a server that was stopped": () => takeSnapshot(stopped),
  "of a live server": () => takeSnapshot(live),
  "of a live server, without the -shm files": () => takeSnapshot(live, /-shm$/),
  "without its index": () => takeSnapshot(stopped, /search\.index$/),
};

const reading = [
  ["search", "Berlin", "--role", "backend"],
  ["get", "ada-example"],
  ["export", exported],
  ["person", "export", "ada-example"],
  ["account", "list"],
  ["identity", "list"],
  ["ingest", "list"],
  ["rescore", "--diff"],
];

const writing = [
  ["account", "create", "new@example.com", "--plan", "free"],
  ["account", "disable", "account1@example.com"],
  ["key", "regenerate", "account1@example.com"],
  ["forget", "ada-example"],
  ["rescore"],
];

for (const [what, make] of Object.entries(snapshots)) {
  test.skipIf(!isHere)(`a snapshot ${what}: what reads works, and writes nothing`, async () => {
    const folder = asUnwritable(make());
    const before = look(folder);
    const { run } = openCommands();
    for (const command of reading) {
      const { code, err } = await run(...command, "--data", folder);
      expect([command.join(" "), code, err]).toEqual([command.join(" "), 0, expect.any(String)]);
    }
    expect(look(folder)).toEqual(before);
    expect(readdirSync(tmpdir()).filter((name) => isCopyOf(name, process.pid))).toEqual([]);
  });
}

const isCopyOf = (name: string, pid: number) => name.startsWith(`roster-copies-${pid}-`);

for (const archive of isLong ? archives : oneOfEachForm) {
  test.skipIf(!isHere)(
    `a folder of an older release (${archive}) is read, and stays as it is`,
    async () => {
      const unpacked = newFolder();
      unpackFolder(archive, unpacked);
      const folder = asUnwritable(join(unpacked, "data"));
      const before = look(folder);
      // The day after the archive was made, since calls were counted on that day.
      const made = Date.parse(`${archive.slice(0, 10)}T12:00:00Z`);
      const { run, json } = openCommands(() => new Date(made + 86_400_000));
      for (const command of [
        ["account", "list"],
        ["ingest", "list"],
        ["search", "Worldwide"],
      ]) {
        const { code, err } = await run(...command, "--data", folder);
        expect([command.join(" "), code, err]).toEqual([command.join(" "), 0, expect.any(String)]);
      }
      const { findings } = (await json("doctor", "--data", folder)) as {
        findings: { level: string; text: string }[];
      };
      expect(findings.filter(({ level }) => level === "fault")).toEqual([]);
      expect(look(folder)).toEqual(before);
      expect(readdirSync(tmpdir()).filter((name) => isCopyOf(name, process.pid))).toEqual([]);
    },
  );
}

test.skipIf(!isHere)("what writes is refused with one line, and so is serve", async () => {
  const folder = asUnwritable(snapshots["of a server that was stopped"]());
  const { run } = openCommands();
  for (const command of [...writing, ["serve"]]) {
    const { code, err } = await run(...command, "--data", folder);
    // The log of a server is JSON.
    const [begin, end] = command[0] === "serve" ? [/"msg":"/, '"}\n'] : [/^roster: /m, "\n"];
    expect([command.join(" "), code, err.split(begin)[1]]).toEqual([
      command.join(" "),
      5,
      `${folder} is read-only: it or a file in it cannot be written. Commands that only read work on it.${end}`,
    ]);
  }
});
