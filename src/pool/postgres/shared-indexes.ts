import { and, asc, eq, gt } from "drizzle-orm";
import type { PostgresDatabase } from "../../postgres/database.ts";
import type { SharedIndexes } from "../pool.ts";
import { releaseLock, takeLock } from "./advisory-locks.ts";
import { runOnOwnConnection } from "./postgres-context.ts";
import { poolState, searchIndexes } from "./tables.ts";

const bytesPerPart = 4 * 2 ** 20;
const pauseMs = 500;

/** @package */
export function createSharedIndexes(database: PostgresDatabase): SharedIndexes {
  return {
    async takeTurn(isStopped) {
      while (!isStopped()) {
        const connection = await takeLock(database, "index");
        if (connection) return () => releaseLock(connection, "index");
        await Bun.sleep(pauseMs);
      }
      return undefined;
    },
    async *read(edition) {
      for (let last: number | undefined = -1; last !== undefined; ) {
        const rows: { sequence: number; content: Buffer }[] = await database.read((statements) =>
          statements
            .select({ sequence: searchIndexes.sequence, content: searchIndexes.content })
            .from(searchIndexes)
            .where(and(eq(searchIndexes.edition, edition), gt(searchIndexes.sequence, last ?? 0)))
            .orderBy(asc(searchIndexes.sequence))
            .limit(1),
        );
        const [part] = rows;
        if (part) yield part.content;
        last = part?.sequence;
      }
    },
    store: (edition, index, revision) =>
      runOnOwnConnection(database, ({ transact }) =>
        transact(async (statements) => {
          await statements.delete(searchIndexes);
          for (let at = 0, sequence = 0; at < index.length; at += bytesPerPart, sequence++) {
            const content = Buffer.from(index.subarray(at, at + bytesPerPart));
            await statements.insert(searchIndexes).values({ edition, sequence, content });
          }
          // Locks the state last, so that changes of the pool wait only briefly. If the pool has changed, the index is outdated
          // and deleted.
          const [state] = await statements
            .select({ revision: poolState.revision })
            .from(poolState)
            .for("update");
          if (state?.revision !== revision) await statements.delete(searchIndexes);
        }),
      ),
  };
}
