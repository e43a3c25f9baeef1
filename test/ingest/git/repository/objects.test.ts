import { expect, test } from "bun:test";
import { join } from "node:path";
import { openGit } from "../../../../src/ingest/git/git-command.ts";
import { readBlobs } from "../../../../src/ingest/git/repository/objects.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { inventRepository } from "../invented-repository.ts";

test("reading contents ends with the error of who reads, and leaves no git waiting", async () => {
  const text = "a();\n";
  const directory = inventRepository(join(makeFolder("git"), "a.git"), [
    { files: { "a.js": text, "b.js": text } },
  ]);
  const wanted = { files: [{ sha: "HEAD:a.js" }, { sha: "HEAD:b.js" }], bytesMax: 1000 };
  const seen: string[] = [];
  const read = readBlobs(openGit(), directory, wanted, ({ sha }, content) => {
    seen.push(`${sha} ${content}`);
    throw new Error("too many packages");
  });
  expect(read).rejects.toThrow("too many packages");
  await read.catch(() => undefined);
  expect(seen).toEqual([`HEAD:a.js ${text}`]);
});
