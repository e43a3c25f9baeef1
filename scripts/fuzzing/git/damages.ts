/** Contents of a folder beside its history that mislead or stop a reader. Texts are bytes. */
import fc from "fast-check";
import { anyBytes } from "../bytes.ts";

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

export const damages = fc.oneof<fc.Arbitrary<Damage>[]>(
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
    to: fc.constantFrom(
      "/dev/zero",
      "/dev/tty",
      "/nonexistent",
      ".",
      "../../good/.git/config",
      "HEAD",
    ),
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
