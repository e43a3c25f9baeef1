/** Commits that are read and not counted, and why, through git itself. */
import { describe, expect, test } from "bun:test";
import { type InventedCommit, openInventor } from "../invented-repository.ts";
import { read } from "../read.ts";

const invent = openInventor();

async function excludedOf(commits: readonly InventedCommit[]) {
  return (await read([invent(commits)])).summary?.excluded;
}

const code = "if (a) {\n  b();\n  c();\n}\n";
/** More than is compared at once. */
const long = code.repeat(1000);

describe("a commit that changes white space only", () => {
  for (const [what, file, before, after] of [
    ["spaces at the end of a line", "a.js", code, code.replace("b();", "b();  ")],
    ["indentation", "a.js", code, code.replaceAll("  ", "\t")],
    ["a blank line", "a.js", code, code.replace("{\n", "{\n\n")],
    [
      "blank lines gone and spaces at an end",
      "a.js",
      `\n\n\n${code}`,
      code.replace("b();", "b(); "),
    ],
    ["line ends", "a.js", code, code.replaceAll("\n", "\r\n")],
    ["spaces at the end of a long file", "a.js", `${long}d( );`, `${long}\n d(); \n`],
    ["spaces at an end in Python", "a.py", "if a:\n    b()\n", "if a:\n    b() \n"],
  ] as const) {
    test(`does not count: ${what}`, async () => {
      const commits = [{ files: { [file]: before } }, { files: { [file]: after } }];
      expect(await excludedOf(commits)).toEqual({ whitespace: 1 });
    });
  }

  for (const [what, first, then] of [
    ["a word between", { "a.js": code }, { "a.js": code.replace("b();", "b( d );") }],
    [
      "indentation in Python",
      { "a.py": "if a:\n  b()\nc()\n" },
      { "a.py": "if a:\n  b()\n  c()\n" },
    ],
    ["a blank line and another file", { "a.js": code }, { "a.js": `\n${code}`, "b.js": "d();\n" }],
    ["a new file of blank lines", { "a.js": code }, { "b.js": "\n\n" }],
    ["bytes that are no text", { "a.bin": "\0 a" }, { "a.bin": "\0  a" }],
    [
      "a word in the larger of two files, blanks in the smaller",
      { "a.js": code, "b.js": `${long}d();\n` },
      { "a.js": code.replace("b();", " b();"), "b.js": `${long}d( e );\n` },
    ],
    ["a word at the end of a long file", { "a.js": `${long}d();` }, { "a.js": `${long}e();` }],
    ["a file gone", { "a.js": code, "b.js": "\n" }, { "b.js": null }],
  ] as const) {
    test(`counts with more in it: ${what}`, async () => {
      expect(await excludedOf([{ files: first }, { files: then }])).toEqual({});
    });
  }
});

describe("a commit of two dates", () => {
  for (const [what, at, committedAt, excluded] of [
    ["written a year before it was committed", "2024-01-01", "2025-01-01", {}],
    ["written nine years before", "2016-01-01", "2025-01-01", {}],
    ["written eleven years before", "2014-01-01", "2025-01-01", { disordered: 1 }],
    ["written a day after", "2025-01-02", "2025-01-01", {}],
    ["written a month after", "2025-02-01", "2025-01-01", { disordered: 1 }],
  ] as const) {
    test(`${what} ${"disordered" in excluded ? "is told apart" : "counts"}`, async () => {
      expect(await excludedOf([{ at, committedAt }])).toEqual(excluded);
    });
  }
});
