import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
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
// After what lets go of them.
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

/** Copies a folder as it lies on the disk, as a snapshot of the disk under a live server would. */
function snapshot(folder: string, isIn: (name: string) => boolean = () => true): string {
  const copy = join(newFolder(), "data");
  mkdirSync(copy);
  for (const name of readdirSync(folder)) {
    if (isIn(name)) copyFileSync(join(folder, name), join(copy, name));
  }
  return copy;
}

/** One call. @returns how many the key has used this month. */
async function call({ client }: TestAppliance, key: string): Promise<number> {
  const { status, body } = await client.get("ada-example", key);
  expect(status).toBe(200);
  return body.meta.quota.used;
}

/** The folder of a live server whose one customer has called twice, and the same folder of one that was stopped. */
let server: TestAppliance | undefined;
afterAll(() => server?.close());
const live = join(makeFolder("live"), "data");
const stopped = join(makeFolder("stopped"), "data");
let key: string;
beforeAll(async () => {
  const appliance = await openTestAppliance({ folder: live });
  server = appliance;
  ({ key } = await appliance.newAccount("pro"));
  await call(appliance, key);
  await call(appliance, key);
  const decision = { kind: "different", a: "twin-a", b: "twin-b", by: "operator" } as const;
  await appliance.modules.pool.decisions.add({ ...decision, evidence: [] });
  cpSync(live, stopped, { recursive: true });
  await (await openTestAppliance({ folder: stopped, people: [] })).close();
}, 300_000);

const snapshots = {
  "of a server that was stopped": () => snapshot(stopped),
  "of a live server, with its -wal and -shm files": () => snapshot(live),
  "of a live server, without the -shm files": () => {
    const folder = snapshot(live, (name) => !name.endsWith("-shm"));
    expect(statSync(join(folder, "pool.db-wal")).size).toBeGreaterThan(0);
    return folder;
  },
  "without its index": () => snapshot(stopped, (name) => name !== "search.index"),
};

const reading = [
  ["search", "Berlin", "--role", "backend"],
  ["get", "ada-example"],
  ["analyze", "ada-example"],
  ["lookup", "Ber"],
  ["export", exported],
  ["explain", "ada-example", "--location", "Berlin"],
  ["person", "export", "ada-example"],
  ["account", "list"],
  ["account", "show", "account1@example.com"],
  ["assistant", "list"],
  ["identity", "list"],
  ["identity", "suggestions"],
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

/** Of the two others, what opens each file. */
const few = ["search", "get", "export", "account", "ingest"];

for (const [what, make] of Object.entries(snapshots)) {
  const isOther = what.includes("without");
  const commands = reading.filter(([command = ""]) => isLong || !isOther || few.includes(command));
  test.skipIf(!isHere)(`a snapshot ${what}: what reads works, and writes nothing`, async () => {
    const folder = asUnwritable(make());
    const before = look(folder);
    const { run } = openCommands();
    for (const command of commands) {
      const { code, out, err } = await run(...command, "--data", folder);
      expect([command.join(" "), code, err]).toEqual([command.join(" "), 0, expect.any(String)]);
      if (!["assistant", "identity", "ingest"].includes(command[0] ?? "")) {
        expect(out).not.toBe("");
      }
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
