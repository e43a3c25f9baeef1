/** A data folder that others can write to, with links and pipes in it: the real program on a real folder. */
import { beforeAll, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { endServersAfterEach, freePort, program, startServer } from "../faults/server-process.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { makeFolder } from "../temporary-folder.ts";

const newFolder = temporaryFolders();
endServersAfterEach();

const start = async (folder: string) => startServer(folder, await freePort());
const logOf = (folder: string) => readFileSync(`${folder}.log`, "utf8");

const used = join(makeFolder("used"), "data");
beforeAll(async () => {
  await (await start(used)).kill();
});

/** A folder as a killed server leaves it. */
function usedFolder(): string {
  const folder = join(newFolder(), "data");
  cpSync(used, folder, { recursive: true });
  return folder;
}

test("a folder that others can write to is told of, with the remedy; its owner's alone is not", async () => {
  const folder = usedFolder();
  expect(logOf(used)).not.toContain("others can");
  chmodSync(folder, 0o777);
  chmodSync(join(folder, "control.db"), 0o644);
  const server = await start(folder);
  const lines = logOf(folder)
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  expect(lines).toContainEqual({
    ...{ level: "warn", time: expect.any(String), folder, mode: "777" },
    msg: "others can write to the data folder, so they can change accounts and keys; chmod 700",
  });
  expect(lines).toContainEqual({
    ...{ level: "warn", time: expect.any(String), files: [join(folder, "control.db")] },
    msg: "others can read or change files of the data folder; chmod 600",
  });
  await server.kill();
});

const ours = [
  ...["control.db", "control.mark", "pool.db", "pool.db.importing", "search.index"],
  ...["server.lock", "server.pid", "control.db-wal", "ingest.db"],
];

for (const name of ours) {
  test(`${name} as a link out of the folder is refused by server and command; its target stays`, async () => {
    const folder = usedFolder();
    const outside = join(folder, "../outside");
    rmSync(join(folder, name), { force: true });
    writeFileSync(outside, "theirs\n");
    symlinkSync(outside, join(folder, name));
    const refusal = `${join(folder, name)} is a symbolic link`;
    await expect(start(folder)).rejects.toThrow(refusal);
    const command = Bun.spawnSync([...[...program, "account", "list", "--data", folder]]);
    expect([command.exitCode, command.stderr.toString()]).toEqual([
      5,
      expect.stringContaining(refusal),
    ]);
    expect(readFileSync(outside, "utf8")).toBe("theirs\n");
  });
}

test("a pipe or a folder in place of a file is refused, and waited for by nobody", async () => {
  for (const make of [
    (path: string) => Bun.spawnSync(["mkfifo", path]),
    (path: string) => mkdirSync(path),
  ]) {
    const folder = usedFolder();
    rmSync(join(folder, "control.mark"), { force: true });
    make(join(folder, "control.mark"));
    await expect(start(folder)).rejects.toThrow("control.mark is no plain file");
  }
});

test("the first key goes through no link", async () => {
  const folder = join(newFolder(), "data");
  const outside = `${folder}.outside`;
  writeFileSync(outside, "theirs\n");
  // Where `startServer` has the key written to.
  symlinkSync(outside, `${folder}.key`);
  await expect(start(folder)).rejects.toThrow(`the key file ${folder}.key cannot be written`);
  expect(readFileSync(outside, "utf8")).toBe("theirs\n");
});
