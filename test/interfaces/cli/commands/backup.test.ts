import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BackupReceipt, VerifyReport } from "../../../../src/backup/backup.ts";
import { inventedPeople } from "../../../invented-people.ts";
import { openCommandLine } from "../command-line.ts";

const line = openCommandLine();
const data = ["--data", line.folder];
const file = join(line.folder, "..", "a.tar.zst");
const people = join(line.folder, "..", "people.jsonl");
writeFileSync(people, inventedPeople.map((facts) => `${JSON.stringify(facts)}\n`).join(""));
await line.run("import", people, "--as-of", "2026-11-01", ...data);
await line.run("account", "create", "team@example.com", "--plan", "pro", ...data);
afterAll(() => line.close());

test("backup shows what the archive holds, and --verify that it can be restored", async () => {
  // Quiet: a busy machine would be told of progress.
  const made = await line.run("backup", file, "--quiet", ...data);
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(made.out).toMatch(/^backup +.*a\.tar\.zst\n(.*\n)*active keys +1\n/);
  const verified = await line.run("backup", "--verify", file);
  expect(verified.code).toBe(0);
  expect(verified.out).toMatch(/verdict +can be restored\n$/);
  const receipt = (await line.json("backup", file, ...data)) as BackupReceipt;
  expect(receipt.manifest.counts.accounts).toBe(2);
  const report = (await line.json("backup", "--verify", file)) as VerifyReport;
  expect(report).toMatchObject({ isGood: true, manifest: receipt.manifest });
});

test("a damaged archive ends with 5, one line, and the way out", async () => {
  const cut = join(line.folder, "..", "cut.tar.zst");
  await line.run("backup", file, ...data);
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
  const refused = await line.run("backup", notes, ...data);
  expect(refused.code).toBe(3);
  expect(refused.err).toContain("add --force");
  expect(readFileSync(notes, "utf8")).toBe("mine");
  expect((await line.run("backup", notes, "--force", ...data)).code).toBe(0);
  expect((await line.run("backup", "--verify", notes)).code).toBe(0);
});

test("a folder without data ends with 4 and makes nothing", async () => {
  const empty = join(line.folder, "..", "empty");
  const target = join(line.folder, "..", "none.tar.zst");
  const { code, err } = await line.run("backup", target, "--data", empty);
  expect(code).toBe(4);
  expect(err).toContain("holds no Roster data");
  expect([existsSync(empty), existsSync(target)]).toEqual([false, false]);
});
