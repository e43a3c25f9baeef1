/** Restores on real folders: what the folder knows better than the backup counts, and a crash leaves one of the two. */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { openDataFolder } from "../../src/appliance/appliance.ts";
import { backUp } from "../../src/backup/backup.ts";
import { type RestoreReceipt, restoreFolder } from "../../src/restore/restore.ts";
import { openTestAppliance, type TestAppliance, testConfig } from "../appliance.ts";
import { inventedPeople, testNow } from "../invented-people.ts";
import { isLong } from "../long.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { makeFolder } from "../temporary-folder.ts";
import type { FilledFolder } from "./fill-folder.ts";

const newFolder = temporaryFolders();
const open: TestAppliance[] = [];
const stop = async () => {
  for (const one of open.splice(0)) await one.close();
};
afterEach(stop);
const now = () => new Date(testNow);

async function start(folder: string, people: typeof inventedPeople = []): Promise<TestAppliance> {
  const roster = await openTestAppliance({ folder, people });
  open.push(roster);
  return roster;
}

/** As a command opens it. */
function openFolder(data: string) {
  const around = { now, log: pino({ level: "silent" }), newId: () => "t", version: "0.0.0-test" };
  return openDataFolder(testConfig({ data }), around, { create: false, search: true });
}

const archiveOf = (folder: string) => `${folder}.tar.zst`;

async function makeArchive(folder: string): Promise<void> {
  await backUp({ data: folder, target: archiveOf(folder), version: "0.0.0-test", now });
}

function restore(folder: string, file: string, asArchived = false): Promise<RestoreReceipt> {
  const openRestored = async (data: string) => {
    const restored = await openFolder(data);
    try {
      return await restored.modules.pool.size();
    } finally {
      await restored.close();
    }
  };
  return restoreFolder({ data: folder, file, asArchived, now, openRestored });
}

/** Calls that the backup does not know. */
const calls = isLong ? 1000 : 50;
const first = join(makeFolder("restore"), "data");
let filled: FilledFolder;
beforeAll(() => {
  filled = fillFolder(first, calls);
}, 300_000);

/** See `fill-folder.ts`. */
function fillFolder(folder: string, calls: number): FilledFolder {
  const script = join(import.meta.dir, "fill-folder.ts");
  const argv = [process.execPath, script, folder, String(calls)];
  const { stdout, exitCode } = Bun.spawnSync(argv, { stderr: "inherit" });
  if (exitCode !== 0) throw new Error("the folder was not filled");
  return JSON.parse(stdout.toString()) as FilledFolder;
}

/** A copy of the folder that was filled first, and of its archive. */
function fill(): FilledFolder {
  const folder = join(newFolder(), "data");
  cpSync(first, folder, { recursive: true });
  copyFileSync(archiveOf(first), archiveOf(folder));
  return { ...filled, folder, archive: archiveOf(folder) };
}

const traces = (folder: string, login: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return traces(path, login);
    return readFileSync(path, "latin1").toLowerCase().includes(login) ? [path] : [];
  });

/** For 30 days, the list of changes names whoever was erased. */
const listed = (folder: string) => [join(folder, "pool.db")];

describe("a restore over a folder whose control file is whole", () => {
  test(`keeps ${calls} calls, the newer key and an erasure that the backup does not know`, async () => {
    const { folder, archive, account, newKey, later, used, login } = fill();
    const receipt = await restore(folder, archive);
    expect(receipt).toMatchObject({
      control: { from: "folder" },
      erasuresRepeated: 1,
      people: inventedPeople.length - 1,
      warnings: [],
    });
    expect(traces(folder, login)).toEqual(listed(folder));
    const roster = await start(folder);
    expect((await roster.client.get("nobody", account.key)).status).toBe(401);
    const answer = await roster.client.get("nobody", newKey);
    expect([answer.status, answer.body.meta.quota.used]).toEqual([404, used + 1]);
    expect((await roster.client.get("nobody", later.key)).status).toBe(404);
    expect((await roster.client.get(login, newKey)).status).toBe(404);
    const found = await roster.client.search({ location: "Worldwide", maxResults: 100 }, newKey);
    expect(JSON.stringify(found.body)).not.toContain(login);
    const ready = await roster.handle(new Request("http://localhost/readyz"));
    expect(ready.status).toBe(200);
    const audit = JSON.stringify((await openControl(folder)).map(({ action }) => action));
    expect(audit).toContain("folder.restored");
  }, 300_000);

  test("keeps the files of before until somebody is forgotten, who is then in none", async () => {
    const { folder, archive } = fill();
    const { keptIn = "" } = await restore(folder, archive);
    const login = inventedPeople[1]?.login.toLowerCase() ?? "";
    expect(traces(keptIn, login)).not.toEqual([]);
    const opened = await openFolder(folder);
    try {
      expect(await opened.erasure.forget(login, {})).toMatchObject({ ok: true });
    } finally {
      await opened.close();
    }
    expect(existsSync(keptIn)).toBe(false);
    expect(traces(folder, login)).toEqual(listed(folder));
  });

  test("brings a lost pool back", async () => {
    const { folder, archive, newKey, login } = fill();
    rmSync(join(folder, "pool.db"));
    const receipt = await restore(folder, archive);
    expect(receipt.people).toBe(inventedPeople.length - 1);
    const roster = await start(folder);
    expect((await roster.client.get(inventedPeople[1]?.login ?? "", newKey)).status).toBe(200);
    expect((await roster.client.get(login, newKey)).status).toBe(404);
  });

  test("takes the backup's word for all of it when told to, and says what that means", async () => {
    const { folder, archive, account, newKey, login } = fill();
    const receipt = await restore(folder, archive, true);
    expect(receipt.control.from).toBe("archive");
    expect(receipt.warnings.join()).toContain("people erased since then are back");
    const roster = await start(folder);
    expect((await roster.client.get("nobody", newKey)).status).toBe(401);
    expect((await roster.client.get(login, account.key)).status).toBe(200);
  });

  test("takes what the backup has more when the folder is an older copy", async () => {
    const folder = join(newFolder(), "data");
    const roster = await start(folder, inventedPeople);
    const account = await roster.newAccount("pro");
    await stop();
    mkdirSync(`${folder}.older`);
    for (const name of ["control.db", "control.mark"]) {
      copyFileSync(join(folder, name), join(`${folder}.older`, name));
    }
    const newer = await start(folder);
    const newKey = await newer.modules.accounts.regenerateKey(account.email);
    await newer.client.get("nobody", newKey);
    await makeArchive(folder);
    await stop();
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    for (const name of ["control.db", "control.mark"]) {
      copyFileSync(join(`${folder}.older`, name), join(folder, name));
    }
    const receipt = await restore(folder, archiveOf(folder));
    expect(receipt.control.from).toBe("archive");
    const again = await start(folder);
    expect((await again.client.get("nobody", account.key)).status).toBe(401);
    const answer = await again.client.get("nobody", newKey);
    expect([answer.status, answer.body.meta.quota.used]).toEqual([404, 2]);
  });

  test("keeps the folder's lists, or takes whoever was erased off those of the backup", async () => {
    const kept = async (folder: string) => {
      const { control, close } = await openFolder(folder);
      const accounts = await control.listAccounts();
      const lists = await Promise.all(accounts.map(({ id }) => control.saved.lists(id)));
      const logins = await control.saved.storedLogins();
      await close();
      // Accounts come by their ids, which are drawn.
      return {
        names: lists
          .flat()
          .map(({ name }) => name)
          .sort(),
        logins,
      };
    };
    const whole = fill();
    await restore(whole.folder, whole.archive);
    expect(await kept(whole.folder)).toEqual({
      names: ["first", "second"],
      logins: ["Ben-Sample", "chloe-specimen"],
    });
    // Only the pool in place knows of the erasure, and the list of the archive has the person.
    const { folder, archive, login } = fill();
    for (const name of ["control.db", "control.mark"]) rmSync(join(folder, name));
    await restore(folder, archive);
    expect(await kept(folder)).toEqual({ names: ["first"], logins: ["Ben-Sample"] });
    expect(traces(folder, login)).toEqual(listed(folder));
  }, 300_000);

  test("is refused for a folder of another instance, which stays as it was", async () => {
    const { archive } = fill();
    const { folder: other } = fillFolder(join(newFolder(), "data"), 0);
    const before = readFileSync(join(other, "pool.db"));
    await expect(restore(other, archive)).rejects.toThrow("different instances");
    expect(readdirSync(other).filter((name) => name.startsWith("restoring"))).toEqual([]);
    expect(readFileSync(join(other, "pool.db")).equals(before)).toBe(true);
    const receipt = await restore(other, archive, true);
    expect(receipt.people).toBe(inventedPeople.length);
  });
});

describe("a restore", () => {
  test("fills a folder that was not there, with keys that work and counts that stand", async () => {
    const { archive, account, used, login } = fill();
    const fresh = join(newFolder(), "data");
    const receipt = await restore(fresh, archive);
    expect(receipt).toMatchObject({ control: { from: "archive" }, people: inventedPeople.length });
    expect(receipt.keptIn).toBeUndefined();
    const roster = await start(fresh);
    const answer = await roster.client.get(login, account.key);
    expect([answer.status, answer.body.meta.quota.used]).toEqual([200, used - calls + 1]);
  });

  test("keeps the old files, and says when the old control file could not be read", async () => {
    const { folder, archive, login } = fill();
    writeFileSync(join(folder, "control.db"), "no database");
    const receipt = await restore(folder, archive);
    expect(receipt.warnings.join()).toContain("keys replaced since then work again");
    // The pool in place still knew who was erased.
    expect(receipt.erasuresRepeated).toBe(1);
    expect(readFileSync(join(receipt.keptIn ?? "", "control.db"), "utf8")).toBe("no database");
    const roster = await start(folder);
    expect((await roster.client.get(login)).status).toBe(404);
  });

  test("erases again whom an erasure of the backup gained since", async () => {
    const folder = join(newFolder(), "data");
    await start(folder, inventedPeople);
    await stop();
    const [one, other] = inventedPeople.filter(({ emails }) => emails.length > 0);
    const login = other?.login ?? "";
    const first = await openFolder(folder);
    await first.erasure.forget(one?.login ?? "", {});
    await first.close();
    await makeArchive(folder);
    const roster = await openFolder(folder);
    const told = [`login:${one?.login}`, `email:${other?.emails[0]?.address}`] as const;
    expect(await roster.modules.pool.erasing.extend([told])).toMatchObject({ isLonger: true });
    await roster.close();
    const receipt = await restore(folder, archiveOf(folder));
    expect(receipt).toMatchObject({ erasuresRepeated: 1, people: inventedPeople.length - 2 });
    expect((await (await start(folder)).client.get(login)).status).toBe(404);
  });

  test("is refused while a server or a command uses the folder", async () => {
    const folder = join(newFolder(), "data");
    await start(folder, inventedPeople);
    await makeArchive(folder);
    await expect(restore(folder, archiveOf(folder))).rejects.toThrow("served by another Roster");
  });

  test("of a damaged archive leaves the folder as it was", async () => {
    const { folder, archive } = fill();
    const bytes = readFileSync(archive);
    writeFileSync(archive, bytes.subarray(0, bytes.length - 100));
    const names = readdirSync(folder).sort();
    await expect(restore(folder, archive)).rejects.toThrow("is damaged");
    expect(readdirSync(folder).sort()).toEqual(names);
    expect(existsSync(join(folder, "restoring"))).toBe(false);
  });
});

async function openControl(folder: string) {
  const beside = await openFolder(folder);
  try {
    return await beside.control.auditEntries(100);
  } finally {
    await beside.close();
  }
}
