import { gt } from "drizzle-orm";
import type { Facts } from "../../../contract/people/facts.ts";
import type { Database } from "../../../sqlite/database.ts";
import type { Identifier } from "../../identifiers.ts";
import {
  createMentionPattern,
  type GatheredRows,
  gatherRow,
  startGathering,
} from "../../rows/gathered-rows.ts";
import { unpackText } from "../../rows/pack-developer.ts";
import { streamRows } from "../reading/read-pool.ts";
import { dossiers } from "../tables.ts";

/**
 * Follows identifiers from row to row until no row adds one: two logins from two sources are one person
 * if they share an address.
 *
 * @package
 */
export function gatherRows(store: Database, seed: Iterable<Identifier>): GatheredRows {
  const gathered = startGathering(seed);
  for (;;) {
    const before = gathered.identifiers.size;
    for (const row of rowsAfter(store, gathered, 0)) gatherRow(gathered, row);
    if (gathered.rowIds.size === 0 || gathered.identifiers.size === before) return gathered;
  }
}

/**
 * Examines the rows that were added since.
 *
 * @package
 * @returns false when one of them adds an identifier: then all rows must be examined again.
 */
export function gatherNewerRows(store: Database, gathered: GatheredRows): boolean {
  const before = gathered.identifiers.size;
  for (const row of [...rowsAfter(store, gathered, gathered.newestRowId)]) gatherRow(gathered, row);
  return gathered.identifiers.size === before;
}

/** Rows that may be the person's. Most others are excluded by their text alone, without parsing it. */
function* rowsAfter(
  store: Database,
  gathered: GatheredRows,
  rowId: number,
): Generator<{ rowId: number; facts: Facts }> {
  const query = store.orm
    .select({ rowId: dossiers.rowId, facts: dossiers.facts })
    .from(dossiers)
    .where(gt(dossiers.rowId, rowId))
    .orderBy(dossiers.rowId);
  const mention = createMentionPattern(gathered.identifiers);
  for (const row of streamRows<{ row_id: number; facts: Uint8Array }>(store, query.toSQL())) {
    gathered.newestRowId = Math.max(gathered.newestRowId, row.row_id);
    const text = unpackText(row.facts);
    if (mention.test(text)) yield { rowId: row.row_id, facts: JSON.parse(text) as Facts };
  }
}
