import { inArray } from "drizzle-orm";
import type { Facts } from "../../../contract/people/facts.ts";
import { fetchRows, splitInBatches, type Work } from "../../../queries/work.ts";
import type { Sought } from "../../identifiers.ts";
import { findHolders, listUnlisted, readFacts } from "../identifier-index.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";
import { selectVisible } from "../visible.ts";

const rowsAtOnce = 256;

/** Streams the facts of visible developers who may have one of these keys. */
export async function* streamHolders(
  context: PoolContext,
  sought: readonly Sought[],
): AsyncGenerator<readonly Facts[]> {
  await listUnlisted(context);
  const rowIds = await context.read((rows) => findHolders(rows, sought));
  for (const some of splitInBatches(rowIds, rowsAtOnce)) {
    yield await context.read((rows) => readVisibleFacts(rows, some));
  }
}

function* readVisibleFacts(rows: PoolQueries, rowIds: readonly number[]): Work<readonly Facts[]> {
  const { rowId } = rows.tables.developers;
  const shown = yield* fetchRows(selectVisible(rows, { rowId }, inArray(rowId, [...rowIds])));
  const found = yield* readFacts(
    rows,
    shown.map((row) => row.rowId),
  );
  return found.map(({ facts }) => facts);
}
