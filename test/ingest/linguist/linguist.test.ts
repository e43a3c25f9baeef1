import { describe, expect, test } from "bun:test";
import { openLinguist } from "../../../src/ingest/linguist/linguist.ts";

const linguist = openLinguist();
const bare = linguist.forTree([]);

describe("the language of a path", () => {
  for (const [path, language] of [
    ["a.go", "Go"],
    ["src/A.JAVA", "Java"],
    ["web/App.tsx", "TypeScript"],
    ["Dockerfile", "Dockerfile"],
    ["Makefile", "Makefile"],
    ["x.blade.php", "Blade"],
    ["x.php", "PHP"],
    ["x.h", "C"],
    ["x.md", "Markdown"],
    ["x.sql", "SQL"],
    ["x.rs", "Rust"],
    ["LICENSE", "Text"],
    ["x.unheard-of", undefined],
    [".gitignore", "Ignore List"],
    ["noextension", undefined],
  ] as const) {
    test(`${path} is ${language ?? "of none"}`, () => expect(bare(path).language).toBe(language));
  }

  test("an extension that languages share is settled by the files beside it", () => {
    const plus = linguist.forTree(["a.cpp", "b.cc", "c.h"]);
    const apple = linguist.forTree(["a.mm", "b.swift", "c.m"]);
    expect(plus("c.h").language).toBe("C++");
    expect(apple("c.m").language).toBe("Objective-C");
    expect(linguist.forTree(["a.pas", "b.pp"])("b.pp").language).toBe("Pascal");
  });
});

test("data and prose do not count as a person's languages, queries do", () => {
  const paths = ["a.py", "a.css", "a.sql", "a.json", "a.md", "a.yml"];
  expect(paths.filter((path) => bare(path).counts)).toEqual(["a.py", "a.css", "a.sql"]);
});

test("a deleted file has the language that its extension has in the newest tree", () => {
  const linguist = openLinguist();
  const translation = '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS version="2.1">\n';
  const findings = new Map(
    ["lang/de.ts", "lang/fr.ts"].map((path) => [path, linguist.examine(path, translation)]),
  );
  const kindOf = linguist.forTree(findings.keys(), { findings, attributes: [] });
  expect(kindOf("lang/gone.ts").language).toBe("XML");
  expect(linguist.forTree([])("lang/gone.ts").language).toBe("TypeScript");
});

test("a template is HTML where it says so, and deleted ones where others are or the name says so", () => {
  const examined = (path: string, content: string) =>
    [path, linguist.examine(path, content)] as const;
  const findings = new Map([examined("a.conf.erb", "<IfModule <%= name %>>\n</IfModule>\n")]);
  const kindOf = linguist.forTree(findings.keys(), { findings, attributes: [] });
  const paths = ["a.conf.erb", "gone.conf.erb", "gone.html.erb"];
  expect(paths.map((path) => kindOf(path).language)).toEqual([undefined, undefined, "HTML"]);
  findings.set(...examined("page.erb", "<p><%= name %></p>\n"));
  const beside = linguist.forTree(findings.keys(), { findings, attributes: [] });
  expect(beside("page.erb").language).toBe("HTML");
  expect(beside("gone.erb").language).toBe("HTML");
});

test("a .tmpl is Go's where it has actions of Go, and deleted ones where others are", () => {
  const of = (text: string) => {
    const findings = new Map([["a.tmpl", openLinguist().examine("a.tmpl", text)]]);
    const kindOf = openLinguist().forTree(findings.keys(), { findings, attributes: [] });
    return ["a.tmpl", "gone.tmpl"].map((path) => kindOf(path).language);
  };
  expect(of("{{ range .Items }}{{ .Name }}{{ end }}\n")).toEqual(["Go Template", "Go Template"]);
  for (const text of ['%TMPL:DEF{"title"}%\n', "<p>{{name}}{{#if a}}</p>\n"]) {
    expect(of(text)).toEqual([undefined, undefined]);
  }
});

test("a .shader is Unity's beside Unity's files, and GLSL elsewhere", () => {
  const kindOf = (...others: string[]) =>
    openLinguist().forTree(["a.shader", ...others])("a.shader");
  expect(kindOf("Player.cs", "Main.unity").language).toBe("ShaderLab");
  expect(kindOf("main.cpp", "b.glsl").language).toBe("GLSL");
});

test("what Linguist leaves out of its statistics is told", () => {
  const all = { vendored: true, generated: true, foreign: true };
  expect(bare("node_modules/a/index.js")).toMatchObject(all);
  expect(bare("docs/guide.md").documentation).toBe(true);
  expect(bare("web/yarn.lock").generated && bare("charts/Chart.lock").generated).toBe(true);
  expect(bare("react-router/index.js").vendored).toBe(false);
  expect(bare("third_party/z.c").foreign).toBe(true);
});

test("a folder or file that looks copied is own work where people write source over many commits", () => {
  const tree = [
    ...["dist/pack/main.go", "dist/app.js", "dist/license.txt", "external/jit.py", "jquery.js"],
    ...["third_party/zlib/inflate.c", "third_party/zlib/LICENSE", "deps/one.c", "vendor/a.c"],
    ...["vendor/b.c", "vendor/c.c", "vendor/d.c", "jquery/core.js"],
  ];
  const edits = (from: number, to: number, count: number) =>
    Array.from({ length: count }, () => ({
      files: Array.from({ length: to - from }, (_, at) => ({ path: from + at })),
    }));
  const each = tree.slice(0, 7).flatMap((_, at) => edits(at, at + 1, 20));
  const commits = () => [...each, ...edits(7, 8, 19), ...edits(8, 12, 11), ...edits(8, 9, 20)];
  const isSource = (path: string) => bare(path).counts;
  const written = linguist.findWritten({ tree, isSource, paths: tree, commits });
  expect([...written].sort()).toEqual(["dist/", "external/", "jquery.js"]);
  const kindOf = linguist.forTree(tree, undefined, written);
  expect(tree.filter((path) => kindOf(path).foreign)).toEqual([
    ...["dist/app.js", "third_party/zlib/inflate.c", "third_party/zlib/LICENSE", "deps/one.c"],
    ...["vendor/a.c", "vendor/b.c", "vendor/c.c", "vendor/d.c"],
  ]);
});

test("files of one's own work that Linguist calls vendored are not foreign", () => {
  const own = [".github/workflows/ci.yml", ".gitignore", "Jenkinsfile", "test/fixtures/a.js"];
  for (const path of [...own, "types/a.d.ts"]) {
    expect([path, bare(path).vendored, bare(path).foreign]).toEqual([path, true, false]);
  }
});
