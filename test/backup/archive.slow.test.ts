/** An archive is whole, holds what the folder held and no more, and one that is damaged or foreign is refused in words. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { packTar } from "modern-tar";
import { backUp, openArchive, unpackArchive } from "../../src/backup/backup.ts";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { listOpenFiles } from "../../src/sqlite/folder/open-files.ts";
import { person } from "../pool/person.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { filledFolders, fillFolder, now, testVersion } from "./folder.ts";

const newFolder = temporaryFolders();
const copyFilled = filledFolders();

const make = (data: string, target: string, more: { replacesAny?: boolean } = {}) =>
  backUp({ data, target, version: testVersion, now, ...more });

/** Of a promise that must be rejected. */
async function faultOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  const thrown = await work.then(
    () => undefined,
    (error) => error,
  );
  return { code: thrown?.code, message: thrown?.message };
}

async function makeArchive() {
  const parent = newFolder();
  const folder = await copyFilled(parent);
  writeFileSync(join(folder.data, "roster.toml"), 'logLevel = "warn"\n');
  const file = join(parent, "a.tar.zst");
  return { parent, file, ...folder, receipt: await make(folder.data, file) };
}

const unzip = (file: string) => Bun.zstdDecompressSync(readFileSync(file));

/** Writes an archive of the given members, as somebody could who knows the form. */
async function writeForged(
  file: string,
  members: readonly { name: string; text: string; type?: "symlink" | "file"; linkname?: string }[],
): Promise<void> {
  const tar = await packTar(
    members.map(({ name, text, type = "file", ...more }) => ({
      header: { name, size: type === "file" ? text.length : 0, type, ...more },
      ...(type === "file" ? { body: text } : {}),
    })),
  );
  writeFileSync(file, Bun.zstdCompressSync(tar));
}

const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

const manifestOf = (members: readonly { name: string; text: string }[], more: object = {}) =>
  JSON.stringify({
    ...{ form: "urn:roster:backup:1", version: "9.9.9", madeAt: "2026-11-22T10:11:12.000Z" },
    ...{ instance: "x", counts: {} },
    members: members.map(({ name, text }) => ({
      name,
      bytes: text.length,
      sha256: sha256(text),
      form: 1,
    })),
    ...more,
  });

describe("a backup", () => {
  test("has no login of an erased person, though the list of changes has it", async () => {
    const parent = newFolder();
    const { data } = await copyFilled(parent);
    const pool = openSqlitePool(join(data, "pool.db"), { now });
    const load = await pool.beginImport("test");
    await load.put([person({ login: "someone-forgetful" })]);
    await load.commit();
    await pool.erasing.hide("someone-forgetful");
    await pool.erasing.clean();
    await pool.close();
    const names = (text: Buffer) => text.includes("someone-forgetful");
    expect(names(readFileSync(join(data, "pool.db")))).toBe(true);
    const file = join(parent, "erased.tar.zst");
    await make(data, file);
    expect(names(Buffer.from(unzip(file)))).toBe(false);
  });

  test("is a tar of zstd that other programs read, with the manifest first, and only its owner's", async () => {
    const { file, receipt, parent } = await makeArchive();
    const names = ["manifest.json", "control.db", "pool.db", "roster.toml"];
    const tar = join(parent, "a.tar");
    writeFileSync(tar, unzip(file));
    const listed = Bun.spawnSync(["tar", "-tf", tar]);
    expect(listed.stdout.toString().trim().split("\n")).toEqual(names);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(receipt.bytes).toBe(statSync(file).size);
    expect(receipt.manifest.counts).toMatchObject({ accounts: 4, activeKeys: 3, suppressed: 0 });
    expect(receipt.manifest.counts.people).toBeGreaterThan(0);
    expect(await openArchive(file)).toEqual(receipt.manifest);
    expect(readdirSync(parent).sort()).toEqual(["a.tar", "a.tar.zst", "data"]);
  });

  test("of which only the manifest was read is not kept open", async () => {
    const { file } = await makeArchive();
    await openArchive(file);
    expect([...(listOpenFiles("self")?.values() ?? [])]).not.toContain(file);
  });

  test("unpacks to databases that hold the same rows", async () => {
    const { file, data, parent } = await makeArchive();
    const folder = join(parent, "unpacked");
    mkdirSync(folder);
    await unpackArchive(file, folder);
    for (const [name, table] of [
      ["control.db", "account"],
      ["control.db", "audit"],
      ["pool.db", "card"],
      ["pool.db", "file_state"],
    ] as const) {
      const rows = [data, folder].map((from) => {
        const sqlite = new Database(join(from, name), { readonly: true });
        const found = sqlite.query(`SELECT * FROM ${table}`).all();
        sqlite.close();
        return found;
      });
      expect(rows[1]).toEqual(rows[0]);
    }
    expect(readFileSync(join(folder, "roster.toml"), "utf8")).toBe('logLevel = "warn"\n');
  });

  test("writes nothing into the folder that nobody uses, nor needs to", async () => {
    const { file, data, parent } = await makeArchive();
    const resting = join(parent, "resting");
    mkdirSync(resting);
    const names = ["control.db", "pool.db"];
    // Only what a closed folder has; a process that has just closed one may not have removed its -shm yet.
    for (const name of names) Bun.spawnSync(["cp", join(data, name), resting]);
    const read = () => names.map((name) => readFileSync(join(resting, name)).toString("base64"));
    const before = read();
    await make(resting, file);
    expect(readdirSync(resting).sort()).toEqual(names);
    expect(read()).toEqual(before);
  });

  test("has what is only in the log of a database that was not closed", async () => {
    const { file, data, parent } = await makeArchive();
    const crashed = join(parent, "crashed");
    const live = new Database(join(data, "control.db"));
    live.run("PRAGMA wal_autocheckpoint = 0");
    live.run("UPDATE account SET plan = 'free' WHERE plan = 'pro'");
    // As a crash leaves it: the log is there, what says how far it goes is not.
    mkdirSync(crashed);
    for (const name of ["control.db", "control.db-wal", "pool.db"]) {
      copyFileSync(join(data, name), join(crashed, name));
    }
    live.close();
    await make(crashed, file);
    const folder = join(parent, "unpacked");
    mkdirSync(folder);
    await unpackArchive(file, folder);
    const sqlite = new Database(join(folder, "control.db"), { readonly: true });
    const left = sqlite.query("SELECT count(*) AS n FROM account WHERE plan = 'pro'").get();
    sqlite.close();
    expect(left).toEqual({ n: 0 });
  });

  test("has no key in clear in any byte", async () => {
    const { file, key } = await makeArchive();
    const bytes = Buffer.from(unzip(file));
    expect(bytes.includes(key)).toBe(false);
    expect(bytes.includes(key.slice(8, -8))).toBe(false);
    expect(bytes.includes(new Bun.CryptoHasher("sha256").update(key).digest())).toBe(true);
  });

  test("takes the place of an older one of the same instance, of nothing else", async () => {
    const { file, data, parent } = await makeArchive();
    await make(data, file);
    const other = await fillFolder(newFolder());
    writeFileSync(join(parent, "notes"), "not a backup");
    for (const [from, target] of [
      [other.data, file],
      [data, join(parent, "notes")],
    ] as const) {
      const before = readFileSync(target);
      const fault = await faultOf(make(from, target));
      expect(fault.code).toBe("file_exists");
      expect(fault.message).toContain(target);
      expect(readFileSync(target).equals(before)).toBe(true);
    }
    await make(other.data, file, { replacesAny: true });
    expect((await openArchive(file)).instance).not.toBe(
      (await openArchive(await again(data))).instance,
    );
    async function again(from: string) {
      await make(from, join(parent, "b.tar.zst"));
      return join(parent, "b.tar.zst");
    }
  });

  test("needs a folder that has its databases, themselves and not links", async () => {
    const parent = newFolder();
    expect(await faultOf(make(parent, join(parent, "a")))).toMatchObject({ code: "no_data" });
    const { data } = await copyFilled(parent);
    Bun.spawnSync(["mv", join(data, "pool.db"), join(parent, "elsewhere.db")]);
    const gone = await faultOf(make(data, join(parent, "a")));
    expect(gone).toMatchObject({ code: "store" });
    expect(gone.message).toContain("pool.db");
    symlinkSync(join(parent, "elsewhere.db"), join(data, "pool.db"));
    expect(await faultOf(make(data, join(parent, "a")))).toMatchObject({ code: "store" });
    expect(readdirSync(parent).sort()).toEqual(["data", "elsewhere.db"]);
  });

  test("of a damaged database is none", async () => {
    const parent = newFolder();
    const { data } = await copyFilled(parent);
    const pool = join(data, "pool.db");
    truncateSync(pool, Math.floor(statSync(pool).size / 2 / 4096) * 4096);
    const fault = await faultOf(make(data, join(parent, "a")));
    expect(fault.code).toBe("damaged");
    expect(fault.message).toContain(pool);
    expect(readdirSync(parent)).toEqual(["data"]);
  });

  test("names the folder that is missing, and a folder in place of a file", async () => {
    const parent = newFolder();
    const { data } = await copyFilled(parent);
    const missing = await faultOf(make(data, join(parent, "nowhere", "a")));
    expect(missing).toEqual({
      code: "not_found",
      message: `${join(parent, "nowhere")} does not exist.`,
    });
    expect((await faultOf(make(data, parent))).message).toBe(`${parent} is a folder, not a file.`);
  });
});

describe("an archive that cannot be trusted", () => {
  async function refusalOf(file: string): Promise<{ code: string; message: string }> {
    const folder = newFolder();
    const fault = await faultOf(unpackArchive(file, folder));
    expect(readdirSync(folder)).toEqual([]);
    expect(fault.message).toContain(file);
    expect(fault.message).not.toContain("    at ");
    return fault;
  }

  test("is refused at any length it is cut to", async () => {
    const { file, receipt, parent } = await makeArchive();
    const bytes = readFileSync(file);
    const cut = join(parent, "cut");
    for (const share of [0, 0.0001, 0.01, 0.3, 0.7, 0.999]) {
      writeFileSync(cut, bytes.subarray(0, Math.floor(receipt.bytes * share)));
      expect(await refusalOf(cut)).toMatchObject({ code: "damaged_backup" });
    }
    writeFileSync(cut, bytes.subarray(0, -1));
    expect((await refusalOf(cut)).message).toContain("cut short");
  });

  test("is refused for a flipped bit anywhere", async () => {
    const { file, receipt, parent } = await makeArchive();
    const bytes = readFileSync(file);
    const flipped = join(parent, "flipped");
    for (let at = 1; at < receipt.bytes; at += Math.ceil(receipt.bytes / 40)) {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] as number) ^ 0x10;
      writeFileSync(flipped, copy);
      const folder = newFolder();
      const fault = await faultOf(unpackArchive(flipped, folder));
      // A bit of the tar's own padding or dates changes nothing that is unpacked.
      if (fault.code === undefined) continue;
      expect(["damaged_backup", "newer_backup"]).toContain(fault.code);
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  test("is refused when it is something else, or missing", async () => {
    const parent = newFolder();
    const file = join(parent, "x");
    for (const bytes of ["", "hello, world", Bun.zstdCompressSync("x".repeat(2000))]) {
      writeFileSync(file, bytes);
      expect(await refusalOf(file)).toMatchObject({ code: "damaged_backup" });
    }
    await writeForged(file, [{ name: "holiday.jpg", text: "..." }]);
    expect((await refusalOf(file)).message).toBe(`${file} is not a Roster backup.`);
    expect(await refusalOf(join(parent, "none"))).toMatchObject({ code: "not_found" });
  });

  const control = { name: "control.db", text: "c" };
  const pool = { name: "pool.db", text: "p" };

  test("is refused for members that its manifest does not list, or lists otherwise", async () => {
    const file = join(newFolder(), "forged");
    const manifest = { name: "manifest.json", text: manifestOf([control, pool]) };
    const forgeries: Record<string, Parameters<typeof writeForged>[1]> = {
      "it contains ../evil": [manifest, { name: "../evil", text: "c" }, pool],
      "it contains /etc/evil": [manifest, { name: "/etc/evil", text: "c" }, pool],
      "it contains control.db (symlink)": [
        manifest,
        { name: "control.db", text: "", type: "symlink", linkname: "/etc/passwd" },
        pool,
      ],
      "control.db has 2 bytes in place of 1": [manifest, { name: "control.db", text: "cc" }, pool],
      "the checksum of control.db is wrong": [manifest, { name: "control.db", text: "x" }, pool],
      "it ends before pool.db": [manifest, control],
      "it contains more than": [manifest, control, pool, { name: "extra", text: "e" }],
      "lists the wrong files: pool.db": [{ name: "manifest.json", text: manifestOf([pool]) }, pool],
      "members[0].name": [
        { name: "manifest.json", text: manifestOf([{ name: "../x", text: "c" }, pool]) },
        pool,
      ],
    };
    for (const [says, members] of Object.entries(forgeries)) {
      await writeForged(file, members);
      const fault = await refusalOf(file);
      expect(fault).toMatchObject({ code: "damaged_backup" });
      expect(fault.message).toContain(says);
    }
  });

  test("is refused as newer, by its own form or that of a database", async () => {
    const file = join(newFolder(), "newer");
    const members = [control, pool];
    const newerForm = manifestOf(members, { form: "urn:roster:backup:3", anything: "else" });
    const newerFile = manifestOf(members, {
      members: members.map(({ name, text }) => ({
        name,
        bytes: 1,
        sha256: sha256(text),
        form: 99,
      })),
    });
    for (const text of [newerForm, newerFile]) {
      await writeForged(file, [{ name: "manifest.json", text }, ...members]);
      const fault = await refusalOf(file);
      expect(fault.code).toBe("newer_backup");
      expect(fault.message).toContain("Roster 9.9.9");
    }
  });

  test("never takes the place of a file", async () => {
    const { file } = await makeArchive();
    const folder = newFolder();
    writeFileSync(join(folder, "pool.db"), "mine");
    expect(await faultOf(unpackArchive(file, folder))).toMatchObject({ code: "system" });
    expect(readdirSync(folder)).toEqual(["pool.db"]);
    expect(readFileSync(join(folder, "pool.db"), "utf8")).toBe("mine");
  });
});
