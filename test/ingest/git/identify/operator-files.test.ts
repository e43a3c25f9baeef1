import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { formatSelector, parseSelector } from "../../../../src/identity/selector.ts";
import { readOperatorFiles } from "../../../../src/ingest/git/identify/operator-files.ts";
import {
  createIdentityRules,
  createLineMatcher,
  matchesSelector,
} from "../../../../src/ingest/git/identify/rules.ts";
import { makeFolder } from "../../../temporary-folder.ts";

const folder = makeFolder("git");

function read(files: { readonly aliases?: string; readonly classes?: string }) {
  const paths = { aliases: join(folder, "aliases"), classes: join(folder, "classes") };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(paths[name as keyof typeof paths], text);
  }
  return readOperatorFiles({
    aliasFile: files.aliases === undefined ? undefined : paths.aliases,
    classFile: files.classes === undefined ? undefined : paths.classes,
    names: "repository",
  });
}

const said = (aliases: string) =>
  read({ aliases }).statements.map(
    ({ kind, a, b }) => `${kind} ${formatSelector(a)} ${formatSelector(b)}`,
  );

test("a mark is read from the text that shows it", () => {
  const marks =
    "ada@example.com,Ada Example <root@localhost>,Ada <>,<adam>,github.com/ada,Ada <github.com/ada>,@ada," +
    "github.com/helper[bot],*@build.example.com,Build Server";
  for (const text of marks.split(",")) {
    const mark = parseSelector(text);
    expect(mark && formatSelector(mark)).toBe(text);
  }
  for (const none of ["", " ", "<>", "Ada <ada@example.com", "a <b> c"]) {
    expect(parseSelector(none)).toBeUndefined();
  }
  expect(parseSelector("<ADA@Example.com>")?.address).toBe("ada@example.com");
});

describe("the alias file", () => {
  test("is a mailmap: every form of one is taken, comments and blank lines are passed over", () => {
    const text = [
      "# Who is whom.",
      "",
      "Ada Example <old@example.net>",
      "<ada@example.com> <ada@example.org>",
      "Ada Example <ada@example.com> <a@example.org>  # at work",
      "Ada Example <ada@example.com> A. <team@example.org>",
      "Ada Example <ada@example.com> <(no author)>",
    ];
    expect(said(text.join("\r\n"))).toEqual([
      "same ada@example.com ada@example.org",
      "same ada@example.com a@example.org",
      "same ada@example.com A. <team@example.org>",
      "same ada@example.com <(no author)>",
    ]);
    expect(read({ aliases: text.join("\n") }).names.map(({ name }) => name)).toContain(
      "Ada Example",
    );
  });

  test("takes accounts, and who is not whom", () => {
    expect(
      said("<github.com/Ada> <ada@example.com>\n<ada@example.com> != Ada <@ada-two>  # sisters\n"),
    ).toEqual(["same github.com/ada ada@example.com", "different ada@example.com Ada <@ada-two>"]);
  });

  test("a line that says nothing is refused with file, line and what would be right", () => {
    for (const [line, what] of [
      ["Ada Example", "is no alias"],
      ["<ada@example.com>", "says nothing of ada@example.com"],
      ["<ada@example.com> <b@example.com> <c@example.com>", "is no alias"],
      ["<ada@example.com> = <b@example.com>", '"=" is no name'],
      ["<ada@example.com> <>", "names nobody"],
      ["Ada <*@example.com>", "means many people"],
    ] as const) {
      expect(() => read({ aliases: `# first\n${line}\n` })).toThrow(
        new RegExp(`aliases:2: .*${what}.*Proper Name <commit@mail>`),
      );
    }
  });

  test("a file that is not there is named with its setting", () => {
    const aliasFile = join(folder, "none");
    const missing = { aliasFile, classFile: undefined, names: "repository" } as const;
    expect(() => readOperatorFiles(missing)).toThrow(/identity\.aliasFile: .*none does not exist/);
  });
});

describe("the class file", () => {
  test("says whom a class is for, and why", () => {
    const { classes } = read({
      classes:
        "bot <*@build.example.com> # builds\nhuman <@ada-bot>\nassistant Helper AI # ours\n" +
        "bot Nightly <root@localhost>#x\n",
    });
    expect(
      classes.map(({ class: kind, mark, reason }) => [kind, formatSelector(mark), reason]),
    ).toEqual([
      ["bot", "*@build.example.com", "builds"],
      ["human", "@ada-bot", "The operator says so."],
      ["assistant", "Helper AI", "ours"],
      ["bot", "Nightly <root@localhost>", "x"],
    ]);
  });

  test("a mistake is refused with file, line and what would be right", () => {
    for (const [line, what] of [
      ["robot <x@example.com>", '"robot" is no class'],
      ["bot", "does not say whom it means"],
      ["bot # reason", "does not say whom it means"],
    ] as const) {
      expect(() => read({ classes: `\n${line}\n` })).toThrow(
        new RegExp(`classes:2: .*${what}.*human, bot, assistant or nobody`),
      );
    }
    const both = "bot <x@example.com>\nhuman <X@example.com>\n";
    expect(() => read({ classes: both })).toThrow(/classes:2: .*a bot at .*classes:1/);
  });
});

test("the fingerprint follows what is said, in files and by decisions", () => {
  const of = (aliases: string) => createIdentityRules(read({ aliases }), []).fingerprint();
  const line = "<ada@example.com> <a@example.com>\n";
  expect(of(line)).toBe(of(line));
  expect(of("<ada@example.com> <b@example.com>\n")).not.toBe(of(line));
  const decision = { id: "dec_1", kind: "same", a: "ada@example.com", b: "a@example.com" } as const;
  expect(createIdentityRules(read({ aliases: "" }), [decision]).fingerprint()).not.toBe(of(""));
});

test("among thousands of lines those are found that mean a spelling, as if each were asked", () => {
  const marks = "ada@a.example,*@a.example,Ada,Ada <ada@a.example>,github.com/ada,@ada".split(",");
  const lines = fc.array(
    fc.constantFrom(...marks, ...marks.map((mark) => mark.replace(/ada/i, "ben"))),
  );
  const address = fc.constantFrom("ada@a.example", "ben@a.example", "ada@b.example", "nobody", "");
  const spelling = fc.record({
    name: fc.constantFrom("Ada", "ADA", "Ben", ""),
    email: address,
    rawEmail: address,
    account: fc.constantFrom(
      undefined,
      { forge: "github.com", login: "Ada", id: undefined },
      { forge: "gitlab.com", login: "ben", id: "1" },
    ),
  });
  fc.assert(
    fc.property(lines, spelling, (texts, one) => {
      const told = texts.flatMap((text, at) => {
        const mark = parseSelector(text);
        return mark ? [{ mark, at }] : [];
      });
      expect(createLineMatcher(told)(one)).toEqual(
        told.filter(({ mark }) => matchesSelector(mark, one)),
      );
    }),
  );
});
