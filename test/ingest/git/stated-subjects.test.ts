/** What a forge tells that a repository is about is evidence of those who make it, and ends when the forge says otherwise. */

import { expect, test } from "bun:test";
import { freezeForges } from "../../../src/ingest/forges/forge-content.ts";
import { openForgeLedger } from "../../../src/ingest/forges/forge-ledger.ts";
import { addSource } from "../../../src/ingest/forges/sources.ts";
import { putPage } from "../../../src/ingest/forges/walk-pages.ts";
import { endWalk, findStep, openWalk } from "../../../src/ingest/forges/walks.ts";
import { noFiles } from "../../../src/ingest/git/identify/rules.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { inventCommit, storeHistory } from "./invented-history.ts";
import { openData } from "./opened-data.ts";

const ada = "Ada Example <ada@corp.example>";
const ben = "Ben Sample <ben@corp.example>";

function openForge() {
  const forges = openForgeLedger(":memory:");
  addSource(forges, {
    ...{ id: "corp", kind: "gitea", url: "https://git.corp.example", forge: "git.corp.example" },
    selections: [{ kind: "all" }],
  });
  let walks = 0;
  const tell = (about: { description?: string; topics?: readonly string[] }) => {
    const walk = openWalk(forges, "corp", [{ name: `all ${walks++}`, ask: "all" }]);
    const step = findStep(walk);
    if (!step) throw new Error("A walk without a step.");
    const urls = ["https://git.corp.example/corp/tool.git"];
    const repository = {
      number: "1",
      name: "corp/tool",
      owner: undefined,
      urls,
      isFork: false,
      ...about,
    };
    putPage(
      walk,
      step,
      { accounts: [], repositories: [repository], hidden: 0, next: undefined },
      () => false,
    );
    endWalk(walk, "2026-11-21T00:00:00Z");
  };
  return { forges, tell };
}

test("is told by the description and the topics, for makers alone", async () => {
  const { ledger, ingest, person } = openData();
  const { forges, tell } = openForge();
  const vocabulary = createVocabulary();
  const ingestTold = () =>
    ingest([], { files: { ...noFiles, forges: freezeForges(forges) }, vocabulary });
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
  tell({ description: "A mail server written in Go", topics: ["game-engine"] });
  await ingestTold();
  expect(await subjects("Ada Example")).toEqual([
    "subject:backend-development",
    "subject:email",
    "subject:game-development",
  ]);
  expect(await subjects("Ben Sample")).toEqual([]);
  tell({ description: "A compiler" });
  await ingestTold();
  expect(await subjects("Ada Example")).toEqual(["subject:compilers"]);
  tell({});
  await ingestTold();
  expect(await subjects("Ada Example")).toEqual([]);
});
