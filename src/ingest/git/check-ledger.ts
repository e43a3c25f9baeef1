/** Checks ingest.db. Histories and counts must unpack, and each history must have as many commits as its row states. */
import { Fault } from "../../contract/fault.ts";
import {
  type Check,
  checkStructure,
  collectFindings,
  runCheck,
} from "../../sqlite/check-database.ts";
import type { Database } from "../../sqlite/database.ts";
import { iterateCommits } from "./commit/stored-commits.ts";
import { readAuthors } from "./identify/author-rows.ts";
import { readParts } from "./identify/identified-people.ts";
import { readStoredHistory } from "./ledger/histories.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { readTally } from "./tally/tally-rows.ts";

/** @throws Fault when the ledger is damaged. The check of a large ledger takes seconds. */
export function requireIntact(ledger: Ledger): void {
  const checks = [checkStructure(ledger), checkLedgerContent(ledger)];
  const [found] = checks.flatMap((check) => [...runCheck(check)]);
  if (found) throw new Fault("damaged_ledger", `${ledger.path} is damaged: ${found}.`);
}

/** Checks one repository at each step. */
export function* checkLedgerContent(store: Database): Check {
  const { sqlite } = store;
  // The counts of an older form are not checked, because they will be counted again.
  const isCounted = sqlite.readValue`SELECT 1 FROM sqlite_schema WHERE name = 'identity'` === 1;
  let places: readonly { readonly id: number; readonly commits: number }[] = [];
  const found = collectFindings(() => {
    places = sqlite.readRows<(typeof places)[number]>`SELECT id, commits FROM place`;
    if (isCounted) readParts(sqlite);
    if (isCounted) readAuthors(sqlite);
    return [];
  });
  let damaged = 0;
  for (const { id, commits } of places) {
    yield;
    const [fault] = collectFindings(() => {
      const { segments } = readStoredHistory(sqlite, id);
      const stored = iterateCommits(segments).reduce((sum) => sum + 1, 0);
      if (isCounted) readTally(sqlite, id);
      sqlite.readRows`SELECT json(roots) FROM place WHERE id = ${id}`;
      return stored === commits ? [] : ["miscounted"];
    });
    if (fault !== undefined) damaged++;
  }
  if (damaged === 0) return found;
  return [...found, `${damaged} of ${places.length} histories of repositories are damaged`];
}
