import { Fault } from "../../contract/fault.ts";
import type { Pool } from "../pool.ts";
import { DamagedRow } from "../rows/pack-developer.ts";
import type { SaltSource } from "../rows/suppression-hash.ts";
import { createAuthorshipRows } from "./authorship/authorship-rows.ts";
import { createDecisions } from "./decision-rows.ts";
import { createPoolErasure } from "./erasure/pool-erasure.ts";
import { createSuppression } from "./erasure/suppression.ts";
import { streamFindables } from "./findable-rows.ts";
import { createImporting } from "./importing/importing.ts";
import type { PoolDatabase } from "./pool-database.ts";
import { readPool, streamFacts, streamRankingFeatures } from "./read-pool.ts";
import { findStoredDeveloper } from "./stored-developer.ts";
import { poolState } from "./tables.ts";

export interface PostgresPoolOptions {
  readonly now: () => Date;
  /** Random bytes for the salt of the suppression list and for ids; default: the system's. */
  readonly random?: SaltSource;
  /** Called with each read that fails because a row is damaged, in words that name nobody. */
  readonly onDamage?: (reason: string) => void;
}

/** The pool in a database whose tables are there. Any number of nodes may read while one imports. */
export function createPostgresPool(
  database: PoolDatabase,
  { now, random = systemRandom, onDamage = () => {} }: PostgresPoolOptions,
): Pool {
  const suppression = createSuppression(random);
  const importing = createImporting({ database, now, suppression });
  const { guard, guardEach } = createDamageGuard(database.name, onDamage);
  return {
    ...guard(readPool(database)),
    rankingFeatures: () => guardEach(streamRankingFeatures(database)),
    findables: () => guardEach(streamFindables(database)),
    facts: () => guardEach(streamFacts(database)),
    beginImport: importing.begin,
    lockImports: importing.lock,
    noteProgress: importing.noteProgress,
    importUnderWay: importing.underWay,
    reclaim: importing.reclaim,
    async state() {
      const { name, changes } = poolState;
      const [state] = await database.orm.select({ name, changes }).from(poolState);
      if (!state) throw new Error("The pool has no name.");
      return state;
    },
    findStoredDeveloper: guard({
      find: (login: string) => findStoredDeveloper(database, login),
    }).find,
    authorship: guard(createAuthorshipRows(database, suppression)),
    decisions: createDecisions(database, { now, random }),
    erasing: createPoolErasure(database, suppression, { now, random }),
    async close() {
      await importing.close();
      await database.close();
    },
  };
}

const systemRandom: SaltSource = (count) => crypto.getRandomValues(new Uint8Array(count));

/** Makes of a row that is not what was written a Fault that names the database and nothing of the row. */
function createDamageGuard(name: string, onDamage: (reason: string) => void) {
  const rethrow = (thrown: unknown): never => {
    if (!(thrown instanceof DamagedRow)) throw thrown;
    onDamage(thrown.message);
    throw new Fault("damaged", `${name} is damaged: ${thrown.message}.`);
  };
  return {
    guard<Methods extends object>(methods: Methods): Methods {
      const entries = Object.entries(methods as Record<string, (...args: unknown[]) => unknown>);
      const watched = entries.map(([key, method]) => [
        key,
        async (...args: unknown[]) => {
          try {
            return await method(...args);
          } catch (thrown) {
            return rethrow(thrown);
          }
        },
      ]);
      return Object.fromEntries(watched) as Methods;
    },
    async *guardEach<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
      try {
        yield* rows;
      } catch (thrown) {
        rethrow(thrown);
      }
    },
  };
}
