import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compareCoAuthors } from "../../scripts/measure/git/co-authors.ts";
import { findException, readExceptions } from "../../scripts/measure/git/exceptions.ts";
import { compareLanguages, findRubyLinguist } from "../../scripts/measure/git/languages.ts";
import { compareSemantic, findCommitlint } from "../../scripts/measure/git/semantic.ts";
import { openLinguist } from "../../src/ingest/linguist/linguist.ts";
import { inventRepository } from "../ingest/git/invented-repository.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder("truth");

const listed = join(import.meta.dir, "../../scripts/measure/linguist-exceptions.tsv");

test("the written exceptions are read, each with a reason", () => {
  const exceptions = readExceptions(listed);
  expect(exceptions.length).toBeGreaterThan(100);
  expect(
    findException(exceptions, { path: "x/a.rs", ours: "Rust", theirs: "RenderScript" }),
  ).toBeDefined();
  expect(findException(exceptions, { path: "x/a.rs", ours: "C", theirs: "Rust" })).toBeUndefined();
  expect(
    findException(exceptions, { path: "x/a.c", ours: "Rust", theirs: "RenderScript" }),
  ).toBeUndefined();
});

test("a list of another form is refused with its line", () => {
  const path = join(folder, "list.tsv");
  writeFileSync(path, "path\tours\ttheirs\treason\n*.a\tA\tB\tbecause\n*.b\tA\tB\n");
  expect(() => readExceptions(path)).toThrow("list.tsv:3");
});

const repository = inventRepository(join(folder, "one.git"), [
  {
    message: "feat: add a\n\nCo-authored-by: Bo Example <bo@example.com>",
    files: { "a.h": "#include <vector>\n" },
  },
  {
    message: "add b\n\nCo-authored-by: Bo Example <bo@example.com>\nCo-authored-by: nobody",
    files: { run: "#!/bin/sh\n" },
  },
  { message: "fix(a)!: drop b", files: { "a.pl": "use strict;\n", "t.xyz": "" } },
  {
    message: "feature: more",
    files: { ".gitattributes": "*.xyz linguist-language=Go\n", "u.xyz": "x\n" },
  },
]);

test("co-authors are held against git's own count", async () => {
  const { agreement, misses } = await compareCoAuthors(repository);
  expect([agreement.all, agreement.row().value, misses]).toEqual([1, 1, []]);
});

const ruby = findRubyLinguist();
test.skipIf(!ruby)(
  "languages are held against Ruby's Linguist, .gitattributes included",
  async () => {
    const { agreement, misses } = await compareLanguages(repository, {
      linguist: openLinguist(),
      exceptions: readExceptions(listed),
    });
    expect([agreement.all, agreement.row().value, misses]).toEqual([6, 1, []]);
  },
);

const lint = await findCommitlint();
test.skipIf(!lint)("the semantic form is held against commitlint", async () => {
  if (!lint) return;
  const { agreement, misses } = await compareSemantic(repository, lint);
  expect([agreement.all, agreement.row().value, misses]).toEqual([4, 1, []]);
});
