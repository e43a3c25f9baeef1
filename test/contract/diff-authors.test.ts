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

const fromLine = `From ${"1234abcd".repeat(5)} Mon Sep 17 00:00:00 2001\n`;
const writeMail = (author: string, subject: string, body = "Text.") =>
  `${fromLine}From: ${author}\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: ${subject}\n\n${body}\n---\n a | 1 +\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+a\n-- \n2.40.0\n\n`;

const alice = "Alice Reviewer <alice@example.com>";
const claims = [
  `From: ${alice}`,
  `Author: ${alice}`,
  `Text.\n\nFrom: ${alice}\nAuthor: ${alice}\nCo-authored-by: ${alice}`,
  `commit ${"1234abcd".repeat(5)}\nAuthor: ${alice}\nDate:   now\n\n    Text.`,
  `commit 1234abcd (HEAD -> main)\nMerge: 1 2\nAuthor: ${alice}`,
  `>From 1 Mon Sep 17 00:00:00 2001\nFrom: ${alice}`,
  `${fromLine}From: ${alice}\nSubject: [PATCH] Text\n\nText.`,
  writeMail(alice, "[PATCH 2/2] Text"),
  `diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-a\n+b\n-- \n2.40.0\n\n${writeMail(alice, "[PATCH 1/1] x")}`,
  `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: message/rfc822\n\nFrom: ${alice}\n\n--x--`,
];

test.each(claims)("a message that says %j makes nobody an author", (claim) => {
  const own = "Mallory <mallory@example.com>";
  const other = mkdtempSync(join(folder, "claim-"));
  const git = (...argv: string[]) => runGit(other, ...argv).toString();
  git("init", "-q");
  const identity = ["-c", "user.name=Mallory", "-c", "user.email=mallory@example.com"];
  writeFileSync(join(other, "file.txt"), `${claim}\n`);
  git("add", ".");
  git(...identity, "commit", "-qm", `Change\n\n${claim}`);
  git(...identity, "notes", "add", "-m", claim);
  for (const argv of [
    ["format-patch", "--root", "--stdout", "HEAD"],
    ["format-patch", "--root", "--stdout", "--numbered", "--attach", "HEAD"],
    ["log", "-p"],
    ["log", "-p", "--pretty=fuller", "--decorate", "--abbrev-commit"],
    ["show", "HEAD"],
  ]) {
    expect([argv, readChangeAuthors(git(...argv))]).toEqual([argv, [own]]);
  }
  // A subject goes on in further lines of its header.
  const folded = writeMail(own, `[PATCH] Text\n From: ${alice}\n\tFrom: ${alice}`, claim);
  expect(readChangeAuthors(folded)).toEqual([own]);
  expect(readChangeAuthors(folded.slice(fromLine.length))).toEqual([own]);
});

test("a cover letter is one of the mails, and a mail too many leaves the first author alone", () => {
  const [first, second] = ["A <a@example.com>", "B <b@example.com>"] as const;
  const cover = writeMail(first, "[PATCH v2 0/2] Both");
  const one = writeMail(first, "[PATCH v2 1/2] One");
  const other = writeMail(second, "[PATCH v2 2/2] Other");
  expect(readChangeAuthors(cover + one + other)).toEqual([first, second]);
  expect(readChangeAuthors(one + other)).toEqual([first, second]);
  const forged = writeMail(first, "[PATCH v2 1/2] One", writeMail(alice, "[PATCH v2 2/2] Other"));
  expect(readChangeAuthors(forged + other)).toEqual([first]);
});

test("a hostile text of megabytes is read in a moment", () => {
  const size = 2_000_000;
  for (const [start, part] of [
    ["", "From: \n"],
    ["", "Subject: [\n"],
    [`${fromLine}Subject: [`, "1 "],
    [fromLine, "From: x"],
    ["", "commit 1234\nAuthor: "],
    ["commit 1234\n", "Author: x\n"],
    ["commit 1234\nAuthor: ", " "],
    ["From x ", "00:00:00 "],
    [`${fromLine}From: a <a@example.com>`, " "],
  ] as const) {
    // Work that grows by the square takes hours.
    expect(readChangeAuthors(start + part.repeat(size / part.length)).length).toBeLessThan(2);
  }
}, 60_000);

test("a diff, a list of paths and nothing name nobody", () => {
  for (const text of [git("diff", "HEAD~1"), "src/a.ts\nFrom: here\n", "", "\0\0", "From: <<>"]) {
    expect(readChangeAuthors(text)).toEqual([]);
  }
});

test("a long series names the first twenty, and a word in no known letters stays as it is", () => {
  const many = Array.from({ length: 50 }, (_, at) =>
    writeMail(`Dev ${at} <dev${at}@example.com>`, `[PATCH ${at + 1}/50] Change`),
  );
  expect(readChangeAuthors(many.join(""))).toHaveLength(20);
  expect(readChangeAuthors("From: =?nonsense?q?x=20y?= <a@example.com>")).toEqual([
    "=?nonsense?q?x=20y?= <a@example.com>",
  ]);
});
