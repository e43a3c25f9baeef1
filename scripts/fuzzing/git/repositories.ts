/** Repositories as whoever can commit, or hand over a folder, may make them. Texts are bytes. */
import fc from "fast-check";
import { anyBytes, fromText } from "../bytes.ts";
import { oddTexts } from "../json-values.ts";

export interface HostileCommit {
  /** What stands between `author ` and the date. */
  readonly author: string;
  readonly seconds: number;
  readonly zone: string;
  readonly message: string;
  readonly files: readonly HostileFile[];
  /** How many commits back; none: a root. */
  readonly parents: readonly number[];
}

export interface HostileFile {
  readonly mode: "100644" | "100755" | "120000" | "160000";
  readonly path: string;
  readonly content: string;
}

export type Damage =
  | { readonly kind: "config"; readonly text: string }
  | { readonly kind: "file"; readonly path: string; readonly content: string }
  | { readonly kind: "link"; readonly path: string; readonly to: string }
  | { readonly kind: "pipe"; readonly path: string }
  | {
      readonly kind: "object";
      readonly how: "cut" | "empty" | "remove" | "spoil";
      readonly pick: number;
    };

export interface HostileRepository {
  readonly isBare: boolean;
  readonly commits: readonly HostileCommit[];
  /** A last commit object of these very bytes, which no git would write; `{tree}` and `{parent}` are filled in. */
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
/** Git's importer takes none of these in a name; literal commits have them. */
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

/** Git's importer refuses empty parts, dots and NULs. */
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
  parents: fc.oneof(
    { weight: 6, arbitrary: fc.constant([1]) },
    { weight: 2, arbitrary: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 8 }) },
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

/** `{canary}` is a program that must never run. */
const configs = fc
  .constantFrom(
    ...[
      "core.fsmonitor",
      "core.pager",
      "core.sshCommand",
      "core.editor",
      "core.gitProxy",
      "core.alternateRefsCommand",
    ],
    ...[
      "diff.external",
      "diff.evil.textconv",
      "diff.evil.command",
      "filter.evil.clean",
      "filter.evil.smudge",
    ],
    ...[
      "filter.evil.process",
      "credential.helper",
      "gpg.program",
      "uploadpack.packObjectsHook",
      "interactive.diffFilter",
    ],
    ...[
      "pager.log",
      "pager.cat-file",
      "alias.log",
      "core.askPass",
      "merge.evil.driver",
      "trailer.x.cmd",
    ],
  )
  .map((key) => {
    const [section, ...rest] = key.split(".");
    const name = rest.pop();
    const quoted = rest.length > 0 ? ` "${rest.join(".")}"` : "";
    const bang = section === "alias" ? "!" : "";
    return `[${section}${quoted}]\n\t${name} = ${bang}{canary}\n`;
  });
const settings = fc.constantFrom(
  ...[
    "[core]\n\thooksPath = {folder}\n\tworktree = /\n",
    "[core]\n\tbare = maybe\n",
    "[core]\n\trepositoryformatversion = 99\n",
  ],
  ...[
    "[core]\n\tattributesFile = /dev/zero\n",
    "[diff]\n\torderFile = /dev/zero\n\trenameLimit = 999999999\n",
  ],
  ...[
    "[mailmap]\n\tblob = HEAD:.mailmap\n\tfile = /dev/zero\n",
    "[include]\n\tpath = /dev/zero\n",
    "[include]\n\tpath = config\n",
  ],
  ...[
    "[log]\n\tshowSignature = true\n\tdate = format:%n%n\n",
    "[i18n]\n\tlogOutputEncoding = utf-16\n\tcommitEncoding = x\n",
  ],
  ...[
    "[format]\n\tpretty = %n%B%n\n",
    "[color]\n\tui = always\n",
    "[log]\n\tmailmap = false\n\tfollow = true\n",
  ],
  ...[
    "[extensions]\n\tobjectFormat = sha256\n",
    "[extensions]\n\tpartialClone = o\n",
    "[extensions]\n\tnonsense = 1\n",
  ],
  '[remote "o"]\n\turl = ext::{canary} x\n\tpromisor = yes\n\tpartialclonefilter = blob:none\n[protocol "ext"]\n\tallow = always\n',
  '[remote "origin"]\n\turl = \\"\\u001b[31m/../../x y.git\n[url "ext::{canary}"]\n\tinsteadOf = x\n',
  ...[
    "[core]\n\tcommitGraph = true\n\tmultiPackIndex = true\n\tbigFileThreshold = 1\n",
    "[gc]\n\tauto = 1\n",
    "[",
    "\0",
    "[core",
  ],
);

const otherFiles = fc.record({
  kind: fc.constant("file" as const),
  path: fc.constantFrom(
    ...[
      "HEAD",
      "packed-refs",
      "shallow",
      "info/grafts",
      "info/attributes",
      "objects/info/alternates",
    ],
    ...[
      "objects/info/commit-graph",
      "objects/pack/pack-x.idx",
      "refs/heads/main",
      "config.worktree",
      "commondir",
    ],
    ...["../.mailmap", "hooks/post-index-change", "refs/replace/x", "index", "../.gitattributes"],
  ),
  content: fc.oneof(
    fc.constantFrom(
      ...[
        "ref: refs/heads/none\n",
        "ref: refs/heads/../../../x\n",
        "ref: HEAD\n",
        `${"0".repeat(40)}\n`,
        "x",
        "",
      ],
      ...[
        "/dev/zero\n",
        "..\n",
        "../../good/objects\n",
        `# pack-refs with: peeled\n${"1".repeat(40)} refs/heads/main\n`,
      ],
      ...[
        "* filter=evil\n",
        "A <a@b> <ada@example.com>\n".repeat(3000),
        `${"<".repeat(50_000)}`,
        "#!/bin/sh\n{canary}\n",
      ],
    ),
    anyBytes(300),
  ),
});

const damages = fc.oneof<fc.Arbitrary<Damage>[]>(
  fc.record({ kind: fc.constant("config" as const), text: configs }),
  fc.record({ kind: fc.constant("config" as const), text: settings }),
  otherFiles,
  fc.record({
    kind: fc.constant("link" as const),
    path: fc.constantFrom(
      "../.mailmap",
      "HEAD",
      "config",
      "objects/info/alternates",
      "refs/heads/main",
      "../.gitattributes",
    ),
    to: fc.constantFrom("/dev/zero", "/dev/tty", "/nonexistent", ".", "/etc/passwd", "HEAD"),
  }),
  fc.record({
    kind: fc.constant("pipe" as const),
    path: fc.constantFrom(
      "../.mailmap",
      "info/attributes",
      "packed-refs",
      "shallow",
      "objects/info/alternates",
      "info/grafts",
    ),
  }),
  fc.record({
    kind: fc.constant("object" as const),
    how: fc.constantFrom("cut", "empty", "remove", "spoil"),
    pick: fc.nat(1000),
  }),
);

export const repositories: fc.Arbitrary<HostileRepository> = fc.record({
  isBare: fc.boolean(),
  commits: fc.array(commits, { maxLength: 12 }),
  literal: fc.option(literals, { nil: undefined, freq: 3 }),
  damages: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(damages, { minLength: 1, maxLength: 3 }) },
  ),
});
