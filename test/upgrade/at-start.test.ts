/** What this Roster does with a folder of an older or a newer version. */
import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unpackArchive } from "../../src/backup/backup.ts";
import {
  endServersAfterEach,
  freePort,
  program,
  smallFiles,
  startServer,
} from "../faults/server-process.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import {
  beforeSignIn,
  firstRelease,
  listBackups,
  newestForms,
  readForms,
  unpackFolder,
} from "./filled-folders.ts";

const newFolder = temporaryFolders();
endServersAfterEach();
const holders: Bun.Subprocess[] = [];
afterEach(async () => {
  for (const holder of holders) holder.kill("SIGKILL");
  await Promise.all(holders.splice(0).map(({ exited }) => exited));
});

function fillFolder(archive: string) {
  const folder = newFolder();
  const known = unpackFolder(archive, folder);
  const data = join(folder, "data");
  return { known, data, forms: readForms(data) };
}

function run(data: string, argv: readonly string[], under: readonly string[] = []) {
  const command = [...under, ...program, ...argv, "--data", data];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env: { ...process.env } });
  return { exitCode, out: stdout.toString(), err: stderr.toString() };
}

/** Every byte of a folder, so that anything written shows. */
function photograph(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const stats = statSync(path);
      const bytes = stats.isFile() ? readFileSync(path) : "";
      const digest = createHash("sha256").update(bytes).digest("hex");
      return `${name} ${stats.mtimeMs} ${stats.mode} ${digest}`;
    });
}

describe("a folder of an older form", () => {
  test("is backed up as it was, then every file of it is migrated, by whatever opens it first", async () => {
    const { data, forms } = fillFolder(beforeSignIn);
    const newest = newestForms(data);
    const { exitCode, err } = run(data, ["account", "list"]);
    expect(exitCode).toBe(0);
    expect(readForms(data)).toEqual(newest);
    const [backup = "", ...more] = listBackups(data);
    expect([backup, more]).toEqual([expect.stringMatching(/^before-upgrade-2.+Z\.tar\.zst$/), []]);
    expect(err).toContain(join(data, "backups", backup));
    for (const [file, form] of Object.entries(forms)) {
      if (form === newest[file]) continue;
      expect(err).toContain(`${file} was upgraded from form ${form} to ${newest[file]}`);
    }
    const before = newFolder();
    await unpackArchive(join(data, "backups", backup), before);
    expect(readForms(before)).toEqual(forms);
    // Once: later commands make no backup.
    expect(run(data, ["account", "list"]).err).toBe("");
    expect(listBackups(data)).toEqual([backup]);
  });

  test("is left alone by a command while a server of the older Roster runs", async () => {
    const { data, forms } = fillFolder(firstRelease);
    const program = join(import.meta.dir, "../sqlite/lock-holder.ts");
    const server = Bun.spawn([process.execPath, program, data], { stdout: "pipe" });
    holders.push(server);
    await server.stdout.getReader().read();
    const { exitCode, err } = run(data, ["account", "list"]);
    expect(exitCode).toBe(5);
    expect(err).toBe(
      `roster: ${data} is served by another Roster (process ${server.pid}). Its files have an older form, and cannot be upgraded while a server runs. Stop it, or choose another folder with --data.\n`,
    );
    expect([readForms(data), listBackups(data)]).toEqual([forms, []]);
  });

  test.skipIf(process.platform === "win32")("stays as it is when the disk takes no backup", () => {
    const { data, forms } = fillFolder(beforeSignIn);
    const { exitCode, err } = run(data, ["serve", "--port", "0"], smallFiles(64));
    expect(exitCode).toBe(5);
    const said = err
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).msg as string);
    expect(said).toEqual([
      "Backing the folder up before its upgrade ...",
      expect.stringContaining("cannot be backed up before their upgrade"),
    ]);
    expect([readForms(data), listBackups(data)]).toEqual([forms, []]);
  });

  test("keeps the backups of its last three upgrades", () => {
    const { data } = fillFolder(firstRelease);
    mkdirSync(join(data, "backups"));
    const names = [1, 2, 3, 4].map((day) => `before-upgrade-2020-01-0${day}T00-00-00-000Z.tar.zst`);
    for (const name of [...names, "my-own.tar.zst"]) {
      writeFileSync(join(data, "backups", name), name);
    }
    expect(run(data, ["account", "list"]).exitCode).toBe(0);
    const kept = listBackups(data);
    expect(kept.slice(0, 2)).toEqual(names.slice(2));
    expect(kept).toHaveLength(4);
    expect(kept[3]).toBe("my-own.tar.zst");
  });
});

test("an empty folder, and one of this form, is opened without a backup", async () => {
  const data = join(newFolder(), "data");
  mkdirSync(data);
  for (const _ of ["empty", "of this form"]) {
    await (await startServer(data, await freePort())).kill();
    expect(run(data, ["account", "list"]).exitCode).toBe(0);
    expect(listBackups(data)).toEqual([]);
  }
});

test("a folder that was upgraded goes back to what its backup holds, when the operator says so", async () => {
  const { data, known } = fillFolder(beforeSignIn);
  run(data, ["account", "list"]);
  const [name = ""] = listBackups(data);
  const backup = join(data, "backups", name);
  const verified = run(data, ["backup", "--verify", backup]);
  expect([verified.exitCode, verified.err.includes("backed up")]).toEqual([0, false]);
  const sqlite = new Database(join(data, "control.db"));
  sqlite.run("PRAGMA user_version = 99");
  sqlite.close();
  expect(run(data, ["restore", backup]).exitCode).toBe(5);
  expect(run(data, ["restore", backup, "--as-archived"]).exitCode).toBe(0);
  expect(run(data, ["account", "list"]).out).toContain(known.email);
});

describe("a folder of a newer form is refused, and nothing in it changes:", () => {
  const commands = [
    ["serve", "--port", "0"],
    ["account", "list"],
    ["key", "regenerate", "person@example.com"],
    ["search", "Berlin"],
    ["export", "-"],
    ["import", "-"],
    ["ingest", "git", "."],
    ["forget", "somebody"],
    ["identity", "list"],
    ["rescore"],
  ];
  for (const [index, file] of ["control.db", "pool.db", "ingest.db"].entries()) {
    test(`${file}`, () => {
      const { data } = fillFolder(beforeSignIn);
      run(data, ["account", "list"]);
      const sqlite = new Database(join(data, file));
      const newest = newestForms(data)[file] ?? 0;
      sqlite.run(`PRAGMA user_version = ${newest + 1}`);
      sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
      sqlite.close();
      const before = photograph(data);
      const [backup = ""] = listBackups(data);
      for (const argv of index === 0 ? commands : commands.slice(0, 2)) {
        const { exitCode, out, err } = run(data, argv);
        expect([argv, exitCode, out]).toEqual([argv, 5, ""]);
        // The log of a server is JSON, and commands that answer name their source first.
        const said =
          argv[0] === "serve"
            ? `roster: ${JSON.parse(err).msg}\n`
            : err.replace(/^Source: .*\n/, "");
        expect(said).toBe(
          `roster: ${join(data, file)} has form ${newest + 1}, and this Roster knows forms up to ${newest}: a newer Roster has written it. Nothing was changed. Its earlier state is in ${join(data, "backups", backup)}. Use the newer Roster, or go back to a backup that this one can read: \`roster restore FILE --as-archived\`. If no newer Roster ever ran here, the file is damaged: \`roster doctor\` says what helps.\n`,
        );
        expect(photograph(data)).toEqual(before);
      }
    });
  }
});
