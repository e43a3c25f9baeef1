import { Fault } from "../../contract/fault.ts";
import {
  openPostgres,
  type PostgresDatabase,
  type PostgresSettings,
} from "../../postgres/database.ts";
import { migrateSchema, type SchemaKind } from "../../postgres/migrate.ts";
import type { Pool } from "../pool.ts";
import { DamagedRow } from "../rows/pack-developer.ts";
import type { SaltSource } from "../rows/suppression-hash.ts";
import { createAuthorshipRows } from "./authorship/authorship-rows.ts";
import { createDecisions } from "./decision-rows.ts";
import { createPoolErasure } from "./erasure/pool-erasure.ts";
import { createSuppression } from "./erasure/suppression.ts";
import { createImporting } from "./importing/importing.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import finding from "./migrations/0001_finding.sql" with { type: "text" };
import { createPeopleFinder } from "./reading/find-people.ts";
import { streamFindables } from "./reading/findable-rows.ts";
import { readPool, streamFacts, streamRankingFeatures } from "./reading/read-pool.ts";
import { findStoredDeveloper } from "./reading/stored-developer.ts";
import { createSharedIndexes } from "./shared-indexes.ts";
import { poolState } from "./tables.ts";

export { checkPoolRows } from "./check-content.ts";

export interface PostgresPoolOptions {
  readonly now: () => Date;
  /** Random bytes for the salt of the suppression list and for ids; default: the system's. */
  readonly random?: SaltSource;
  /** Called with each read that fails because a row is damaged, in words that name nobody. */
  readonly onDamage?: (reason: string) => void;
}

/** What the schema is; a move needs it too. */
export const poolSchemaKind: SchemaKind = { name: "pool", migrations: [first, finding] };

/**
 * Opens the pool, and makes or upgrades its tables, whichever node comes first. Any number of nodes may read while one
 * imports.
 *
 * @throws Fault database_away when it cannot be reached, database when it is not one that can be used, configuration for an
 *   address that is none.
 */
export async function openPostgresPool(
  settings: PostgresSettings,
  options: PostgresPoolOptions,
): Promise<Pool> {
  const database = await openPostgres(settings);
  try {
    await migrateSchema(database, poolSchemaKind);
  } catch (error) {
    await database.close();
    throw error;
  }
  return createPool(database, options);
}

function createPool(
  database: PostgresDatabase,
  { now, random = systemRandom, onDamage = () => {} }: PostgresPoolOptions,
): Pool {
  const suppression = createSuppression(random);
  const importing = createImporting({ database, now, suppression });
  const { guard, guardEach } = createDamageGuard(database.place, onDamage);
  const { reading, writing } = createAuthorshipRows(database, suppression);
  const readers = {
    ...readPool(database),
    importUnderWay: importing.underWay,
    state: () => readState(database),
    findStoredDeveloper: (login: string) => findStoredDeveloper(database, login),
  };
  return {
    ...guard(repeatReads(database, readers)),
    rankingFeatures: (rowIds) => guardEach(streamRankingFeatures(database, rowIds)),
    findables: () => guardEach(streamFindables(database)),
    facts: () => guardEach(streamFacts(database)),
    beginImport: importing.begin,
    lockImports: importing.lock,
    noteProgress: importing.noteProgress,
    reclaim: importing.reclaim,
    indexes: createSharedIndexes(database),
    people: createPeopleFinder(database),
    authorship: { ...guard(repeatReads(database, reading)), ...guard(writing) },
    decisions: createDecisions(database, { now, random }),
    erasing: createPoolErasure(database, suppression, { now, random }),
    async close() {
      await importing.close();
      await database.close();
    },
  };
}

/** Makes the methods try again when a connection ended: they change nothing. */
function repeatReads<Methods extends object>(
  { read }: PostgresDatabase,
  methods: Methods,
): Methods {
  const entries = Object.entries(
    methods as Record<string, (...args: unknown[]) => Promise<unknown>>,
  );
  const repeated = entries.map(([name, method]) => [
    name,
    (...args: unknown[]) => read(() => method(...args)),
  ]);
  return Object.fromEntries(repeated) as Methods;
}

async function readState({ orm }: PostgresDatabase): Promise<{ name: string; changes: number }> {
  const { name, changes } = poolState;
  const [state] = await orm.select({ name, changes }).from(poolState);
  if (!state) throw new Error("The pool has no name.");
  return state;
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
