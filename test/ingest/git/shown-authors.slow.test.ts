/** Who is named in a repository without work there is in the pool, and so in `who`, while another repository has work of theirs. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openLedger } from "../../../src/ingest/ingest.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { describeData } from "./describe-data.ts";
import { type InventedRepository, inventCommit, storeHistory } from "./invented-history.ts";
import { openData } from "./opened-data.ts";

const [ada, ben] = ["Ada Example <ada@corp.example>", "Ben Sample <ben@corp.example>"];
const change = { day: 20_700, subject: "Add it", paths: ["a.go"] };

const reviewed: InventedRepository = {
  ...{ name: "reviewed", owner: "corp" },
  commits: [
    inventCommit({ ...change, author: ada, reviewers: [ben] }, "one"),
    inventCommit({ ...change, author: ben, day: 20_701, isMerge: true }, "merge"),
  ],
};
const written: InventedRepository = {
  ...{ name: "written", owner: "corp" },
  commits: [inventCommit({ ...change, author: ben, day: 20_702 }, "two")],
};

test("the next run names them in repositories that were left without", async () => {
  const data = openData();
  const file = join(makeFolder("shown"), "ingest.db");
  const ingest = async () => {
    const ledger = openLedger(file, { version: "1", now: () => new Date("2026-11-21T12:00:00Z") });
    for (const repository of [reviewed, written]) storeHistory(ledger, repository);
    await data.ingest([], { ledger });
    const told = await describeData({ pool: data.pool, ledger });
    ledger.close();
    return told;
  };
  const before = await ingest();
  const [root] = reviewed.commits;
  await data.pool.authorship.nameAuthors(`git.corp.example\ncorp/reviewed\n${root?.sha}`, []);
  const emptied = await data.pool.authorship.repositories();
  const [reviewedId = 0] = emptied.flatMap(({ id, name }) => (name === "corp/reviewed" ? id : []));
  expect(await data.pool.authorship.logins(reviewedId)).toEqual([]);
  expect(await ingest()).toBe(before);
});
