import type { Work } from "../../queries/work.ts";
import type { Database } from "../../sqlite/database.ts";
import { runAtOnce } from "../../sqlite/run-at-once.ts";
import { guardMethods } from "../../sqlite/to-promises.ts";
import type { PoolContext, PoolRows, RowIds } from "../rows/pool-context.ts";
import { getQueries } from "./get-queries.ts";
import type { RowFinder } from "./reading/row-finder.ts";

/** The context of a pool in a file. It can also run work synchronously. */
export interface SqliteContext extends PoolContext {
  /** Reads synchronously. Throws SQLite's errors unchanged. */
  readAtOnce<Result>(work: (rows: PoolRows) => Work<Result>): Result;
  /** Runs a transaction synchronously. Throws SQLite's errors unchanged. */
  changeAtOnce<Result>(work: (rows: PoolRows) => Work<Result>): Result;
}

export function createSqliteContext(store: Database, finder: RowFinder): SqliteContext {
  const { orm, sqlite, path } = store;
  const rows: PoolRows = {
    ...getQueries(store),
    findRows: (logins) => findEach(logins, finder.find),
    findCurrentRows: (logins) => findEach(logins, finder.findCurrent),
    toFindableValues: (keys) => ({ keys }),
    dropIndexes: doNothing,
    countSuppression: doNothing,
  };
  const readAtOnce: SqliteContext["readAtOnce"] = (work) => runAtOnce(orm, () => work(rows));
  const changeAtOnce: SqliteContext["changeAtOnce"] = (work) => {
    sqlite.changes++;
    return sqlite.transact(() => readAtOnce(work));
  };
  const named = guardMethods(path, { readAtOnce, changeAtOnce });
  const change: PoolContext["change"] = async (work) => named.changeAtOnce(work);
  return {
    ...{ readAtOnce, changeAtOnce, change, changeAtLength: change },
    read: async (work) => named.readAtOnce(work),
  };
}

// biome-ignore lint/correctness/useYield: The prepared statement is run here.
function* findEach(logins: readonly string[], find: RowFinder["find"]): Work<RowIds> {
  return logins.map(find);
}

/** Does nothing, in place of steps that only shared pools need. */
function* doNothing(): Work<void> {}
