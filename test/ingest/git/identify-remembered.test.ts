/** Erasures that another node makes, or adds to, reach this node's ledger, whenever they come. */
import { expect, test } from "bun:test";
import { type Ledger, openLedger } from "../../../src/ingest/ingest.ts";
import { inventCommit, storeHistory } from "./invented-history.ts";
import { openData } from "./opened-data.ts";

const day = 20_700;

/** @param changes author, and the address in the commit. */
function store(ledger: Ledger, name: string, changes: readonly (readonly [string, string?])[]) {
  const commits = changes.map(([author, rawEmail], at) =>
    inventCommit({ author, rawEmail, day: day + at, subject: "Add it", paths: ["a.go"] }, name),
  );
  storeHistory(ledger, { name, owner: "corp", commits });
}

const namesIn = ({ sqlite }: Ledger) =>
  sqlite.readColumn<string>`SELECT name FROM spelling ORDER BY id`;

test("what another node adds to an erasure is erased from the ledger of this one", async () => {
  const { ledger, pool, ingest } = openData();
  const other = openLedger(":memory:", { version: "test", now: () => new Date("2026-11-21") });
  store(ledger, "here", [["A. Other <ada@home.example>"], ["Ben Sample <ben@corp.example>"]]);
  store(other, "there", [["Ada Example <ada@corp.example>"]]);
  await ingest([]);
  await ingest([], { ledger: other });
  await pool.erasing.hide("ada@corp.example");
  await ingest([]);
  await ingest([], { ledger: other });
  expect(namesIn(ledger)).toEqual(["A. Other", "Ben Sample"]);
  // A mailmap there tells that both addresses are one person's.
  store(other, "told", [["Ada Example <ada@home.example>", "ada@corp.example"]]);
  await ingest([], { ledger: other });
  await ingest([]);
  expect(namesIn(ledger)).toEqual(["Ben Sample"]);
  other.close();
});

test("somebody whom another node erases during a run is erased from the ledger by the next", async () => {
  const { ledger, pool, ingest } = openData();
  const authors = [["Ada Example <ada@corp.example>"], ["Ben Sample <ben@corp.example>"]] as const;
  store(ledger, "here", authors);
  await pool.erasing.hide("cy@corp.example", { evenIfUnknown: true });
  const lock = await pool.lockImports("git");
  const beginImport: typeof pool.beginImport = async (source) => {
    await pool.erasing.hide("ada@corp.example", { evenIfUnknown: true });
    return lock.beginImport(source);
  };
  await ingest([], { lock: { ...lock, beginImport } });
  await lock.release();
  expect(namesIn(ledger)).toEqual(["Ada Example", "Ben Sample"]);
  await ingest([]);
  expect(namesIn(ledger)).toEqual(["Ben Sample"]);
});
