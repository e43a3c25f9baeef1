import { describe, expect, test } from "bun:test";
import { openLinguist } from "../../../src/ingest/linguist/linguist.ts";

const linguist = openLinguist();

function kindOf(path: string, ...files: (readonly [path: string, text: string])[]) {
  const attributes = files.map(([at, text]) => ({ path: at, text }));
  return linguist.forTree([path], { findings: new Map(), attributes })(path);
}

describe(".gitattributes say what a file is", () => {
  test("its language, by name or alias in any case", () => {
    for (const [path, text, language] of [
      ["a.inc", "*.inc linguist-language=php\n", "PHP"],
      ["x/a.z", "*.z linguist-language=Objective-C++", "Objective-C++"],
      ["a.c", "*.c linguist-language=unheard-of", "C"],
    ] as const) {
      expect(kindOf(path, [".gitattributes", text]).language).toBe(language);
    }
  });

  test("whether it is vendored, generated, documentation, or counts", () => {
    const text =
      "vendor/** -linguist-vendored\n/api/*.ts linguist-generated\n*.json linguist-detectable\n" +
      "*.py linguist-detectable=false linguist-vendored linguist-documentation=true";
    const of = (path: string) => kindOf(path, [".gitattributes", text]);
    expect(of("vendor/a/b.c")).toMatchObject({ vendored: false, foreign: false });
    expect([of("api/a.ts").generated, of("x/api/a.ts").generated]).toEqual([true, false]);
    expect(of("a.json").counts).toBe(true);
    const python = { counts: false, vendored: true, foreign: true, documentation: true };
    expect(of("a.py")).toMatchObject(python);
  });

  test("the deeper file and the later line win, and ! takes back", () => {
    const top = [".gitattributes", "*.x linguist-language=C\n*.x linguist-language=Rust"] as const;
    const deep = ["a/.gitattributes", "*.x linguist-language=Go"] as const;
    const back = ["a/b/.gitattributes", "*.x !linguist-language"] as const;
    expect(kindOf("m.x", top, deep, back).language).toBe("Rust");
    expect(kindOf("a/m.x", deep, top, back).language).toBe("Go");
    expect(kindOf("a/b/m.x", back, deep, top).language).not.toBe("Go");
  });

  test("patterns fit as git's do", () => {
    const fits = (pattern: string, path: string): boolean =>
      kindOf(path, [".gitattributes", `${pattern} linguist-generated`]).generated;
    for (const [pattern, path, does] of [
      ["*.c", "a/b/x.c", true],
      ["a/*.c", "a/x.c", true],
      ["a/*.c", "a/b/x.c", false],
      ["a/**", "a/b/x.c", true],
      ["**/b/*.c", "a/b/x.c", true],
      ["a/**/x.c", "a/x.c", true],
      ["[a-c].c", "b.c", true],
      ["[!a-c].c", "b.c", false],
      ["x?.c", "x1.c", true],
      ["x.c", "xyc", false],
      ["a/", "a/x.c", false],
      ["!x.c", "x.c", false],
      ['"a b.c"', "a b.c", true],
      ["[", "x.c", false],
      ["[z-a].c", "x.c", false],
      ["a.(c", "x.c", false],
    ] as const) {
      expect([pattern, path, fits(pattern, path)]).toEqual([pattern, path, does]);
    }
  });

  test("macros of the file at the root stand for what they set", () => {
    const top = [
      ".gitattributes",
      [
        "[attr]ours linguist-vendored",
        "[attr]both ours linguist-generated -linguist-documentation",
        "[attr]other text",
        "mac/** ours",
        "mac/not/** -ours",
        "mac/no.c !ours",
        "mac/again.c linguist-vendored=false",
        "docs/both/** both",
        "word/** ours=yes",
        "other/** other",
        "[attr]late linguist-generated",
      ].join("\n"),
    ] as const;
    const deep = ["sub/.gitattributes", "[attr]ours linguist-generated\n*.c ours late"] as const;
    const of = (path: string) => {
      const { vendored, generated, documentation } = kindOf(path, deep, top);
      return { vendored, generated, documentation };
    };
    const none = { vendored: false, generated: false, documentation: false };
    expect(of("mac/m.c")).toEqual({ ...none, vendored: true });
    for (const path of ["mac/not/m.c", "mac/no.c", "mac/again.c", "word/m.c", "other/m.c"]) {
      expect([path, of(path)]).toEqual([path, none]);
    }
    for (const path of ["docs/both/m.c", "sub/m.c"]) {
      expect([path, of(path)]).toEqual([path, { ...none, vendored: true, generated: true }]);
    }
  });

  test("a path that the tree no longer has is judged by them too", () => {
    const attributes = [{ path: ".gitattributes", text: "*.inc linguist-language=PHP" }];
    const judge = linguist.forTree([], { findings: new Map(), attributes });
    expect(judge("gone/a.inc").language).toBe("PHP");
  });
});
