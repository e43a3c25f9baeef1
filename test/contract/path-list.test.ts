/** Lists of changed paths in the forms that git writes them in, against what `--name-status -z` says; and those of others. */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readChangedPaths } from "../../src/contract/diff-paths.ts";
import { git as runGit } from "../ingest/git/invented-repository.ts";
import { isLong } from "../long.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder("path-list");
const identity = ["-c", "user.name=Ada Example", "-c", "user.email=ada@example.com"];
const git = (...argv: string[]) => runGit(folder, ...identity, ...argv).toString();

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const many = (word: string) => Array.from({ length: 20 }, (_, at) => `${word} ${at}\n`).join("");
const changed = ["src/pay/a.ts", "with space.ts", "grüße.ts", 'a"quote.ts', "back\\slash.ts"];
const touched = ["new.ts", "gone.ts", "src/pay/old.ts", "src/pay/to/moved.ts", ...changed].sort();

beforeAll(() => {
  git("init", "--quiet", "--initial-branch=main");
  for (const name of [...changed, "gone.ts", "src/pay/old.ts"]) write(name, many(name));
  write("same.ts", "same\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "First");
  for (const name of changed) write(name, `${many(name)}more\n`);
  rmSync(join(folder, "gone.ts"));
  mkdirSync(join(folder, "src/pay/to"));
  renameSync(join(folder, "src/pay/old.ts"), join(folder, "src/pay/to/moved.ts"));
  write("new.ts", "new\n");
  git("add", "--all");
});

/** Without the mark of new files. */
const read = (text: string) =>
  readChangedPaths(text)
    .map((path) => path.replace(/^\.\//, ""))
    .sort();

const colored = ["-c", "color.ui=always"];
const forms: Readonly<Record<string, readonly string[]>> = {
  "names alone": ["diff", "--cached", "--no-renames", "--name-only"],
  "names and status": ["diff", "--cached", "-M", "--name-status"],
  "counted lines": ["diff", "--cached", "-M", "--numstat"],
  "raw lines": ["diff", "--cached", "-M", "--raw"],
  "raw lines with whole ids": ["diff-index", "--cached", "-M", "HEAD"],
  "a summary of lines": ["diff", "--cached", "-M", "--stat=1000"],
  "a compact summary": ["diff", "--cached", "-M", "--compact-summary", "--stat=1000"],
  "lines, raw ones, a summary": ["diff", "--cached", "-M", "--raw", "--stat=1000", "--summary"],
  "a colored patch": [...colored, "diff", "--cached", "-M"],
  "a patch with colored words": [...colored, "diff", "--cached", "-M", "--word-diff=color"],
  "a colored summary": [...colored, "diff", "--cached", "-M", "--stat=1000"],
  "a status": ["status", "--porcelain"],
  "a status with its branch": ["status", "--short", "--branch"],
  "a status of the second kind": ["status", "--porcelain=v2", "--branch"],
  "a status for people": ["status"],
  "a status for people, in color": [...colored, "status"],
};

describe("what git lists names what git says that it touches", () => {
  for (const [what, argv] of Object.entries(forms)) {
    // People are shown names that cannot be told apart from what stands around them.
    for (const quoting of ["true", "false"]) {
      test(`${what}, core.quotePath ${quoting}`, () => {
        const text = git("-c", `core.quotePath=${quoting}`, ...argv);
        expect(read(text)).toEqual(touched);
        expect(read(text.replaceAll("\n", "\r\n"))).toEqual(touched);
        expect(read(`\ufeff${text}`)).toEqual(touched);
      });
    }
    if (/diff$|^status$/.test(argv.join(" ")) || what.includes("color") || what.includes("summary"))
      continue;
    test(`${what}, separated by NUL`, () => {
      if (argv.length > 1) expect(read(git(...argv, "-z"))).toEqual(touched);
    });
  }
});

test("a log lists what its commits touch", () => {
  git("commit", "--quiet", "--message", "Second\n\n1\t2\tnone.ts\n\nM none.ts");
  for (const form of ["--name-status", "--numstat", "--raw", "--stat=1000", "--name-only"]) {
    for (const command of [["show"], ["log", "-1"], ["log", "-1", "--format=fuller"]]) {
      expect(read(git(...command, "--no-renames", form))).toEqual(touched);
    }
  }
});

test("files that are stated to be new are marked", () => {
  write("root.ts", "root\n");
  write("src/pay/new.ts", "new\n");
  git("add", "--intent-to-add", "root.ts");
  const marked = ["./root.ts"];
  for (const argv of [["diff"], ["diff", "--name-status"], ["diff", "--compact-summary"]]) {
    expect(readChangedPaths(git(...argv))).toEqual(marked);
  }
  expect(readChangedPaths("?? root.ts\n M b.ts\n")).toEqual(["./root.ts", "b.ts"]);
  expect(
    readChangedPaths("--- /dev/null\tNov 23\n+++ b/new.c\tNov 23\n@@ -0,0 +1 @@\n+a\n"),
  ).toEqual(["./new.c"]);
  expect(readChangedPaths(git("diff", "--name-only"))).toEqual(["root.ts"]);
});

test("other version control states its changes in letters, too", () => {
  expect(readChangedPaths("M src/a.ts\nA src/b.ts\n! src/c.ts\n? d.ts\n")).toEqual([
    ...["src/a.ts", "./src/b.ts", "src/c.ts", "./d.ts"],
  ]);
  expect(readChangedPaths("M       src/a.ts\nA  +    src/b c.ts\n M      d\n")).toEqual([
    ...["src/a.ts", "./src/b c.ts", "d"],
  ]);
  expect(readChangedPaths("R {a => b}/c.ts\nM x.ts\n")).toEqual(["a/c.ts", "b/c.ts", "x.ts"]);
});

test("diffs of other programs are read, of binary files and properties too", () => {
  const hunk = "@@ -1 +1 @@\n-a\n+b\n";
  const line = "=".repeat(67);
  const svn = `Index: src\\a.c\n${line}\n--- src\\a.c\t(revision 3)\n+++ src\\a.c\t(working copy)\n${hunk}`;
  const binary = `Index: x.png\n${line}\nCannot display: file marked as a binary type.\n`;
  const property = `\nProperty changes on: lib\n${"_".repeat(67)}\nAdded: svn:ignore\n`;
  expect(readChangedPaths(svn + binary + property)).toEqual(["src/a.c", "x.png", "lib"]);
  const added = svn.replaceAll("src\\a.c", "n.c").replace("(revision 3)", "(nonexistent)");
  expect(read(added)).toEqual(["n.c"]);
  const hg = `diff -r 0123456789ab src/a.c\n--- a/src/a.c\tMon Nov 23 10:00:00 2026 +0000\n+++ b/src/a.c\tMon Nov 23 10:01:00 2026 +0000\n${hunk}`;
  expect(readChangedPaths(hg)).toEqual(["src/a.c"]);
  const plain = "1c1\n< a\n---\n> b\n";
  expect(
    readChangedPaths(
      `diff -r old/src/a.c new/src/a.c\n${plain}Only in new/src: b c.c\nOnly in old: d\nBinary files old/e.png and new/e.png differ\n`,
    ),
  ).toEqual(["src/a.c", "src/b c.c", "d", "e.png"]);
  const context = `diff -rc old/a.c new/a.c\n*** old/a.c\tNov 23\n--- new/a.c\tNov 23\n${"*".repeat(15)}\n*** 1 ****\n! a\n--- 1 ----\n! b\n`;
  expect(readChangedPaths(context)).toEqual(["a.c"]);
  expect(readChangedPaths("Submodule libs/one 0123456..89abcde:\n  > Message\n")).toEqual([
    "libs/one",
  ]);
});

test("plain lists are read as they are", () => {
  expect(readChangedPaths("src\\pay\\a.ts\r\n.\\b.ts\r\n./c.ts\n")).toEqual([
    ...["src/pay/a.ts", "b.ts", "c.ts"],
  ]);
  expect(readChangedPaths("M a.txt\0A\0b\n.ts\0")).toEqual(["M a.txt", "A", "b\n.ts"]);
  expect(readChangedPaths("\u001b]8;;file:///a.ts\u001b\\a.ts\u001b]8;;\u001b\\\n")).toEqual([
    "a.ts",
  ]);
});

/** Work that grew with the square of the text would take far longer than a test may. */
test("a long text of what is nearly a list comes to an end", () => {
  const long = (text: string) => text.repeat(Math.ceil((isLong ? 2 ** 20 : 2 ** 18) / text.length));
  const pieces = [
    " ",
    " (new ",
    "{",
    " => ",
    "{ => }",
    " | 1",
    "\t",
    ": ",
    "renamed: a",
    "M ",
    "1 ",
  ];
  const beginnings = ["", " ", "M\t", "R100\t", ":100644 1 ", "1 .M N... ", "modified: ", "\0"];
  for (const piece of [...pieces, "? a\0", "R1\0", "\0", ":100644 a", "\u001b]8;", "\u001b["]) {
    for (const before of beginnings) {
      readChangedPaths(`${before}${long(piece)}`);
      readChangedPaths(`${before}${long(piece)} | x`);
    }
  }
});
