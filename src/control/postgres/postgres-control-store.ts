/**
 * The PostgreSQL adapter of the port. All nodes share one database. While it is away, every method throws Fault `database_away`.
 */
import { sql } from "drizzle-orm";
import {
  openPostgres,
  type PostgresDatabase,
  type PostgresSettings,
} from "../../postgres/database.ts";
import { toDatabaseFault } from "../../postgres/database-failure.ts";
import { lockFor, migrateSchema, type SchemaKind } from "../../postgres/migrate.ts";
import { runAwaited } from "../../postgres/run-awaited.ts";
import { execute } from "../../queries/work.ts";
import { createClockWatch, describeClockFault } from "../clock.ts";
import type { ControlEvents, ControlStore } from "../control-store.ts";
import { createGroupCommit } from "../group-commit.ts";
import { appendAudit } from "../rows/audit-rows.ts";
import { createControlRows } from "../rows/control-rows.ts";
import type { RowsContext } from "../rows/rows-context.ts";
import type { SignInRecords } from "../sign-in-store.ts";
import { listLibraryTables } from "../tables/control-tables.ts";
import { toMinute } from "../windows.ts";
import { countBatch, findHolders, readClock, readUsages, type UsageQuery } from "./charge.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import charge from "./migrations/0001_charge.sql" with { type: "text" };
import searchLooks from "./migrations/0002_search_looks.sql" with { type: "text" };
import searchModel from "./migrations/0003_search_model.sql" with { type: "text" };
import sources from "./migrations/0004_sources.sql" with { type: "text" };
import webhooks from "./migrations/0005_webhooks.sql" with { type: "text" };
import callKeys from "./migrations/0006_call_keys.sql" with { type: "text" };
import runPids from "./migrations/0007_run_process.sql" with { type: "text" };
import searchMail from "./migrations/0008_search_mail.sql" with { type: "text" };
import notices from "./migrations/0009_notices.sql" with { type: "text" };
import folderBackup from "./migrations/0010_folder_backup.sql" with { type: "text" };
import { tables } from "./tables.ts";

export const controlSchemaKind: SchemaKind = {
  name: "control",
  migrations: [
    ...[first, charge, searchLooks, searchModel, sources, webhooks, callKeys, runPids, searchMail],
    ...[notices, folderBackup],
  ],
};

export { renewAddresses } from "../../postgres/address.ts";
export { describeAbsence } from "../../postgres/database-failure.ts";
export { checkControlRows } from "./check-content.ts";

const { instance } = tables;

interface PostgresControlOptions extends PostgresSettings {
  /** The clock that decides in which month and day a call is counted; by default the database's. `caller` is for tests. */
  readonly clock?: "database" | "caller";
}

/**
 * Opens the store. The first node creates or upgrades its tables.
 * @throws Fault `database_away`, `database` or `configuration`.
 */
export async function openPostgresControlStore(
  options: PostgresControlOptions,
  events: ControlEvents = {},
): Promise<ControlStore> {
  const database = await openPostgres(options);
  const rows = createRowsContext(database);
  try {
    await migrateSchema(database, controlSchemaKind);
    const name = { id: 1, name: crypto.randomUUID(), latestMs: 0 };
    await rows.commitOne((queries) =>
      execute(queries.insert(instance).values(name).onConflictDoNothing()),
    );
  } catch (error) {
    await database.close();
    throw error;
  }
  // Deleted rows remain for some time in the files of the server (docs/growth.md).
  const usual = createControlRows(rows);
  const probes = sql`${instance.probes} + 1`;
  return {
    ...usual,
    ...createChargeMethods(database, rows, { options, events }),
    signIn: { records: createSignInRecords(database), ...usual.signIn },
    failure: () => undefined,
    probe: () => rows.commitOne((queries) => execute(queries.update(instance).set({ probes }))),
    close: database.close,
  };
}

interface ChargeOptions {
  readonly options: PostgresControlOptions;
  readonly events: ControlEvents;
}

function createChargeMethods(
  database: PostgresDatabase,
  { read, transact }: RowsContext,
  { options, events }: ChargeOptions,
) {
  const givenMs = (now: Date) => (options.clock === "caller" ? now.getTime() : undefined);
  const watchClock = createClockWatch(events);
  // Look-ups for simultaneous calls share one query.
  const holders = createGroupCommit((digests: readonly Uint8Array[]) =>
    read((queries) => findHolders(queries, digests)),
  );
  const usages = createGroupCommit((wanted: readonly UsageQuery[]) =>
    read((queries) => readUsages(queries, wanted)),
  );
  return {
    findKeys: (digests) => Promise.all(digests.map(holders.add)),
    charge: async (batch, now, terms) => {
      const result = await countBatch(database, batch, terms, givenMs(now));
      watchClock(result.nowMs, result.atMs);
      return result.outcomes;
    },
    usages: (accountIds, now, terms) =>
      Promise.all(accountIds.map((id) => usages.add({ id, givenMs: givenMs(now), terms }))),
    clockFault: async (now) => {
      const { nowMs, latestMs } = await read(readClock);
      return describeClockFault({ nowMs: givenMs(now) ?? nowMs, latestMs });
    },
    acceptClock: (by) =>
      transact(function* (queries, log) {
        const { nowMs } = yield* readClock(queries);
        const latestMs = toMinute(givenMs(by.at) ?? nowMs);
        yield* execute(queries.update(instance).set({ latestMs }));
        yield* log(by);
      }),
  } satisfies Partial<ControlStore>;
}

/** Creates the records for the sign-in library. Each step of the library commits by itself. */
function createSignInRecords({ orm, place }: PostgresDatabase): SignInRecords {
  return {
    database: orm,
    provider: "pg",
    tables: listLibraryTables(tables),
    guarded: async (work) => {
      try {
        return await work();
      } catch (thrown) {
        throw toDatabaseFault(thrown, place);
      }
    },
  };
}

/** Runs one transaction at a time, by a lock that all nodes share. Only `transact` waits for the lock. */
function createRowsContext({ read, commitOne, transact }: PostgresDatabase): RowsContext {
  return {
    tables,
    read: (work) => read((statements) => runAwaited(statements, work)),
    commitOne: (work) => commitOne((statements) => runAwaited(statements, work)),
    transact: (work) =>
      transact(async (statements) => {
        await lockFor("control", (statement) => statements.execute(statement));
        return runAwaited(statements, (queries) =>
          work(queries, (entry) => appendAudit(queries, tables, entry)),
        );
      }),
  };
}
