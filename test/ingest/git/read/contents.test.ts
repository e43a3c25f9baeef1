import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openGit } from "../../../../src/ingest/git/git-command.ts";
import { readContents } from "../../../../src/ingest/git/repository/contents.ts";
import { listTree } from "../../../../src/ingest/git/repository/objects.ts";
import { openLinguist } from "../../../../src/ingest/linguist/linguist.ts";
import { inventRepository, temporaryFolder } from "../invented-repository.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const linguist = openLinguist();

async function judge(files: Record<string, string>) {
  const directory = inventRepository(join(folder.path, `${Object.keys(files).length}.git`), [
    { files },
  ]);
  const git = openGit();
  const tree = await listTree(git, directory, "HEAD");
  const contents = await readContents(git, directory, tree, linguist);
  const paths = tree.map(({ path }) => path);
  return { contents, kindOf: linguist.forTree(paths, contents) };
}

test("files of the newest tree are judged by content, paths of the past by name", async () => {
  const { contents, kindOf } = await judge({
    "a.h": "#include <vector>\n",
    tool: "#!/usr/bin/env python3\n",
    "empty.c": "",
    "a.json": "{}\n",
    "big.h": `// ${"x".repeat(1_100_000)}\nclass A {};\n`,
    ".gitattributes": "*.q linguist-language=Rust\n",
  });
  expect(
    ["a.h", "tool", "empty.c", "a.json", "old.h"].map((path) => kindOf(path).language),
  ).toEqual(["C++", "Python", undefined, "JSON", "C++"]);
  expect(kindOf("old.q").language).toBe("Rust");
  expect([...contents.findings.keys()].sort()).toEqual(["a.h", "empty.c", "tool"]);
});

test("bytes that are no text do no harm", async () => {
  const { kindOf } = await judge({
    "a.h": "\u0000",
    "b.h": "\uFFFD caf\u00e9 std::x",
    "c.m": "\r\n\r\n",
  });
  expect(kindOf("a.h").language).toBeUndefined();
  expect(kindOf("b.h").language).toBe("C++");
});
