/** `backup --verify` finds what would make a restore a disappointment. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packTar } from "modern-tar";
import {
  type BackupManifest,
  backUp,
  unpackArchive,
  type VerifyReport,
  verifyArchive,
} from "../../src/backup/backup.ts";
import { tryFolder } from "../../src/interfaces/cli/commands/operating/backup-command.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { filledFolders, now, openFolder, testVersion } from "./folder.ts";

const newFolder = temporaryFolders();
const copyFilled = filledFolders();
const temporary = tmpdir();
let aside: string;

beforeEach(() => {
  aside = newFolder();
  process.env["TMPDIR"] = aside;
});
afterEach(() => {
  process.env["TMPDIR"] = temporary;
});

/** What a check leaves where temporary files go. */
const listAside = () => readdirSync(aside).filter((name) => name.startsWith(".roster-backup"));

const verify = (file: string) =>
  verifyArchive(file, {
    async tryFolder(data, digests) {
      const folder = await openFolder(data);
      try {
        return await tryFolder(folder, digests);
      } finally {
        await folder.close();
      }
    },
  });

const faultsOf = ({ checks }: VerifyReport) =>
  Object.fromEntries(
    checks
      .filter(({ faults }) => faults.length > 0)
      .map(({ name, faults }) => [name, faults.join()]),
  );

/** Of a copy of the filled folder. @param change what is done to the copy first. */
async function makeArchive(change: (data: string) => void = () => {}) {
  const parent = newFolder();
  const { data } = await copyFilled(parent);
  change(data);
  const file = join(parent, "a.tar.zst");
  await backUp({ data, target: file, version: testVersion, now });
  return { parent, file };
}

async function verifyAfter(change: (data: string) => void) {
  const { file } = await makeArchive(change);
  const report = await verify(file);
  expect(listAside()).toEqual([]);
  return faultsOf(report);
}

function run(path: string, sql: string): void {
  const sqlite = new Database(path);
  sqlite.run(sql);
  sqlite.close();
}

test("nothing is wrong with a good one; it was opened, searched, and its keys tried", async () => {
  const { file } = await makeArchive();
  const report = await verify(file);
  expect(faultsOf(report)).toEqual({});
  const names = ["checksums", "structure", "counts", "opened", "content"];
  expect(report.checks.map(({ name }) => name)).toEqual(names);
  expect(report.checks[3]?.found).toMatch(/finds [1-9]\d*, of which [1-9]\d* were read; 3 keys/);
  expect(listAside()).toEqual([]);
});

test("one that is interrupted in the middle of a check says so, and leaves nothing", async () => {
  const { file } = await makeArchive();
  const stop = new AbortController();
  const stopped = verifyArchive(file, {
    signal: stop.signal,
    async tryFolder() {
      stop.abort();
      return { done: [], faults: [] };
    },
  });
  expect(await stopped.catch((error) => error)).toMatchObject({ code: "interrupted" });
  expect(listAside()).toEqual([]);
});

test("a row that was damaged before the backup", async () => {
  const faults = await verifyAfter((data) =>
    run(join(data, "pool.db"), "UPDATE dossier SET analysis = facts WHERE row_id = 2"),
  );
  expect(faults["content"]).toContain("pool.db: 1 of");
});

test("a changed entry of the audit log", async () => {
  const faults = await verifyAfter((data) => {
    const control = join(data, "control.db");
    run(control, "DROP TRIGGER audit_no_update");
    run(control, "UPDATE audit SET actor = 'nobody' WHERE sequence = 2");
  });
  expect(faults["content"]).toContain("chain is broken at entry 2");
});

test("a key that refers to no account", async () => {
  const faults = await verifyAfter((data) =>
    run(join(data, "control.db"), "UPDATE api_key SET account_id = 'acc_gone' WHERE rowid = 2"),
  );
  expect(faults["structure"]).toContain("api_key");
});

test("other counts than the manifest lists", async () => {
  const { file, parent } = await makeArchive();
  const folder = join(parent, "unpacked");
  mkdirSync(folder);
  const manifest = await unpackArchive(file, folder);
  const claimed: BackupManifest = {
    ...manifest,
    counts: { ...manifest.counts, people: 99, activeKeys: 4 },
  };
  const bodies = [
    ["manifest.json", Buffer.from(JSON.stringify(claimed))],
    ...manifest.members.map(({ name }) => [name, readFileSync(join(folder, name))] as const),
  ] as const;
  const tar = await packTar(
    bodies.map(([name, body]) => ({
      header: { name, size: body.length },
      body: new Uint8Array(body),
    })),
  );
  writeFileSync(file, Bun.zstdCompressSync(tar));
  const { counts } = faultsOf(await verify(file));
  expect(counts).toContain("where the manifest lists 99");
  expect(counts).toContain("activeKeys is 3, where the manifest lists 4");
});

test("one that is not whole is refused, and nothing stays behind", async () => {
  const { file } = await makeArchive();
  writeFileSync(file, readFileSync(file).subarray(0, -10));
  await expect(verify(file)).rejects.toMatchObject({ code: "damaged_backup" });
  expect(await verify(file).catch(() => listAside())).toEqual([]);
});
