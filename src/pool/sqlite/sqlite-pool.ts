import type { SuppressionList } from "../../contract/people/erasure-receipt.ts";
import { splitBatches } from "../../contract/split-batches.ts";
import { type Database, openDatabase } from "../../sqlite/database.ts";
import { emptyLog } from "../../sqlite/empty-log.ts";
import { readFileState } from "../../sqlite/file-state.ts";
import { openReadOnly } from "../../sqlite/read-only.ts";
import { runAtOnce } from "../../sqlite/run-at-once.ts";
import { toStoreFault } from "../../sqlite/store-fault.ts";
import { guardMethods, streamFrom, toPromises } from "../../sqlite/to-promises.ts";
import type { AuthorshipStore } from "../authorship.ts";
import type { Pool } from "../pool.ts";
import { createAuthorshipRows } from "../rows/authorship/authorship-rows.ts";
import { createPoolChanges } from "../rows/changes/read-changes.ts";
import { createDamageGuard } from "../rows/damage-guard.ts";
import { createDecisions } from "../rows/decision-rows.ts";
import { readErasures } from "../rows/erasure/adopt.ts";
import { createPoolErasure } from "../rows/erasure/pool-erasure.ts";
import { type PoolSettings, systemRandom } from "../rows/pool-context.ts";
import { readPool } from "../rows/reading/read-pool.ts";
import { streamFindables } from "../rows/reading/stream-findables.ts";
import { streamHolders } from "../rows/reading/stream-holders.ts";
import { cleanPool } from "./erasure/clean.ts";
import { getQueries } from "./get-queries.ts";
import { createFileImporting } from "./importing/importing.ts";
import { poolFile } from "./pool-file.ts";
import { createHotReader, streamFacts, streamRankingFeatures } from "./reading/read-pool.ts";
import { createRowFinder } from "./reading/row-finder.ts";
import { createSqliteContext } from "./sqlite-context.ts";
import { poolTables } from "./tables.ts";

const { poolState } = poolTables;

export { checkPoolContent } from "./check-content.ts";
export { removeErasedLogins } from "./erasure/erased-logins.ts";
export { placeReadyPool, writeReadyPool } from "./importing/ready-file.ts";
export { poolFile } from "./pool-file.ts";

/** Reads the revision on a new connection. @returns undefined if the file cannot be opened. */
export function readStoredRevision(path: string): number | undefined {
  try {
    const store = openReadOnly(path, poolFile);
    try {
      return (
        store.orm.select({ revision: poolState.revision }).from(poolState).get()?.revision ?? 0
      );
    } finally {
      store.close();
    }
  } catch {
    return undefined;
  }
}

/** Reads the suppression list of a file of any version. @param receiptIds selects the entries of these erasures. */
export function readFileErasures(
  store: Pick<Database, "orm" | "sqlite">,
  receiptIds?: readonly string[],
): SuppressionList {
  // The first version had no erasures.
  const isKnown = store.sqlite.readValue`SELECT 1 FROM sqlite_schema WHERE name = 'erasure'`;
  if (!isKnown) return { salts: [], erasures: [] };
  return runAtOnce(store.orm, () => readErasures(getQueries(store), receiptIds));
}

export interface PoolOptions extends PoolSettings {
  /** Opens an existing file for reading only; see `openReadOnly`. */
  readonly isReadOnly?: boolean;
}

/**
 * Opens the pool, or creates an empty one.
 * @param path a file, or ":memory:".
 * @throws Fault if the file cannot be used.
 */
export function openSqlitePool(path: string, options: PoolOptions): Pool {
  const store = options.isReadOnly ? openReadOnly(path, poolFile) : openDatabase(path, poolFile);
  try {
    return createPool(store, options);
  } catch (error) {
    store.close();
    throw toStoreFault(error, path);
  }
}

function createPool(
  store: Database,
  { now, random = systemRandom, isReadOnly = false, onDamage = () => {} }: PoolOptions,
): Pool {
  const { path } = store;
  const finder = createRowFinder(store);
  const context = createSqliteContext(store, finder);
  const importing = createFileImporting({ store, context, now, isReadOnly });
  const { guard, guardEach } = createDamageGuard(path, onDamage);
  const stream = <Row>(rows: Iterable<Row>) =>
    guardEach(streamFrom(path, splitBatches(rows, rowsPerBatch)));
  return {
    ...guard<Pick<Pool, keyof ReturnType<typeof createHotReader> | "state">>(
      guardMethods(path, {
        ...createHotReader(store, finder),
        state: () => readFileState(store),
      }),
    ),
    ...guard({ ...readPool(context), ...importing.port }),
    rankingFeatures: (rowIds) => stream(streamRankingFeatures(store, rowIds)),
    findables: (isKnown) => guardEach(streamFindables(context, isKnown)),
    facts: () => stream(streamFacts(store)),
    holders: (sought) => guardEach(streamHolders(context, sought)),
    authorship: guard<AuthorshipStore>({
      ...createAuthorshipRows(context),
      ...toPromises<Pick<AuthorshipStore, "edition">>(path, { edition: () => readEdition(store) }),
    }),
    // SQLite overwrites what is deleted, but the log still has it.
    changes: guard(
      createPoolChanges(context, now, () => emptyLog(store.sqlite, logWaitMilliseconds)),
    ),
    decisions: createDecisions(context, { now, random }),
    erasing: {
      ...createPoolErasure(context, { now, random }),
      clean: async (attempts) => cleanPool(store, poolFile, attempts),
    },
    async close() {
      await importing.close();
      store.close();
    },
  };
}

/** Returns a text that changes with every change of the file. */
function readEdition({ sqlite }: Database): string {
  return (
    sqlite.readValue`
    SELECT data_version || '-' || total_changes() FROM pragma_data_version` ?? ""
  );
}

/** The longest wait for readers before the log is emptied. */
const logWaitMilliseconds = 2000;

const rowsPerBatch = 256;
