import { and, eq, gt } from "drizzle-orm";
import type { PostgresDatabase } from "../../../postgres/database.ts";
import type { FindableDeveloper } from "../../pool.ts";
import { parseStored } from "../../rows/pack-developer.ts";
import { unpackFindable } from "../../rows/pack-findable.ts";
import { developers, findables } from "../tables.ts";
import { isVisible } from "../visible.ts";

const rowsAtOnce = 1000;

/** By login in code-unit order of its lower case; batches are not of one moment. */
export async function* streamFindables({
  orm,
}: PostgresDatabase): AsyncGenerator<readonly FindableDeveloper[]> {
  for (let last: string | undefined = ""; last !== undefined; ) {
    const batch: { rowId: number; loginKey: string; keys: string }[] = await orm
      .select({ rowId: developers.rowId, loginKey: developers.loginKey, keys: findables.keys })
      .from(developers)
      .innerJoin(findables, eq(findables.rowId, developers.rowId))
      .where(and(gt(developers.loginKey, last), isVisible(orm)))
      .orderBy(developers.loginKey)
      .limit(rowsAtOnce);
    if (batch.length > 0) {
      yield batch.map(({ rowId, keys }) => ({ rowId, ...unpackFindable(parseStored(keys)) }));
    }
    last = batch.at(-1)?.loginKey;
  }
}
