import type { PostgresDatabase, PostgresSettings } from "../../postgres/database.ts";
import { openSchema, type SchemaKind } from "../../postgres/migrate.ts";
import type { Pool } from "../pool.ts";
import { createAuthorshipRows } from "../rows/authorship/authorship-rows.ts";
import { createPoolChanges } from "../rows/changes/read-changes.ts";
import { createDamageGuard } from "../rows/damage-guard.ts";
import { createDecisions } from "../rows/decision-rows.ts";
import { createPoolErasure } from "../rows/erasure/pool-erasure.ts";
import { type PoolSettings, systemRandom } from "../rows/pool-context.ts";
import { readPool } from "../rows/reading/read-pool.ts";
import { streamFindables } from "../rows/reading/stream-findables.ts";
import { streamHolders } from "../rows/reading/stream-holders.ts";
import { cleanTables } from "./erasure/clean.ts";
import { readUnderWay } from "./importing/import-lock.ts";
import { createSharedImporting } from "./importing/importing.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import finding from "./migrations/0001_finding.sql" with { type: "text" };
import identifier from "./migrations/0002_identifier.sql" with { type: "text" };
import nearNames from "./migrations/0003_near_names.sql" with { type: "text" };
import partsOfNames from "./migrations/0004_parts_of_names.sql" with { type: "text" };
import undone from "./migrations/0005_undone.sql" with { type: "text" };
import departure from "./migrations/0006_departure.sql" with { type: "text" };
import { createPostgresContext } from "./postgres-context.ts";
import { createPeopleFinder } from "./reading/find-people.ts";
import { createHotReader, streamFacts, streamRankingFeatures } from "./reading/read-pool.ts";
import { createSharedIndexes } from "./shared-indexes.ts";
import { poolState, poolTables } from "./tables.ts";

export { checkPoolRows } from "./check-content.ts";

/** The name and the migrations of the pool's schema. */
export const poolSchemaKind: SchemaKind = {
  name: "pool",
  migrations: [first, finding, identifier, nearNames, partsOfNames, undone, departure],
};

/**
 * Opens the pool. The first node creates or upgrades its tables.
 * @throws Fault `database_away` if the database cannot be reached. @throws Fault `database` if it cannot be used.
 */
export async function openPostgresPool(
  settings: PostgresSettings,
  options: PoolSettings,
): Promise<Pool> {
  return createPool(await openSchema(settings, poolSchemaKind), options);
}

function createPool(
  database: PostgresDatabase,
  { now, random = systemRandom, onDamage = () => {} }: PoolSettings,
): Pool {
  const context = createPostgresContext(database);
  const importing = createSharedImporting({ database, now });
  const { guard, guardEach } = createDamageGuard(database.place, onDamage);
  return {
    ...guard({
      ...createHotReader(database),
      ...readPool(context),
      importUnderWay: () => database.read(() => readUnderWay(database)),
      state: () => database.read(() => readState(database)),
    }),
    rankingFeatures: (rowIds) => guardEach(streamRankingFeatures(database, rowIds)),
    findables: (isKnown) => guardEach(streamFindables(context, isKnown)),
    facts: () => guardEach(streamFacts(database)),
    holders: (sought) => guardEach(streamHolders(context, sought)),
    ...importing.port,
    indexes: createSharedIndexes(database),
    people: createPeopleFinder(database),
    authorship: guard({
      ...createAuthorshipRows(context),
      edition: async () => String((await database.read(() => readState(database))).changes),
    }),
    changes: guard(
      createPoolChanges(context, now, () => cleanTables(database, [poolTables.departures])),
    ),
    decisions: createDecisions(context, { now, random }),
    erasing: {
      ...createPoolErasure(context, { now, random }),
      clean: () => cleanTables(database),
    },
    async close() {
      await importing.close();
      await database.close();
    },
  };
}

async function readState({ orm }: PostgresDatabase): Promise<{ name: string; changes: number }> {
  const { name, changes } = poolState;
  const [state] = await orm.select({ name, changes }).from(poolState);
  if (!state) throw new Error("The pool has no name.");
  return state;
}
