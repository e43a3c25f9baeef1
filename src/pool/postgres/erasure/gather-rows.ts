import { asc, gt } from "drizzle-orm";
import type { Facts } from "../../../contract/people/facts.ts";
import type { Statements } from "../../../postgres/database.ts";
import type { Identifier } from "../../identifiers.ts";
import {
  createMentionPattern,
  type GatheredRows,
  gatherRow,
  startGathering,
} from "../../rows/gathered-rows.ts";
import { unpackText } from "../../rows/pack-developer.ts";
import { dossiers } from "../tables.ts";

/**
 * Follows identifiers from row to row until no row adds one: two logins from two sources are one person
 * if they share an address.
 *
 * @package
 */
export async function gatherRows(
  orm: Statements,
  seed: Iterable<Identifier>,
): Promise<GatheredRows> {
  const gathered = startGathering(seed);
  for (;;) {
    const before = gathered.identifiers.size;
    await gatherAfter(orm, gathered, 0);
    if (gathered.rowIds.size === 0 || gathered.identifiers.size === before) return gathered;
  }
}

/**
 * Examines the rows that were added since.
 *
 * @package
 * @returns false when one of them adds an identifier: then all rows must be examined again.
 */
export async function gatherNewerRows(orm: Statements, gathered: GatheredRows): Promise<boolean> {
  const before = gathered.identifiers.size;
  await gatherAfter(orm, gathered, gathered.newestRowId);
  return gathered.identifiers.size === before;
}

/** Rows that may be the person's. Most others are excluded by their text alone, without parsing it. */
async function gatherAfter(orm: Statements, gathered: GatheredRows, rowId: number): Promise<void> {
  const mention = createMentionPattern(gathered.identifiers);
  for await (const row of streamDossiers(orm, rowId)) {
    gathered.newestRowId = Math.max(gathered.newestRowId, row.rowId);
    const text = unpackText(row.facts);
    if (mention.test(text))
      gatherRow(gathered, { rowId: row.rowId, facts: JSON.parse(text) as Facts });
  }
}

const rowsAtOnce = 500;

/** @package */
export async function* streamDossiers(
  orm: Statements,
  after: number,
): AsyncGenerator<{ readonly rowId: number; readonly facts: Uint8Array }> {
  for (let last: number | undefined = after; last !== undefined; ) {
    const batch: { rowId: number; facts: Uint8Array }[] = await orm
      .select({ rowId: dossiers.rowId, facts: dossiers.facts })
      .from(dossiers)
      .where(gt(dossiers.rowId, last))
      .orderBy(asc(dossiers.rowId))
      .limit(rowsAtOnce);
    yield* batch;
    last = batch.at(-1)?.rowId;
  }
}
