/** Whatever is decided, in whatever order: the never-rules hold, each decision does what it says, and all can be undone. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { isFault } from "../../../../src/contract/fault.ts";
import { openGit } from "../../../../src/ingest/git/git-command.ts";
import { noFiles } from "../../../../src/ingest/git/identify/rules.ts";
import { readRepositories } from "../../../../src/ingest/git/read-repositories.ts";
import { findRepositories } from "../../../../src/ingest/git/repository/find-repositories.ts";
import {
  createIdentityOverview,
  openLedger,
  recordDecision,
} from "../../../../src/ingest/ingest.ts";
import { openSqlitePool } from "../../../../src/pool/sqlite/sqlite-pool.ts";
import { rounds } from "../../../long.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { inventRepository } from "../invented-repository.ts";
import { vocabulary } from "../read.ts";

const folder = makeFolder("git");

const authors = [
  "Ada Example <ada@example.com>",
  "ada <ada@example.com>",
  "Ada Example <a.example@work.example.org>",
  "Ada <1+ada-example@users.noreply.github.com>",
  "Ben Sample <2+ben-sample@users.noreply.github.com>",
  "Ben Sample <ben@example.org>",
  "Ada <root@localhost>",
  "Ben <root@localhost>",
  "helper[bot] <helper@example.com>",
  "Cara <old@example.net>",
  "Cara Third <cara@example.net>",
];
const mailmap = "Cara Third <cara@example.net> <old@example.net>\n";
const ledger = openLedger(":memory:", { version: "test", now: () => new Date(0) });
const path = inventRepository(
  join(folder, "one"),
  authors.map((author, at) => ({
    author,
    files: at === 0 ? { ".mailmap": mailmap } : { [`${at}.js`]: "1\n" },
  })),
);
await readRepositories(openGit(), findRepositories([path]), { ledger, vocabulary });

const step = fc.record({
  verb: fc.constantFrom("merge", "split"),
  a: fc.constantFrom(...authors),
  b: fc.constantFrom(...authors),
});

test("merges and splits in any order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 7 }), async (steps) => {
      const pool = openSqlitePool(":memory:", { now: () => new Date(0) });
      const sources = { ledger, pool, files: noFiles, asOf: "2026-11-21" };
      const asked = () => createIdentityOverview(sources);
      const partition = async () =>
        (await asked())
          .list()
          .map(({ spellings }) => spellings.map((one) => JSON.stringify(one)).sort());
      const before = await partition();
      for (const { verb, a, b } of steps) {
        const held = await pool.decisions.list();
        try {
          await recordDecision(sources, verb, { a, b, reason: undefined, by: "operator" });
        } catch (error) {
          if (!isFault(error)) throw error;
          expect(await pool.decisions.list()).toEqual(held);
          continue;
        }
        const who = await asked();
        const [one, other] = [who.find(a)[0]?.login, who.find(b)[0]?.login];
        expect(one === other).toBe(verb === "merge");
        for (const known of who.list()) {
          expect(known.accounts.length).toBeLessThanOrEqual(1);
          expect(known.joins).toHaveLength(known.spellings.length - 1);
          const isMachine = known.spellings.some(({ name }) => name === "helper[bot]");
          if (isMachine) expect(known.spellings).toHaveLength(1);
        }
      }
      for (const { id } of await pool.decisions.list()) await pool.decisions.undo(id);
      expect(await partition()).toEqual(before);
      await pool.close();
    }),
    { numRuns: rounds(60) },
  );
});
