/** Archives that are encrypted for age keys: who can open them, who cannot, and what is refused. */
import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import {
  Decrypter,
  generateHybridIdentity,
  generateIdentity,
  identityToRecipient,
} from "age-encryption";
import { backUp, encryptFile, openArchive, unpackArchive } from "../../src/backup/backup.ts";
import { listOpenFiles } from "../../src/sqlite/folder/open-files.ts";
import { rounds } from "../long.ts";
import { createRandom, drawSeed } from "../random.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { makeFolder } from "../temporary-folder.ts";
import { filledFolders, now, testVersion } from "./folder.ts";

const newFolder = temporaryFolders();
const copyFilled = filledFolders();
const parent = makeFolder("encrypted");
const random = createRandom(drawSeed("encrypted archives"));

async function newKey(make = generateIdentity) {
  const identity = await make();
  return { identity, recipient: await identityToRecipient(identity) };
}
type Key = Awaited<ReturnType<typeof newKey>>;

/** As `age-keygen` writes it. */
function writeKeys(file: string, keys: readonly Key[]): string {
  const texts = keys.map((key) => `# public key: ${key.recipient}\n${key.identity}\n`);
  writeFileSync(file, `# created: 2026-11-22T10:11:12Z\n\n${texts.join("")}`);
  return file;
}

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
const members = ["control.db", "pool.db"];

let data: string;
let keys: readonly [Key, Key];
let archive: string;

beforeAll(async () => {
  ({ data } = await copyFilled(parent));
  keys = [await newKey(), await newKey(generateHybridIdentity)];
  archive = join(parent, "a.tar.zst.age");
  const recipients = keys.map(({ recipient }) => recipient);
  const receipt = await backUp({ data, target: archive, version: testVersion, now, recipients });
  const bytes = readFileSync(archive);
  expect(receipt).toMatchObject({ bytes: bytes.length, sha256: sha256(bytes) });
});

/** @returns why it was not unpacked, or undefined. Whatever was unpacked is compared or must be gone. */
async function refusalOf(file: string, keyFile?: string) {
  const folder = newFolder();
  const fault = await unpackArchive(file, folder, { identity: keyFile }).then(
    () => undefined,
    (error) => error,
  );
  expect(readdirSync(folder).sort()).toEqual(fault ? [] : members);
  return fault && { code: fault.code as string, message: fault.message as string };
}

describe("an encrypted archive", () => {
  test("shows nothing of what it holds, and is its owner's only", () => {
    const bytes = readFileSync(archive);
    expect(bytes.toString("latin1", 0, 21)).toBe("age-encryption.org/v1");
    for (const word of ["manifest.json", "control.db"]) expect(bytes.includes(word)).toBe(false);
    expect(statSync(archive).mode & 0o777).toBe(0o600);
  });

  test("is unpacked with a file of keys of which one fits, of either kind", async () => {
    const other = await newKey();
    for (const key of keys) {
      const keyFile = writeKeys(join(newFolder(), "keys.txt"), [other, key]);
      expect(await refusalOf(archive, keyFile)).toBeUndefined();
    }
  });

  test("is refused without a key, with another key, and with a file of something else", async () => {
    const folder = newFolder();
    expect(await refusalOf(archive)).toEqual({
      code: "encrypted_backup",
      message: `${archive} is encrypted: name the file with its key by --identity.`,
    });
    expect(await openArchive(archive).catch((error) => error.code)).toBe("encrypted_backup");
    const wrong = writeKeys(join(folder, "wrong.txt"), [await newKey()]);
    expect(await refusalOf(archive, wrong)).toEqual({
      code: "encrypted_backup",
      message: `${archive} is encrypted for other keys than those given.`,
    });
    writeFileSync(join(folder, "none.txt"), "# no key here\n");
    expect(await refusalOf(archive, join(folder, "none.txt"))).toMatchObject({
      code: "encrypted_backup",
    });
  });

  test("a file with a key that is misspelled is refused, and the key is not repeated", async () => {
    const file = join(newFolder(), "keys.txt");
    const [{ identity }] = keys;
    for (const line of [`${identity.slice(0, -1)}X`, `${identity}A`, "AGE-PLUGIN-YUBIKEY-1QQQQ"]) {
      writeFileSync(file, `# ours\n${line}\n`);
      const fault = await unpackArchive(archive, newFolder(), { identity: file }).catch(
        (error) => error,
      );
      expect(fault).toMatchObject({ code: "configuration" });
      expect(fault.message).toBe(`${file} has a line that is no private key of age.`);
      expect(Bun.inspect(fault)).not.toContain(line.slice(0, -3));
    }
    expect(await refusalOf(archive, `${file}.none`)).toMatchObject({ code: "configuration" });
  });

  test("is refused for a change or a cut at any place", async () => {
    const bytes = readFileSync(archive);
    const keyFile = writeKeys(join(newFolder(), "keys.txt"), keys.slice(0, 1));
    const header = bytes.indexOf("\n", bytes.indexOf("\n--- ") + 1) + 1;
    const block = 64 * 1024 + 16;
    const ends = [0, 1, 21, 22, 23, header - 1, header, header + 15, header + 16, header + 17];
    const blocks = Array.from({ length: Math.ceil(bytes.length / block) }, (_, count) =>
      [-17, -16, -1, 0, 1, 16].map((more) => header + 16 + count * block + more),
    );
    const draw = (below: number) => Math.floor(random() * below);
    const drawn = Array.from({ length: rounds(200) }, () => [draw(header), draw(bytes.length)]);
    const places = [...ends, ...blocks.flat(), ...drawn.flat(), bytes.length - 1];
    const file = join(newFolder(), "wrong.age");
    for (const place of new Set(places.filter((at) => at < bytes.length))) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] as number) ^ (1 + draw(255));
      for (const wrong of [changed, bytes.subarray(0, place), insertAt(bytes, place)]) {
        writeFileSync(file, wrong);
        const refusal = await refusalOf(file, keyFile);
        expect({ place, code: refusal?.code }).toEqual({
          place,
          code: expect.stringMatching(/^(damaged|encrypted)_backup$/),
        });
        expect(refusal?.message).toMatch(
          /^\S+ is (damaged: it is changed or cut short|encrypted for other keys .*|not a Roster backup)\.$/,
        );
      }
    }
    writeFileSync(file, Buffer.concat([bytes, Buffer.from("x")]));
    expect(await refusalOf(file, keyFile)).toMatchObject({ code: "damaged_backup" });
  });

  test("is replaced only by --force, because nobody can see whose it is", async () => {
    const there = join(newFolder(), "there.age");
    copyFileSync(archive, there);
    const request = { data, target: there, version: testVersion, now };
    const fault = await backUp(request).catch((error) => error);
    expect(fault.message).toBe(`${there} exists, and is no known backup of this instance.`);
    await backUp({ ...request, replacesAny: true });
    expect(await refusalOf(there)).toBeUndefined();
  });
});

const insertAt = (bytes: Buffer, place: number) =>
  Buffer.concat([bytes.subarray(0, place), Buffer.from("\n"), bytes.subarray(place)]);

test("a file is encrypted for several keys, each of which opens it", async () => {
  const folder = newFolder();
  const [source, target] = [join(folder, "plain"), join(folder, "plain.age")];
  const plain = Buffer.alloc(3_000_000, "Roster ");
  writeFileSync(source, plain);
  const labels = new Set<string>();
  const written = await encryptFile(
    source,
    target,
    keys.map(({ recipient }) => recipient),
    { onProgress: ({ label }) => labels.add(label) },
  );
  const bytes = readFileSync(target);
  expect(written).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
  expect(statSync(target).mode & 0o777).toBe(0o600);
  expect([...labels]).toEqual(["encrypting"]);
  for (const { identity } of keys) {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    expect(plain.equals(await decrypter.decrypt(bytes))).toBe(true);
  }
});

test("the encryption of a file that is stopped, missing or has no room says so", async () => {
  const folder = newFolder();
  const source = join(folder, "plain");
  writeFileSync(source, Buffer.alloc(20_000_000, "Roster "));
  const [{ recipient }] = keys;
  const stop = new AbortController();
  const hearing = { signal: stop.signal, onProgress: () => stop.abort() };
  const stopped = encryptFile(source, join(folder, "stopped"), [recipient], hearing);
  expect(await stopped.catch(({ code }) => code)).toBe("interrupted");
  const missing = encryptFile(join(folder, "none"), join(folder, "b"), [recipient]);
  expect(await missing.catch(({ code }) => code)).toBe("not_found");
  const full = await encryptFile(source, "/dev/full", [recipient]).catch((error) => error);
  expect(full).toMatchObject({ code: "no_space" });
  expect([...(listOpenFiles("self")?.values() ?? [])]).not.toContain(source);
});

describe("what is written is read back before it gets its name", () => {
  test.each(["plain", "encrypted"])("%s: changed bytes on the disk are noticed", async (kind) => {
    const folder = newFolder();
    const { data: large } = await copyFilled(folder);
    const pool = new Database(join(large, "pool.db"));
    pool.run("CREATE TABLE ballast (bytes BLOB)");
    for (let count = 0; count < 24; count++)
      pool.run("INSERT INTO ballast VALUES (randomblob(1048576))");
    pool.close();
    const target = join(folder, "a.tar.zst");
    const recipients = kind === "plain" ? [] : [keys[0].recipient];
    const request = { data: large, version: testVersion, now, recipients, replacesAny: true };
    await backUp({ ...request, target });
    const before = readFileSync(target);
    let changed = false;
    const fault = await backUp({
      ...{ ...request, target },
      onProgress() {
        const staged = readdirSync(folder).find((name) => name.startsWith(".roster-backup"));
        const draft = join(folder, `${staged}`, "archive");
        const size = statSync(draft, { throwIfNoEntry: false })?.size ?? 0;
        if (changed || size < 2 ** 20) return;
        // In place of a disk that does not keep what was written to it.
        const file = openSync(draft, "r+");
        writeSync(file, Buffer.alloc(32, "changed"), 0, 32, 600);
        closeSync(file);
        changed = true;
      },
    }).catch((error) => error);
    expect(changed).toBe(true);
    expect(fault).toMatchObject({
      code: "system",
      message: `${target} was not made: what was written reads back damaged.`,
    });
    expect(readFileSync(target).equals(before)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(["a.tar.zst", "data"]);
  });
});

const [age, keygen] = [Bun.which("age"), Bun.which("age-keygen")];
describe.skipIf(!age || !keygen)("with the official age (skipped where it is absent)", () => {
  const run = (...command: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(command);
    expect({ exitCode, said: exitCode === 0 ? "" : stderr.toString() }).toEqual({
      exitCode: 0,
      said: "",
    });
    return stdout.toString();
  };

  test("it makes keys for Roster, opens what Roster wrote, and writes what Roster opens", async () => {
    const folder = newFolder();
    const at = (name: string) => join(folder, name);
    run(`${keygen}`, "-o", at("key.txt"));
    const recipient = run(`${keygen}`, "-y", at("key.txt")).trim();
    const request = { data, version: testVersion, now };
    const recipients = [keys[0].recipient, recipient];
    await backUp({ ...request, recipients, target: at("ours.age") });
    expect(await refusalOf(at("ours.age"), at("key.txt"))).toBeUndefined();
    run(`${age}`, "-d", "-i", at("key.txt"), "-o", at("ours.tar.zst"), at("ours.age"));
    expect(await refusalOf(at("ours.tar.zst"))).toBeUndefined();

    run(`${age}`, "-r", recipient, "-o", at("theirs.age"), at("ours.tar.zst"));
    expect(await refusalOf(at("theirs.age"), at("key.txt"))).toBeUndefined();
    await encryptFile(at("ours.tar.zst"), at("copy.age"), recipients);
    run(`${age}`, "-d", "-i", at("key.txt"), "-o", at("copy"), at("copy.age"));
    expect(readFileSync(at("copy")).equals(readFileSync(at("ours.tar.zst")))).toBe(true);
  });
});
