import { type Database, type DatabaseKind, openDatabase } from "../../sqlite/database.ts";
import { readFileState } from "../../sqlite/file-state.ts";
import { openReadOnly } from "../../sqlite/read-only.ts";
import { toStoreFault } from "../../sqlite/store-fault.ts";
import { streamFrom, toPromises } from "../../sqlite/to-promises.ts";
import type { AuthorshipStore } from "../authorship.ts";
import type { ImportLock, Pool } from "../pool.ts";
import type { SaltSource } from "../rows/suppression-hash.ts";
import { createAuthorshipRows } from "./authorship/authorship-rows.ts";
import { createDamageGuard } from "./damage-guard.ts";
import { createDecisions } from "./decision-rows.ts";
import { createPoolErasure } from "./erasure/pool-erasure.ts";
import { createSuppression } from "./erasure/suppression.ts";
import { createFindableStream } from "./findable-rows.ts";
import { createImporting } from "./importing/importing.ts";
import { placeReadyFile, writeReadyFile } from "./importing/ready-file.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import erasure from "./migrations/0001_erasure.sql" with { type: "text" };
import decision from "./migrations/0002_decision.sql" with { type: "text" };
import fileStateSql from "./migrations/0003_file_state.sql" with { type: "text" };
import formerLogin from "./migrations/0004_former_login.sql" with { type: "text" };
import authorship from "./migrations/0005_authorship.sql" with { type: "text" };
import basis from "./migrations/0006_basis.sql" with { type: "text" };
import { readPool, streamFacts, streamRankingFeatures } from "./reading/read-pool.ts";
import { findStoredDeveloper } from "./reading/stored-developer.ts";
import { poolState } from "./tables.ts";

export { checkPoolContent } from "./check-content.ts";

export { readErasures } from "./erasure/adopt.ts";

/** Describes the pool's file to `openDatabase`, backup and doctor. */
export const poolFile: DatabaseKind = {
  name: "pool",
  // "RPOL" in ASCII.
  applicationId: 0x52504f4c,
  migrations: [first, erasure, decision, fileStateSql, formerLogin, authorship, basis],
  isShrinkable: true,
};

/** Makes of a pool what `placeReadyPool` takes; the same people give the same bytes. Nobody may have it open. */
export function writeReadyPool(path: string, copy: string): void {
  writeReadyFile(path, poolFile, copy);
}

/**
 * Makes a pool of people who were judged when the program was built, instead of importing them.
 *
 * @param content what `writeReadyPool` wrote.
 * @throws Fault, `no_space` when the disk has too little room.
 */
export function placeReadyPool(path: string, content: Uint8Array, now: Date): void {
  placeReadyFile(path, poolFile, { content, now });
}

/** The revision as a connection that is opened now sees it. @returns undefined when the file cannot be opened. */
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

export interface PoolOptions {
  readonly now: () => Date;
  /** Random bytes for the salt of the suppression list and for ids; default: the system's. */
  readonly random?: SaltSource;
  /** Opens the file, which is not created, for reading only: see `openReadOnly`. */
  readonly isReadOnly?: boolean;
  /** Called with each read that fails because the file is damaged, in words that name nobody. */
  readonly onDamage?: (reason: string) => void;
}

/**
 * Opens the pool, or creates an empty one. Any number of processes may read while one imports.
 *
 * @param path a file, or ":memory:".
 * @throws Fault when the file cannot be used; `beginImport` and `lockImports` reject with `import_running` while another holds it.
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
  const suppression = createSuppression(store, random);
  const importing = createImporting({
    ...{ store, path, now, isReadOnly },
    suppression,
  });
  const streamFindables = createFindableStream(store);
  const { guard, guardEach } = createDamageGuard(path, onDamage);
  const methods = toPromises<
    Omit<
      Pool,
      "rankingFeatures" | "findables" | "facts" | "decisions" | "erasing" | "authorship" | "close"
    >
  >(
    path,
    guard({
      ...readPool(store),
      beginImport: importing.begin,
      lockImports: (source) => toPromises<ImportLock>(path, importing.lock(source)),
      noteProgress: importing.noteProgress,
      importUnderWay: importing.underWay,
      reclaim: importing.reclaim,
      state: () => readFileState(store),
      findStoredDeveloper: (login) => findStoredDeveloper(store, login),
    }),
  );
  return {
    ...methods,
    rankingFeatures: (rowIds) =>
      streamFrom(path, inBatches(guardEach(streamRankingFeatures(store, rowIds)))),
    findables: () => streamFrom(path, inBatches(guardEach(streamFindables()))),
    facts: () => streamFrom(path, inBatches(guardEach(streamFacts(store)))),
    authorship: toPromises<AuthorshipStore>(path, guard(createAuthorshipRows(store, suppression))),
    decisions: createDecisions(store, { now, random }),
    erasing: createPoolErasure(store, suppression, { now, random }),
    async close() {
      importing.close();
      store.close();
    },
  };
}

const systemRandom: SaltSource = (count) => crypto.getRandomValues(new Uint8Array(count));

const rowsPerBatch = 256;

/** Rows are not read ahead of the caller. */
async function* inBatches<Row>(rows: Iterable<Row>): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < rowsPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
