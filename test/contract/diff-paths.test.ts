/** The reader of diffs against git itself, which says by `--name-status` what its patch of the same change touches. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { readChangedPaths, readDiff } from "../../src/contract/diff-paths.ts";
import { git as runGit } from "../ingest/git/invented-repository.ts";

const root = mkdtempSync(join(tmpdir(), "roster-diff-"));
const folder = join(root, "work");
const identity = ["-c", "user.name=Ada Example", "-c", "user.email=ada@example.com"];
const git = (...argv: string[]) => runGit(folder, ...identity, ...argv).toString();

/** Looks like another file's headers, before and after a diff's own mark. */
const disguised = [
  "-- a/none.ts",
  "++ b/none.ts",
  "--- a/none.ts",
  "+++ b/none.ts",
  "@@ -1,4 +1,4 @@",
  "diff --git a/none.ts b/none.ts",
  "rename from none.ts",
].join("\n");
/** What a message may hold: git, too, takes more than that for the beginning of the patch. */
const nearly = "--- a/none.ts\n+++ b/none.ts\n\nrename from none.ts\n@@ -1,9 +1,9 @@";
const names = [
  "plain.ts",
  "with space.ts",
  "log 2024-01-01 00:00:00 +0000.ts",
  ...["c/pay.ts", "a/b.ts", "b/a b/a.ts", "i/w c/x.ts", "x b/x", "deep/er/and/deeper.ts"],
  ...["grüße.ts", "日本.ts", 'a"quote.ts', "tab\there.ts", "line\nend.ts", "back\\slash.ts"],
  " edges ",
  ...["two", "two two", "--- a", "dev/null", "end\r"],
];

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const many = (word: string) => Array.from({ length: 30 }, (_, at) => `${word} ${at}\n`).join("");

const changed = `${many("line")}another\n${many("end")}${disguised}`;

beforeAll(() => {
  mkdirSync(folder);
  git("init", "--quiet", "--initial-branch=main");
  for (const name of names) write(name, `${many("line")}${disguised}\n${many("end")}`);
  for (const name of ["gone.ts", "mode only.sh", "link", "emptied.ts"]) write(name, many(name));
  for (const name of ["moved.ts", "moved too.ts", "copied.ts"]) write(name, many(name));
  for (const name of ["image.png", "old image.png"]) write(name, new Uint8Array([0, 1, 2, 3]));
  git("add", "--all");
  git("commit", "--quiet", "--message", "First");
  for (const name of names) write(name, changed);
  rmSync(join(folder, "gone.ts"));
  rmSync(join(folder, "link"));
  symlinkSync("plain.ts", join(folder, "link"));
  chmodSync(join(folder, "mode only.sh"), 0o755);
  write("emptied.ts", "");
  write("new and empty", "");
  write("new.ts", many("new"));
  mkdirSync(join(folder, "to"));
  renameSync(join(folder, "moved.ts"), join(folder, "to/moved.ts"));
  renameSync(join(folder, "moved too.ts"), join(folder, "to/grüße 2.ts"));
  write("to/grüße 2.ts", `${many("moved too.ts")}and more\n`);
  write("copied.ts", `${many("copied.ts")}changed\n`);
  write("copy.ts", many("copied.ts"));
  write("image.png", new Uint8Array([0, 9, 9, 9]));
  renameSync(join(folder, "old image.png"), join(folder, "new image.png"));
  git("add", "--all");
  git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},a module`);
});
afterAll(() => rmSync(root, { recursive: true }));

/** Both paths of what was moved or copied. */
function touchedBy(...argv: string[]): string[] {
  const fields = git("diff", ...argv, "--name-status", "-z")
    .split("\0")
    .slice(0, -1);
  const paths: string[] = [];
  while (fields.length > 0) {
    const status = fields.shift() ?? "";
    paths.push(...fields.splice(0, /^[RC]/.test(status) ? 2 : 1));
  }
  return [...new Set(paths)].sort();
}

const read = (patch: string) => [...(readDiff(patch)?.paths ?? ["no diff"])].sort();
const readOnce = (patch: string) => [...new Set(read(patch))];

const forms: Readonly<Record<string, readonly string[]>> = {
  plainly: [],
  "without prefixes": ["--no-prefix"],
  "with prefixes of its own": ["--src-prefix=old/", "--dst-prefix=new/"],
  "with prefixes of other lengths": ["--src-prefix=before/", "--dst-prefix=after/"],
  "the other way round": ["-R"],
  "the other way round without prefixes": ["-R", "--no-prefix"],
  "without finding renames": ["--no-renames"],
  "finding copies": ["-M", "-C", "-C"],
  "without context": ["-U0"],
  "with all context": ["-U999"],
  "with binary content": ["--binary", "--full-index"],
  "with a summary before": ["--patch-with-stat", "--summary"],
  "with the raw form before": ["--patch-with-raw"],
  "with marks for words": ["--word-diff"],
  "rewriting wholly": ["-B", "-M"],
  irreversibly: ["-D"],
};

describe("git's own patch names what git says that it touches", () => {
  for (const [how, argv] of Object.entries(forms)) {
    for (const quoting of ["true", "false"]) {
      for (const mnemonic of ["true", "false"]) {
        test(`${how}, core.quotePath ${quoting}, diff.mnemonicPrefix ${mnemonic}`, () => {
          const quotePath = ["-c", `core.quotePath=${quoting}`];
          const settings = [...quotePath, "-c", `diff.mnemonicPrefix=${mnemonic}`];
          const patch = git(...settings, "diff", "--cached", "-M", ...argv);
          const touched = touchedBy("--cached", "-M", ...argv);
          expect(touched.length).toBeGreaterThan(30);
          // Rewritten files stand for nothing in --name-status but themselves.
          expect(readOnce(patch)).toEqual(touched);
        });
      }
    }
  }

  test("with the line ends of another system", () => {
    expect(readOnce(git("diff", "--cached", "-M").replaceAll("\n", "\r\n"))).toEqual(
      touchedBy("--cached", "-M"),
    );
  });

  test("of one file each, so that none hides behind another", () => {
    for (const path of touchedBy("--cached", "--no-renames")) {
      for (const prefix of ["--no-prefix", "--src-prefix=a/"]) {
        const argv = ["diff", "--cached", "--no-renames", prefix, "--", `:(literal)${path}`];
        expect(readOnce(git(...argv))).toEqual([path]);
      }
    }
  });

  test("as `git apply` reads it", () => {
    const patch = git("diff", "--cached", "--no-renames", "--binary");
    const file = join(root, "patch");
    writeFileSync(file, patch);
    const counted = git("apply", "--numstat", "-z", file).split("\0").slice(0, -1);
    expect(read(patch)).toEqual(counted.map((line) => line.split("\t").slice(2).join("\t")).sort());
  });
});

describe("git's patches of commits", () => {
  beforeAll(() => {
    git("commit", "--quiet", "--message", `Second\n\n${nearly}`);
  });

  test("as mail, with a message that looks like one", () => {
    expect(readOnce(git("format-patch", "--stdout", "--root", "-1", "-M"))).toEqual(
      touchedBy("-M", "HEAD~1", "HEAD"),
    );
  });

  test("as the log shows them", () => {
    for (const argv of [["show"], ["log", "-p", "-1"], ["log", "-p", "-1", "--format=email"]]) {
      expect(readOnce(git(...argv, "-M"))).toEqual(touchedBy("-M", "HEAD~1", "HEAD"));
    }
  });

  test("of a merge, against both parents at once", () => {
    const merged = ["plain.ts", "with space.ts", "grüße.ts", "c/pay.ts"];
    const edit = (word: string) => {
      for (const name of merged)
        write(name, `${word}\n${many("line")}${disguised}\n${many("end")}`);
    };
    git("checkout", "--quiet", "-b", "side");
    edit("theirs");
    git("mv", "a/b.ts", "a/from here.ts");
    git("commit", "--quiet", "--all", "--message", "Theirs");
    git("checkout", "--quiet", "main");
    edit("ours");
    git("commit", "--quiet", "--all", "--message", "Ours");
    Bun.spawnSync(["git", ...identity, "merge", "--quiet", "side"], { cwd: folder });
    edit("both");
    write("a/from here.ts", `${changed}of nobody\n`);
    git("add", "--all");
    git("commit", "--quiet", "--message", "Merge");
    const expected = ["a/from here.ts", ...merged].sort();
    for (const argv of [["--cc"], ["-c"], ["--cc", "--no-prefix"], ["-c", "-U0"]]) {
      expect(read(git("show", ...argv))).toEqual(expected);
    }
    const all = git("show", "-c", "-M", "--combined-all-paths", "--no-renames");
    expect(readOnce(all)).toEqual(expected);
    expect(readOnce(git("show", "-c", "-M", "--combined-all-paths"))).toEqual(
      ["a/b.ts", ...expected].sort(),
    );
  });

  test("of files that no repository has", () => {
    const texts = ["one.txt", "another one.txt"].map((name) => join(root, name));
    for (const [at, path] of texts.entries()) writeFileSync(path, `${at}\n`);
    const argv = ["diff", "--no-index", "one.txt", "another one.txt"];
    const { stdout } = Bun.spawnSync(["git", ...argv], { cwd: root });
    expect(read(stdout.toString())).toEqual(["another one.txt", "one.txt"]);
  });
});

describe("what is no patch of git", () => {
  test("is read as other programs write it", () => {
    const hunk = "@@ -1 +1 @@\n-a\n+b\n";
    const of = (from: string, to: string) => read(`some words\n--- ${from}\n+++ ${to}\n${hunk}`);
    const date = "2026-11-23 10:00:00.000000000 +0000";
    expect(of(`src/a.c\t${date}`, `src/a.c\t${date}`)).toEqual(["src/a.c"]);
    expect(of(`tool-1.0/src/a.c\t${date}`, `tool-1.1/src/a.c\t${date}`)).toEqual(["src/a.c"]);
    expect(of("src/a.c\t(revision 3)", "src/a.c\t(working copy)")).toEqual(["src/a.c"]);
    expect(of("/dev/null\tThu Jan 01 00:00:00 1970 +0000", "b/new.c\tNov 23")).toEqual(["new.c"]);
    expect(of("a/old.c", "/dev/null")).toEqual(["old.c"]);
    expect(of("old.c", "new.c")).toEqual(["new.c", "old.c"]);
  });

  test("may be a list, in which git quotes what it quotes in a patch", () => {
    expect(readChangedPaths('src/a.ts\n"gr\\303\\274\\303\\237e.ts"\r\n')).toEqual([
      "src/a.ts",
      "grüße.ts",
    ]);
    expect(readChangedPaths(' as it is \0"so"\0')).toEqual([" as it is ", '"so"']);
    expect(readDiff("--- a list\n+++ of words\n")).toBeUndefined();
  });
});

test("whatever it is cut into, it is read to its end", () => {
  const patch = git("show", "-c", "-M", "HEAD") + git("diff", "-M", "HEAD~2", "HEAD");
  for (let cut = 0; cut < patch.length; cut += 97) {
    readDiff(patch.slice(0, cut));
    readDiff(patch.slice(cut));
  }
});

/** Work that grew with the square of the text would take minutes for each. */
test("a megabyte of what is nearly a header comes to an end", () => {
  const long = (text: string) => text.repeat(Math.ceil(2 ** 20 / text.length));
  for (const piece of ["a/", " ", "/ ", "a/a ", '"', '\\"', "\\303", "\t", "@"]) {
    for (const before of ["diff --git ", 'diff --git "', "diff --cc ", "--- ", "@@ "]) {
      readDiff(`${before}${long(piece)}`);
    }
  }
  for (const line of ["--- a\n", "--- a\n+++ b\n", "@@ -1 +1 @@\n", "rename from a\n", "\r\n"]) {
    readDiff(`diff --git a/x b/x\n${long(line)}`);
  }
  const hunk = `@@@ -1,${2 ** 20} -1,${2 ** 20} +1,${2 ** 20} @@@\n`;
  expect(readDiff(`diff --cc x\n--- a/x\n+++ b/x\n${hunk}${long(" -\n")}`)?.paths).toEqual(["x"]);
});
