/** By what people are found, row by row: short texts beside the facts, so that an index over everybody reads fast. */
import { and, eq, gt, sql } from "drizzle-orm";
import type { Assessment } from "../../contract/people/assessment.ts";
import { type Database, prepareOnce } from "../../sqlite/database.ts";
import type { FindableDeveloper } from "../pool.ts";
import { parseStored, unpackJson } from "../rows/pack-developer.ts";
import { type FindingKeys, toFindingKeys, unpackFindable } from "../rows/pack-findable.ts";
import { cards, developers, dossiers, findables } from "./tables.ts";
import { isVisible } from "./visible.ts";

const rowsAtOnce = 256;

/**
 * Streams by login in code-unit order of its lower case; rows without stored keys are read from their facts. No
 * statement stays open between two batches, because a server that streams must go on seeing what others write.
 *
 * @package
 */
export function createFindableStream(store: Database): () => Generator<FindableDeveloper> {
  const batchAfter = prepareOnce(() =>
    store.orm
      .select({
        rowId: developers.rowId,
        loginKey: developers.loginKey,
        keys: findables.keys,
      })
      .from(developers)
      .leftJoin(findables, eq(findables.rowId, developers.rowId))
      .where(and(gt(developers.loginKey, sql.placeholder("last")), isVisible(store)))
      .orderBy(developers.loginKey)
      .limit(rowsAtOnce),
  );
  return function* () {
    for (let last: string | undefined = ""; last !== undefined; ) {
      const batch = batchAfter().all({ last });
      for (const { rowId, keys } of batch) {
        const found = keys === null ? readKeys(store, rowId) : unpackFindable(parseStored(keys));
        if (found) yield { rowId, ...found };
      }
      last = batch.at(-1)?.loginKey;
    }
  };
}

/** @returns undefined when the row was erased since it was listed. */
function readKeys({ orm }: Database, rowId: number): FindingKeys | undefined {
  const row = orm
    .select({ facts: dossiers.facts, analysis: dossiers.analysis, card: cards.card })
    .from(dossiers)
    .innerJoin(cards, eq(cards.rowId, dossiers.rowId))
    .where(eq(dossiers.rowId, rowId))
    .get();
  return (
    row &&
    toFindingKeys({
      facts: unpackJson(row.facts) as Assessment["facts"],
      analysis: unpackJson(row.analysis) as Assessment["analysis"],
      card: parseStored(row.card) as Assessment["card"],
    })
  );
}
