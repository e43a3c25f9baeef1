import { afterAll, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import type { BackupReceipt, VerifyReport } from "../../../../src/backup/backup.ts";
import { openCommandLine, writePeople } from "../command-line.ts";

const line = openCommandLine();
const run = (...argv: string[]) => line.run(...argv, "--data", line.folder);
const json = (...argv: string[]) => line.json(...argv, "--data", line.folder);
const file = join(line.folder, "..", "a.tar.zst");
await run("import", writePeople(line), "--as-of", "2026-11-01");
await run("account", "create", "team@example.com", "--plan", "pro");
afterAll(() => line.close());

test("backup shows what the archive holds, and --verify that it can be restored", async () => {
  // Quiet: a busy machine would be told of progress.
  const made = await run("backup", file, "--quiet");
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(made.out).toMatch(/^backup +.*a\.tar\.zst\n(.*\n)*active keys +1\n/);
  const verified = await line.run("backup", "--verify", file);
  expect(verified.code).toBe(0);
  expect(verified.out).toMatch(/verdict +can be restored\n$/);
  const receipt = (await json("backup", file)) as BackupReceipt;
  expect(receipt.manifest.counts.accounts).toBe(2);
  const report = (await line.json("backup", "--verify", file)) as VerifyReport;
  expect(report).toMatchObject({ isGood: true, manifest: receipt.manifest });
});

test("a damaged archive ends with 5, one line, and the way out", async () => {
  const cut = join(line.folder, "..", "cut.tar.zst");
  await run("backup", file);
  writeFileSync(cut, readFileSync(file).subarray(0, 5000));
  const { code, out, err } = await line.run("backup", "--verify", cut);
  expect({ code, out }).toEqual({ code: 5, out: "" });
  expect(err).toMatch(
    /^roster: .*cut\.tar\.zst is damaged: it is cut short\. Use another backup; .*\n$/,
  );
});

test("a file that is none of its own is kept, unless --force is said", async () => {
  const notes = join(line.folder, "..", "notes");
  writeFileSync(notes, "mine");
  const refused = await run("backup", notes);
  expect(refused.code).toBe(3);
  expect(refused.err).toContain("add --force");
  expect(readFileSync(notes, "utf8")).toBe("mine");
  expect((await run("backup", notes, "--force")).code).toBe(0);
  expect((await line.run("backup", "--verify", notes)).code).toBe(0);
});

test("an encrypted archive is made for each --recipient, checked and restored with --identity", async () => {
  const at = (name: string) => join(line.folder, "..", name);
  const keys = await Promise.all([generateIdentity(), generateIdentity()]);
  const [first, second] = await Promise.all(keys.map(identityToRecipient));
  writeFileSync(at("key.txt"), `# created: 2026-11-22\n${keys[1]}\n`);
  const target = at("a.tar.zst.age");
  const made = await run("backup", target, "--recipient", `${first}`, "--recipient", `${second}`);
  expect(made.code).toBe(0);
  const unread = await line.run("backup", "--verify", target);
  expect(unread.code).toBe(5);
  expect(unread.err).toMatch(/a\.tar\.zst\.age is encrypted: .* by --identity\.\n$/);
  const read = await line.run("backup", "--verify", target, "--identity", at("key.txt"));
  expect(read.code).toBe(0);
  expect(read.out).toMatch(/verdict +can be restored\n$/);
  const restored = ["--data", at("restored"), "--identity", at("key.txt")];
  const { code, out } = await line.run("restore", target, ...restored);
  expect(code).toBe(0);
  expect(out).toMatch(/accounts +the backup's/);

  const slip = await run("backup", at("b"), "--recipient", keys[0]);
  expect(slip.code).toBe(2);
  expect(slip.err).toContain("(flag --recipient) must be public keys of age");
  writeFileSync(at("wrong.txt"), `${keys[1].slice(0, -1)}\n`);
  const wrong = await line.run("restore", target, "--identity", at("wrong.txt"));
  expect(wrong.err).toMatch(/wrong\.txt has a line that is no private key of age/);
  const said = [made, unread, read, slip, wrong].map((one) => one.out + one.err).join("");
  for (const key of keys) expect(said).not.toContain(key.slice(0, 40));
});

test("a folder without data ends with 4 and makes nothing", async () => {
  const empty = join(line.folder, "..", "empty");
  const target = join(line.folder, "..", "none.tar.zst");
  const { code, err } = await line.run("backup", target, "--data", empty);
  expect(code).toBe(4);
  expect(err).toContain("holds no Roster data");
  expect([existsSync(empty), existsSync(target)]).toEqual([false, false]);
});

test("--list shows the archives of the folder of backups, and of a copy by its id", async () => {
  const backups = join(line.folder, "..", "backups");
  const copy = join(line.folder, "..", "copy");
  for (const folder of [backups, copy]) mkdirSync(folder);
  const name = "roster-2026-11-21T120000Z.tar.zst";
  expect((await run("backup", join(backups, name))).code).toBe(0);
  copyFileSync(join(backups, name), join(copy, "a.tar.zst"));
  writeFileSync(join(copy, "b.tar.zst"), "half");
  writeFileSync(join(copy, "a.tar.zst.sha256"), "...");
  const words = (text: string) => `["sh", "-c", "cd '${copy}' && ${text}"]`;
  const config = join(line.folder, "..", "copies.toml");
  const commands = ["write", "read", "remove"].map((verb) => `${verb} = ${words("false")}`);
  const list = `list = ${words("stat -c '%s %n' *")}`;
  writeFileSync(
    config,
    [
      "[backup]",
      `folder = "${backups}"`,
      "[[backup.copies]]",
      'id = "house"',
      list,
      ...commands,
    ].join("\n"),
  );
  const own = await run("backup", "--list", "--config", config);
  expect(own.out).toMatch(
    /^archive +bytes +state *\n.*T120000Z\.tar\.zst +\d+ +2026-11-21T12:00:00\.000Z *\n$/,
  );
  const there = await run("backup", "--list", "house", "--config", config);
  expect(there.out).toMatch(/\na\.tar\.zst +\d+ +read back *\nb\.tar\.zst +4 +not read back *\n$/);
  expect((await run("backup", "--list", "barn", "--config", config)).err).toContain("barn is no");
});
