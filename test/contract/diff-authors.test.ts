/** The reader of a change's authors against what git itself writes of a commit. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readChangeAuthors } from "../../src/contract/diff-authors.ts";
import { git as runGit } from "../ingest/git/invented-repository.ts";

const folder = mkdtempSync(join(tmpdir(), "roster-authors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const git = (...argv: string[]) => runGit(folder, ...argv).toString();

const names = [
  "Ada Example",
  "Zoë Müller-Straße",
  "山田 太郎",
  "Dr. Ben Q. Sample, Jr.",
  "Владимир Владимирович Константинопольский-Длиннофамильный из Города",
  'The "Quoted" One',
];

git("init", "-q");
for (const [at, name] of names.entries()) {
  const identity = ["-c", `user.name=${name}`, "-c", `user.email=dev${at}@example.com`];
  // A line of the change, and one of the message, that look like an author's.
  writeFileSync(join(folder, "file.txt"), `${name}\nFrom: Not Me <not-me@example.com>\n`);
  git("add", ".");
  git(...identity, "commit", "-qm", `Change ${at}\n\nIt says From nobody: nothing.`);
}
const expected = names.map((name, at) => {
  const [own] = git("log", "--format=%an <%ae>", `--author=dev${at}@example.com`).split("\n");
  return own?.replaceAll('"', "") ?? name;
});

test.each([
  ["format-patch", ["format-patch", "--root", "--stdout", "HEAD"]],
  ["log -p", ["log", "-p", "--reverse"]],
  ["show", ["log", "-p", "--reverse", "--pretty=fuller"]],
])("git %s names each author once", (_, argv) => {
  expect(readChangeAuthors(git(...argv))).toEqual(expected);
  expect(readChangeAuthors(git(...argv).replaceAll("\n", "\r\n"))).toEqual(expected);
});

test("a diff, a list of paths and nothing name nobody", () => {
  for (const text of [git("diff", "HEAD~1"), "src/a.ts\nFrom: here\n", "", "\0\0", "From: <<>"]) {
    expect(readChangeAuthors(text)).toEqual([]);
  }
});

test("a long series names the first twenty, and a word in no known letters stays as it is", () => {
  const many = Array.from({ length: 50 }, (_, at) => `From: Dev ${at} <dev${at}@example.com>`);
  expect(readChangeAuthors(many.join("\n"))).toHaveLength(20);
  expect(readChangeAuthors("From: =?nonsense?q?x=20y?= <a@example.com>")).toEqual([
    "=?nonsense?q?x=20y?= <a@example.com>",
  ]);
});
