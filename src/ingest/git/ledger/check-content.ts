/**
 * Checks the content of the rows of ingest.db. Each history must unpack and have the number of commits that was counted when it
 * was read; the description of a repository must match its check. Other damage is not found. Reading the repositories again repairs
 * everything.
 */

import { type Check, collectFindings } from "../../../sqlite/check-database.ts";
import type { Database } from "../../../sqlite/database.ts";
import { iterateCommits } from "../commit/stored-commits.ts";
import { unpackWork } from "../commits/pack-tally.ts";
import { isDigestIntact } from "./counted-repository.ts";
import { readHistories } from "./rows.ts";

/** Yields and returns as `Check` says, with one repository a step. */
export function* checkLedgerContent(store: Database): Check {
  const histories = readHistories(store);
  let places: readonly { readonly id: number; readonly commits: number }[] = [];
  const faults = [
    ...collectFindings(() => {
      places = store.sqlite.readRows<(typeof places)[number]>`SELECT id, commits FROM place`;
      return [];
    }),
  ];
  let damaged = 0;
  for (const { id, commits } of places) {
    yield;
    const [fault] = collectFindings(() => {
      const { segments } = histories.history(id);
      const kept = iterateCommits(segments).reduce((sum) => sum + 1, 0);
      // A repository has the number of one of its places.
      const counted = store.sqlite.readRow<{ digest: string | null }>`
        SELECT json(roots), json(summary), json(standing), digest
        FROM place LEFT JOIN repository USING (id) WHERE id = ${id}`;
      if (counted?.digest && !isDigestIntact(counted.digest)) return ["changed"];
      const works = store.sqlite.readColumn<Uint8Array>`
        SELECT content FROM work WHERE repository_id = ${id}`;
      for (const content of works) unpackWork(content);
      return kept === commits ? [] : ["miscounted"];
    });
    if (fault !== undefined) damaged++;
  }
  if (damaged > 0)
    faults.push(`${damaged} of ${places.length} histories of repositories are damaged`);
  return faults;
}
