/** Backups go to a real S3 server, are checked and listed there, and are restored from there on an empty machine. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { hasStorage, openStorage, type TestStorage } from "../../../backup/real-storage.ts";
import { type FaultyProxy, startFaultyProxy } from "../../../network/faulty-proxy.ts";
import { type CommandLine, openCommandLine, writePeople } from "../command-line.ts";

describe.skipIf(!hasStorage)("an archive in storage", () => {
  let storage: TestStorage;
  let proxy: FaultyProxy;
  let line: CommandLine;
  let config: string;
  let address: string;
  beforeAll(async () => {
    storage = await openStorage();
    proxy = await startFaultyProxy(storage.port);
    address = `s3://${storage.bucket}/house/today.tar.zst`;
    line = openCommandLine();
    config = join(line.folder, "../roster.toml");
    const secretFile = join(line.folder, "../s3.secret");
    writeFileSync(secretFile, `${storage.secret}\n`, { mode: 0o600 });
    const lines = [
      ...["[s3]", `endpoint = "http://127.0.0.1:${proxy.port}"`, `region = "${storage.region}"`],
      ...[`keyId = "${storage.keyId}"`, `secretFile = "${secretFile}"`],
    ];
    writeFileSync(config, lines.join("\n"));
    await line.run("import", writePeople(line), "--data", line.folder);
  });
  beforeEach(() => proxy.fail(undefined));
  afterAll(async () => {
    line?.close();
    await proxy?.stop();
    await storage?.stop();
  });

  const run = async (...argv: string[]) => {
    const data = argv.includes("--data") ? [] : ["--data", line.folder];
    const ran = await line.run(...argv, "--config", config, ...data);
    expect(ran.out + ran.err).not.toContain(storage.secret);
    expect(ran.out + ran.err).not.toContain("X-Amz");
    return ran;
  };
  /** The objects, without the drafts of the server, which are no objects. */
  const stored = () => {
    const folder = join(storage.objects, "house");
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.filter((name) => !name.startsWith(".")).sort();
  };

  test("is made, listed, checked, and restored into an empty folder", async () => {
    const made = await run("backup", address, "--quiet");
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(made.out).toContain(address);
    expect(stored()).toEqual(["today.tar.zst", "today.tar.zst.sha256"]);
    expect(readdirSync(line.folder).filter((name) => name.startsWith("."))).toEqual([]);
    const archive = readFileSync(join(storage.objects, "house/today.tar.zst"));
    const sha256 = new Bun.CryptoHasher("sha256").update(archive).digest("hex");
    expect(readFileSync(join(storage.objects, "house/today.tar.zst.sha256"), "utf8")).toBe(
      `${sha256}  today.tar.zst\n`,
    );
    expect(
      await line.json("backup", "--list", `s3://${storage.bucket}/house`, "--config", config),
    ).toEqual([{ name: "today.tar.zst", bytes: archive.length, isReadBack: true }]);
    expect((await run("backup", "--verify", address)).out).toContain("can be restored");
    const empty = join(line.folder, "../empty");
    const restored = await run("restore", address, "--data", empty);
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.out).toContain(address);
    rmSync(empty, { recursive: true });
  });

  test("of the same instance is replaced, and another file only with --force", async () => {
    expect((await run("backup", address)).code).toBe(0);
    writeFileSync(join(storage.objects, "house/notes"), "mine");
    const notes = `s3://${storage.bucket}/house/notes`;
    const refused = await run("backup", notes);
    expect(refused).toMatchObject({ code: 3, out: "" });
    expect(refused.err).toContain(`${notes} exists, and is no known backup of this instance.`);
    expect(readFileSync(join(storage.objects, "house/notes"), "utf8")).toBe("mine");
    expect((await run("backup", notes, "--force")).code).toBe(0);
    expect((await run("backup", "--verify", notes)).code).toBe(0);
    rmSync(join(storage.objects, "house/notes"));
    rmSync(join(storage.objects, "house/notes.sha256"));
  });

  test("that is cut on its way is absent, and the command fails", async () => {
    const cut = `s3://${storage.bucket}/house/cut`;
    proxy.fail({ of: "sent", bytes: 4000, end: "cut" });
    const ran = await run("backup", cut);
    expect(ran).toMatchObject({ code: 5, out: "" });
    expect(ran.err).toContain("cannot be reached, or broke off");
    expect(stored()).toEqual(["today.tar.zst", "today.tar.zst.sha256"]);
    expect(readdirSync(line.folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("that is cut on its way back is not restored, and the folder stays as it was", async () => {
    const target = join(line.folder, "../target");
    mkdirSync(target);
    proxy.fail({ of: "received", bytes: 4000, end: "cut" });
    const ran = await run("restore", address, "--data", target);
    expect(ran).toMatchObject({ code: 5, out: "" });
    expect(ran.err).toContain("cannot be reached, or broke off");
    expect(readdirSync(target).filter((name) => name.endsWith(".db"))).toEqual([]);
  });

  test("that is encrypted comes back with its key, and one that is cut is told from a damaged one", async () => {
    const identity = await generateIdentity();
    const keyFile = join(line.folder, "../age.key");
    writeFileSync(keyFile, `${identity}\n`, { mode: 0o600 });
    const secretly = `s3://${storage.bucket}/house/secretly.age`;
    const recipient = await identityToRecipient(identity);
    expect((await run("backup", secretly, "--recipient", recipient)).code).toBe(0);
    const target = join(line.folder, "../opened");
    expect((await run("restore", secretly, "--data", target)).err).toContain("is encrypted");
    proxy.fail({ of: "received", bytes: 4000, end: "cut" });
    const cut = await run("restore", secretly, "--identity", keyFile, "--data", target);
    expect(cut.err).toContain("cannot be reached, or broke off");
    proxy.fail(undefined);
    expect((await run("restore", secretly, "--identity", keyFile, "--data", target)).code).toBe(0);
    for (const name of ["secretly.age", "secretly.age.sha256"])
      rmSync(join(storage.objects, "house", name));
  });

  test("that was changed there is refused", async () => {
    const path = join(storage.objects, "house/changed");
    const bytes = readFileSync(join(storage.objects, "house/today.tar.zst"));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const ran = await run(
      "restore",
      `s3://${storage.bucket}/house/changed`,
      "--data",
      join(line.folder, "../other"),
    );
    expect(ran.code).toBe(5);
    expect(ran.err).toContain("is damaged");
    rmSync(path);
  });

  test("faults are told in words: missing, no key, wrong address", async () => {
    const missing = `s3://${storage.bucket}/house/none`;
    expect((await run("restore", missing)).err).toBe(`roster: ${missing} does not exist.\n`);
    expect((await run("restore", missing)).code).toBe(4);
    expect((await line.run("backup", address, "--data", line.folder)).err).toContain(
      "needs s3.keyId and s3.secretFile",
    );
    for (const wrong of [
      "s3://",
      "s3://backups",
      "s3://backups/",
      "s3://backups/../a",
      "s3://Backups/a",
    ])
      expect(await run("backup", wrong)).toMatchObject({ code: 2, out: "" });
    await proxy.goAway();
    expect((await run("backup", "--list", `s3://${storage.bucket}/house`)).err).toContain(
      "cannot be reached",
    );
    await proxy.comeBack();
  });
});
