/** What a forge tells that a repository is about is evidence of those who make it, and ends when the forge says otherwise. */
import { expect, test } from "bun:test";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { inventCommit, storeHistory } from "./invented-history.ts";
import { openData } from "./opened-data.ts";
import { openToldForge } from "./told-forge.ts";

const ada = "Ada Example <ada@corp.example>";
const ben = "Ben Sample <ben@corp.example>";

test("is told by the description and the topics, for makers alone", async () => {
  const { ledger, ingest, person } = openData();
  const forge = openToldForge();
  const vocabulary = createVocabulary();
  const tell = async (about: { description?: string; topics?: readonly string[] }) => {
    const urls = ["https://git.corp.example/corp/tool.git"];
    const repository = { number: "1", name: "corp/tool", owner: undefined, urls, isFork: false };
    forge.tell({ accounts: [], repositories: [{ ...repository, ...about }] });
    await ingest([], { files: forge.openFiles(), vocabulary });
  };
  const by = (author: string, times: number) =>
    Array.from({ length: times }, (_, at) =>
      inventCommit({ author, day: 20_700 + at, subject: "Add it", paths: ["a.go"] }, `${at}`),
    );
  storeHistory(ledger, {
    ...{ name: "tool", owner: "corp" },
    commits: [...by(ada, 12), ...by(ben, 2)],
  });
  const subjects = async (name: string) =>
    (await person(name))?.evidence
      .map((piece) => piece.name)
      .filter((one) => /^subject:/.test(one));
  await tell({ description: "A mail server written in Go", topics: ["game-engine"] });
  expect(await subjects("Ada Example")).toEqual([
    "subject:backend-development",
    "subject:email",
    "subject:game-development",
  ]);
  expect(await subjects("Ben Sample")).toEqual([]);
  await tell({ description: "A compiler" });
  expect(await subjects("Ada Example")).toEqual(["subject:compilers"]);
  await tell({});
  expect(await subjects("Ada Example")).toEqual([]);
});
