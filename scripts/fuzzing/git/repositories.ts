/** Repositories that a hostile committer, or a person who hands over a folder, may make. Texts are bytes. */
import fc from "fast-check";
import { anyBytes, fromText } from "../bytes.ts";
import { oddTexts } from "../json/odd.ts";
import { weighted } from "../weighted.ts";
import { type Damage, damages } from "./damages.ts";

export interface HostileCommit {
  /** The text between `author ` and the date. */
  readonly author: string;
  readonly seconds: number;
  readonly zone: string;
  readonly message: string;
  readonly files: readonly HostileFile[];
  /** How many commits back each parent is; empty for a root. */
  readonly parents: readonly number[];
}

interface HostileFile {
  readonly mode: "100644" | "100755" | "120000" | "160000";
  readonly path: string;
  readonly content: string;
}

export interface HostileRepository {
  readonly isBare: boolean;
  readonly commits: readonly HostileCommit[];
  /** A last commit object with exactly these bytes, which git would not write; `{tree}` and `{parent}` are filled in. */
  readonly literal: string | undefined;
  readonly damages: readonly Damage[];
}

const names = fc.oneof(
  fc.constantFrom(
    "Ada Example",
    "Ada  Example",
    "ada",
    "dependabot[bot]",
    "",
    " ",
    "Ada via List",
    "root",
  ),
  oddTexts.map(fromText),
  anyBytes(40),
);
const addresses = fc.oneof(
  fc.constantFrom(
    "ada@example.com",
    "ADA@EXAMPLE.COM",
    "",
    "@",
    "a@b@c",
    "ada@localhost",
    "1+ada@users.noreply.github.com",
  ),
  oddTexts.map(fromText),
  anyBytes(30),
);
/** Git's importer accepts none of these letters in a name; literal commits contain them. */
const authors = fc.tuple(names, addresses).map((parts) => {
  const [name = "", address = ""] = parts.map((text) =>
    text.replace(/[<>\0\n\r]/g, " ").slice(0, 3000),
  );
  return `${name} <${address}>`;
});

const seconds = fc.oneof(
  fc.integer({ min: 1_500_000_000, max: 1_790_000_000 }),
  fc.constantFrom(0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 40, 253_402_300_800, 4_102_444_800),
);
const zones = fc.constantFrom("+0000", "+0530", "-1200", "+1400", "-0000", "+9959", "+2359");

const words = fc.constantFrom(
  ...[
    "fix: crash on start because the list was empty",
    "Merge branch 'x'",
    "feat(api)!: y\n\nBREAKING CHANGE: z",
  ],
  ...[
    'Revert "a"\n\nThis reverts commit 0123456789.',
    "Co-authored-by: A <a@b.c>",
    "#1",
    "",
    "\n\n\n",
  ],
  ...["x".repeat(20_000), "a b ".repeat(5000), "\n".repeat(3000), "Signed-off-by: ".repeat(300)],
  ...["(((((((((((((".repeat(300), `${"[".repeat(2000)}x`, "-".repeat(4000), "fix:".repeat(2000)],
);
const messages = fc
  .oneof(words, oddTexts.map(fromText), anyBytes(300))
  .map((text) => text.replaceAll("\0", " "));

const paths = fc
  .oneof(
    fc
      .constantFrom(
        ...[
          "src/a.ts",
          "src/b.py",
          "go.mod",
          "package.json",
          "Dockerfile",
          "README.md",
          ".mailmap",
          ".gitattributes",
        ],
        ...[
          "k8s/x.yaml",
          "Makefile",
          "a\tb.js",
          'q"uote.go',
          "back\\slash.rb",
          "new\nline.c",
          " lead",
          "trail ",
          "-rf",
        ],
        ...[
          ".gitmodules",
          "con",
          "\u202e.ts",
          `${"d/".repeat(200)}x.rs`,
          `${"long".repeat(60)}.java`,
          "__proto__",
        ],
        ...[
          "constructor/x.js",
          "node_modules/x/i.js",
          "{a => b}/c.ts",
          "a => b",
          "x.ipynb",
          "pom.xml",
          "Cargo.toml",
        ],
      )
      .map(fromText),
    oddTexts.map((text) => fromText(text)),
    anyBytes(30),
  )
  .map(asTreePath);

/** Removes empty parts, dots and NULs, which git's importer refuses. */
function asTreePath(text: string): string {
  const parts = text
    .replaceAll("\0", "")
    .split("/")
    .filter((part) => !/^(?:|\.|\.\.|\.git)$/i.test(part));
  return parts.join("/").slice(0, 3000).replace(/\/$/, "") || "x";
}

const contents = fc.oneof(
  fc.constantFrom(
    ...[
      "const a = 1;\n",
      '{"dependencies":{"react":"1"}}',
      '{"dependencies":',
      "import os\n".repeat(50),
      "",
    ],
    ...[
      "* linguist-generated\n[attr]x y\n*.ts filter=evil diff=evil\n",
      "module x\nrequire (\n",
      "\0\0\0\0",
    ],
    ...[
      "Ada <ada@example.com> <ben@example.org>\n",
      "<a@b> <c@d>\n<c@d> <a@b>\n",
      "FROM a AS b\n".repeat(300),
    ],
    ...[
      "x".repeat(100_000),
      "a,".repeat(30_000),
      "(".repeat(50_000),
      `#!${"/".repeat(5000)}`,
      "<".repeat(20_000),
    ],
    ...[
      "# vim: set ft=",
      "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
      '[submodule "a"]\n\tpath = ../x',
    ],
  ),
  oddTexts.map(fromText),
  anyBytes(500),
);

const files = fc.record<HostileFile>({
  mode: fc.constantFrom("100644", "100644", "100644", "100755", "120000", "160000"),
  path: paths,
  content: contents,
});

const commits = fc.record<HostileCommit>({
  author: authors,
  seconds,
  zone: zones,
  message: messages,
  files: fc.array(files, { maxLength: 5 }),
  parents: weighted(
    [6, fc.constant([1])],
    [2, fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 8 })],
  ),
});

const literals = fc.oneof(
  fc.constantFrom(
    ...[
      "tree {tree}\n\nno author",
      "tree {tree}\nparent {parent}\nauthor A <a> x +0\ncommitter A <a> 1 +0\n\nm",
    ],
    ...[
      "tree {tree}\nparent {parent}\nauthor A<a@b> 99999999999999999999 +99999\ncommitter A<a@b> -1 -1\n\nm",
    ],
    ...["tree {tree}\nparent {parent}\nauthor \ncommitter \n\n", "tree {tree}\nparent {parent}\n"],
    ...[
      "tree {tree}\nparent {parent}\nauthor A <a@b\0c> 1 +0000\ncommitter B> <b 1 +0000\n\nnul\0in\0message",
    ],
    ...[
      "tree {tree}\nparent {parent}\nauthor A <a@b> 1 +0000\nencoding utf-16\n\n\xff\xfem\0",
      "parent {parent}\n\n",
    ],
    ...[
      "tree {tree}\nparent {parent}\nparent {parent}\nauthor A <<a>> 1 +0000\ncommitter A <a> 1 +0000\n\nm",
    ],
    `tree {tree}\nparent {parent}\nauthor ${"A".repeat(70_000)} <a@b> 1 +0000\ncommitter A <a> 1 +0000\n\n${"m".repeat(70_000)}`,
    "tree {tree}\nparent {parent}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\nencoding ISO-2022-JP\ngpgsig x\n y\n\n\x1b$B",
  ),
  fc
    .tuple(anyBytes(60), anyBytes(60))
    .map(
      ([author, message]) =>
        `tree {tree}\nparent {parent}\nauthor ${author}\ncommitter C <c@d> 1700000000 +0000\n\n${message}`,
    ),
);

export const repositories: fc.Arbitrary<HostileRepository> = fc.record({
  isBare: fc.boolean(),
  commits: fc.array(commits, { maxLength: 12 }),
  literal: fc.option(literals, { nil: undefined, freq: 3 }),
  damages: weighted([2, fc.constant([])], [3, fc.array(damages, { minLength: 1, maxLength: 3 })]),
});
