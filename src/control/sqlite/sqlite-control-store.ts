/**
 * The SQLite adapter of the port, for control.db. After a failed write or sync, the store stops for good (fail-stop), because the
 * state of the disk is unknown.
 */
import { sql } from "drizzle-orm";
import { execute } from "../../queries/work.ts";
import {
  type Database,
  type DatabaseKind,
  openDatabase,
  prepareOnce,
} from "../../sqlite/database.ts";
import { emptyLog } from "../../sqlite/empty-log.ts";
import { getHighWaterMarkPath, readHighWaterMark } from "../../sqlite/folder/high-water-mark.ts";
import { openInMemory } from "../../sqlite/read-only.ts";
import { runAtOnce } from "../../sqlite/run-at-once.ts";
import { toStoreFault } from "../../sqlite/store-fault.ts";
import { createClockWatch, describeClockFault } from "../clock.ts";
import type { ControlEvents, ControlStore } from "../control-store.ts";
import { createAuditRows } from "../rows/audit-rows.ts";
import { createControlRows } from "../rows/control-rows.ts";
import type { RowsContext } from "../rows/rows-context.ts";
import type { SignInRecords } from "../sign-in-store.ts";
import { listLibraryTables } from "../tables/control-tables.ts";
import { toMinute } from "../windows.ts";
import { createChargeBatches } from "./charging/charge.ts";
import { createMarkMover, type MarkMover, readMark, recordLostWrites } from "./mark.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import signIn from "./migrations/0001_sign_in.sql" with { type: "text" };
import folder from "./migrations/0002_folder.sql" with { type: "text" };
import saved from "./migrations/0003_saved.sql" with { type: "text" };
import looks from "./migrations/0004_search_looks.sql" with { type: "text" };
import model from "./migrations/0005_search_model.sql" with { type: "text" };
import sources from "./migrations/0006_sources.sql" with { type: "text" };
import webhooks from "./migrations/0007_webhooks.sql" with { type: "text" };
import callKeys from "./migrations/0008_call_keys.sql" with { type: "text" };
import runPids from "./migrations/0009_run_process.sql" with { type: "text" };
import searchMail from "./migrations/0010_search_mail.sql" with { type: "text" };
import notices from "./migrations/0011_notices.sql" with { type: "text" };
import { prepareLookups } from "./prepared-lookups.ts";
import {
  createRowsContext,
  createStoreGuard,
  runUnguarded,
  type StoreGuard,
} from "./sqlite-rows-context.ts";
import { tables } from "./tables.ts";

export { checkControlContent } from "./check-content.ts";
export { removeMark } from "./mark.ts";

export const controlFile: DatabaseKind = {
  name: "control",
  applicationId: 0x52_53_54_43,
  migrations: [
    ...[first, signIn, folder, saved, looks, model, sources, webhooks, callKeys, runPids],
    ...[searchMail, notices],
  ],
  isCheckedAtOpen: true,
};

/**
 * Opens or creates control.db and its high-water mark.
 * @param path a file, or ":memory:".
 * @throws Fault if the file cannot be used, or is gone although its mark exists.
 */
export function openSqliteControlStore(path: string, events: ControlEvents = {}): ControlStore {
  const marked = readMark(path);
  const store = openDatabase(path, controlFile);
  try {
    const name = readOrCreateName(store);
    const loss = marked && recordLostWrites(store, marked, { path, name });
    if (loss) events.writesLost?.(loss);
    const isStale = !marked?.counted || loss !== undefined;
    return createControlStore(store, { path, name, events, isMarkStale: isStale });
  } catch (error) {
    store.close();
    throw toStoreFault(error, path);
  }
}

/**
 * Loads a copy of control.db into memory. The calls that it counts are lost when it is closed.
 * @param original the file with the high-water mark, if `path` is a copy of this file.
 * @throws Fault if the file cannot be read, or the mark belongs to another database.
 */
export function openControlSnapshot(
  path: string,
  events: ControlEvents = {},
  original = path,
): ControlStore {
  const marked = readHighWaterMark(getHighWaterMarkPath(original));
  const store = openInMemory(path, controlFile);
  const name = readOrCreateName(store);
  const loss = marked && recordLostWrites(store, marked, { path: original, name });
  if (loss) events.writesLost?.(loss);
  return createControlStore(store, { path: ":memory:", name, events, isMarkStale: false });
}

/** Reads the random name that identifies control.db. The first process to open the file creates it. */
function readOrCreateName({ orm }: Database): string {
  const { instance } = tables;
  const names = orm.select({ name: instance.name }).from(instance);
  const known = names.get();
  if (known) return known.name;
  const fresh = { id: 1, name: crypto.randomUUID(), latestMs: 0 };
  orm.insert(instance).values(fresh).onConflictDoNothing().run();
  return names.get()?.name ?? fresh.name;
}

/** @package */
export interface ControlContext {
  readonly path: string;
  readonly name: string;
  readonly events: ControlEvents;
  readonly isMarkStale: boolean;
}

function createControlStore(store: Database, context: ControlContext): ControlStore {
  const { path, events } = context;
  const guard = createStoreGuard(path, events);
  const mark = createMarkMover(store, { ...context, isStale: context.isMarkStale });
  const rows = createRowsContext(store, guard, mark.moveAudit);
  const usual = createControlRows(rows);
  const lookups = prepareLookups(store, guard);
  const { instance } = tables;
  const probe = prepareOnce(() =>
    store.orm.update(instance).set({ probes: sql`${instance.probes} + 1` }),
  );
  return {
    ...usual,
    // Audit entries can be read even after the store has stopped, because they may say why.
    ...createAuditRows({
      ...rows,
      read: (work) => runUnguarded(path, () => runAtOnce(store.orm, work)),
    }),
    ...createChargeMethods(store, { context, guard, rows, mark }),
    ...eraseFromLog({ ...usual, saved: { ...usual.saved, ...lookups.saved } }, store, guard),
    signIn: { records: createSignInRecords(store, guard), ...usual.signIn, ...lookups.signIn },
    failure: guard.failure,
    probe: () => guard.run(() => void probe().run()),
    close: () =>
      runUnguarded(path, () => {
        mark.close();
        store.close();
      }),
  };
}

interface ChargeParts {
  readonly context: ControlContext;
  readonly guard: StoreGuard;
  readonly rows: RowsContext;
  readonly mark: MarkMover;
}

function createChargeMethods(store: Database, parts: ChargeParts) {
  const { context, guard, rows, mark } = parts;
  const charging = createChargeBatches(store);
  const watchClock = createClockWatch(context.events);
  return {
    findKeys: (digests) => guard.run(() => charging.findKeys(digests)),
    charge: (batch, now, terms) =>
      guard.run(() => {
        const { outcomes, counted, latestMs } = charging.charge(batch, now, terms);
        watchClock(now.getTime(), latestMs);
        if (counted) mark.moveCounted(counted);
        return outcomes;
      }),
    usages: (accountIds, now, terms) => guard.run(() => charging.usages(accountIds, now, terms)),
    clockFault: (now) =>
      runUnguarded(context.path, () =>
        describeClockFault({ nowMs: now.getTime(), latestMs: charging.latestMs() }),
      ),
    acceptClock: (by) =>
      rows.transact(function* (queries, log) {
        const latestMs = toMinute(by.at.getTime());
        yield* execute(queries.update(tables.instance).set({ latestMs }));
        yield* log(by);
      }),
  } satisfies Partial<ControlStore>;
}

/** The longest wait for readers before the write-ahead log is emptied. Other writers wait longer, so they do not fail. */
const logWaitMilliseconds = 2000;

type ErasingRecords = Pick<ControlStore, "saved" | "runs" | "deliveries">;

/** Makes each erasure empty the write-ahead log, because the log still contains the deleted rows. */
function eraseFromLog(
  { saved, runs, deliveries }: ErasingRecords,
  { sqlite }: Database,
  guard: StoreGuard,
): ErasingRecords {
  const emptying =
    <Given extends unknown[], Gone>(erase: (...given: Given) => Promise<Gone>) =>
    async (...given: Given): Promise<Gone> => {
      const gone = await erase(...given);
      if (gone !== 0) await guard.run(() => emptyLog(sqlite, logWaitMilliseconds));
      return gone;
    };
  return {
    saved: { ...saved, erase: emptying(saved.erase) },
    runs: { ...runs, remove: emptying(runs.remove) },
    // Webhooks may have been told of erased people since the last time.
    deliveries: { ...deliveries, prune: emptying(deliveries.prune) },
  };
}

function createSignInRecords({ orm, sqlite }: Database, { guard }: StoreGuard): SignInRecords {
  return {
    database: orm,
    provider: "sqlite",
    tables: listLibraryTables(tables),
    guarded: async (work) => {
      try {
        return await guard(work);
      } catch (thrown) {
        // The guard learns only about errors that are thrown inside it.
        return guard(() => {
          throw thrown;
        });
      } finally {
        sqlite.changes++;
      }
    },
  };
}
