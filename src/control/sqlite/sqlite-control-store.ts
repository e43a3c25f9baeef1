/**
 * control.db: the port's SQLite adapter. After a failed write or sync the state of the disk is unknown, so the
 * store stops for good (fail-stop) and reports it. A full disk is no such failure: it can recover.
 */

import { sql } from "drizzle-orm";
import { Fault } from "../../contract/fault.ts";
import {
  type Database,
  type DatabaseKind,
  openDatabase,
  prepareOnce,
} from "../../sqlite/database.ts";
import { getHighWaterMarkPath, readHighWaterMark } from "../../sqlite/folder/high-water-mark.ts";
import { openInMemory } from "../../sqlite/read-only.ts";
import { getStoreErrorCode, isSpaceError, toStoreFault } from "../../sqlite/store-fault.ts";
import { toPromises } from "../../sqlite/to-promises.ts";
import type { AddRefusal, NewAuditEntry } from "../account-records.ts";
import type { ControlEvents, ControlStore } from "../control-store.ts";
import type { FolderRecords } from "../folder-records.ts";
import { describeClockFault, toMinute } from "../windows.ts";
import { createAccountRows } from "./account-rows.ts";
import { appendAudit, findBrokenAuditRow, listAudit } from "./audit.ts";
import { createChargeBatches } from "./charging/charge.ts";
import { listDailyCalls } from "./charging/charge-rows.ts";
import { createErasureRows } from "./erasure-rows.ts";
import { createFolderRows, type Transact } from "./folder-rows.ts";
import { createMarkMover, readMark, recordLostWrites } from "./mark.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import signIn from "./migrations/0001_sign_in.sql" with { type: "text" };
import folderSql from "./migrations/0002_folder.sql" with { type: "text" };
import savedSql from "./migrations/0003_saved.sql" with { type: "text" };
import { createSavedRecords } from "./saved/saved-rows.ts";
import { endAccess } from "./sign-in/ending.ts";
import type { SignInStoreContext } from "./sign-in/sign-in-store-context.ts";
import { createSignInStore } from "./sign-in/sqlite-sign-in-store.ts";
import { instance } from "./tables.ts";

export { checkControlContent } from "./check-content.ts";
export { removeMark } from "./mark.ts";

/** What control.db is; backup and doctor need it too. */
export const controlFile: DatabaseKind = {
  name: "control",
  applicationId: 0x52_53_54_43,
  migrations: [first, signIn, folderSql, savedSql],
  isCheckedAtOpen: true,
};

/**
 * Opens or creates control.db and its high-water mark.
 *
 * @param path a file, or ":memory:" (which has no mark).
 * @throws Fault when the file is damaged, not ours, newer, or gone although its mark is there.
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
 * Loads a copy of control.db into memory: keys, plans and quotas as the file has them. Calls are counted in the copy, and
 * lost with it.
 *
 * @param original the file in its folder, when `path` is a copy: the high-water mark is beside it.
 * @throws Fault when the file cannot be read, or the mark belongs to another.
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

/** The first process to open the file gives it its name, once. */
function readOrCreateName({ orm }: Database): string {
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

type OwnMethods = Omit<ControlStore, "signIn" | "folder" | "saved" | "failure">;

/** @package The port on an open file. */
export function createControlStore(store: Database, context: ControlContext): ControlStore {
  const charging = createChargeBatches(store);
  const accountRows = createAccountRows(store);
  const guard = createGuard(context);
  const { guarded } = guard;
  const watchClock = createClockWatch(context.events);
  const mark = createMarkMover(store, { ...context, isStale: context.isMarkStale });
  const probe = prepareOnce(() =>
    store.orm.update(instance).set({ probes: sql`${instance.probes} + 1` }),
  );
  const transact = createTransact(store, guarded, mark.moveAudit);
  const audited = createAudited(transact);

  const methods = toPromises<OwnMethods>(context.path, {
    findKeys: (digests) => guarded(() => charging.findKeys(digests)),
    findAccountByEmail: (emailKey) => guarded(() => accountRows.byEmail(emailKey)),
    findAccount: (id) => guarded(() => accountRows.byId(id)),
    listAccounts: () => guarded(accountRows.list),
    addAccount: (account, key, by) =>
      transact((log): AddRefusal | undefined => {
        const refusal = accountRows.findRefusal(account, key);
        if (refusal) return refusal;
        accountRows.add(account);
        if (key) accountRows.replaceKey(account.id, key);
        log(by);
        return undefined;
      }),
    changeAccount: (id, change, by, options) =>
      transact((log) => {
        if (options?.keepsAdministrator && change.disabled && accountRows.isLastAdministrator(id)) {
          return "last administrator";
        }
        accountRows.change(id, change);
        // Enabling the account again must not revive its old sessions and grants.
        if (change.disabled) endAccess(store, id);
        log(by);
        return undefined;
      }),
    replaceKey: (accountId, key, by) => audited(by, () => accountRows.replaceKey(accountId, key)),
    charge: (batch, now, terms) =>
      guarded(() => {
        const { outcomes, counted, latestMs } = charging.charge(batch, now, terms);
        watchClock(now, latestMs);
        if (counted) mark.moveCounted(counted);
        return outcomes;
      }),
    usages: (accountIds, now, terms) => guarded(() => charging.usages(accountIds, now, terms)),
    dailyCalls: (since) => guarded(() => listDailyCalls(store, since)),
    record: (entry) => audited(entry, () => {}),
    auditEntries: (entriesMax, filter) => listAudit(store, entriesMax, filter),
    brokenAuditEntry: () => findBrokenAuditRow(store),
    clockFault: (now) =>
      describeClockFault({ nowMs: now.getTime(), latestMs: charging.latestMs() }),
    acceptClock: (by) => audited(by, () => setLatest(store, by.at)),
    probe: () => guarded(() => void probe().run()),
    close: () => {
      mark.close();
      store.close();
    },
  });
  const parts = { store, accountRows, guarded, transact };
  return { ...methods, ...createRecords(context.path, parts), failure: guard.failure };
}

function setLatest({ orm }: Database, at: Date): void {
  orm
    .update(instance)
    .set({ latestMs: toMinute(at.getTime()) })
    .run();
}

const createAudited = (transact: Transact) => (by: NewAuditEntry, work: () => void) =>
  transact((log) => {
    work();
    log(by);
  });

/** The parts of the port that are ports of their own. */
function createRecords(path: string, parts: SignInStoreContext) {
  const { store, guarded, transact } = parts;
  const records = { ...createFolderRows(store, transact), ...createErasureRows(store, transact) };
  return {
    folder: toPromises<FolderRecords>(path, guardAll(records, guarded)),
    signIn: createSignInStore(parts),
    saved: createSavedRecords(parts),
  };
}

type Guarded = ReturnType<typeof createGuard>["guarded"];

/** One transaction with its audit entries; if there were any, the mark is written afterwards. */
function createTransact(store: Database, guarded: Guarded, moveMark: () => void) {
  return <Result>(work: (log: (entry: NewAuditEntry) => void) => Result): Result =>
    guarded(() => {
      let isLogged = false;
      const both = store.sqlite.transaction(() =>
        work((entry) => {
          isLogged = true;
          appendAudit(store, entry);
        }),
      );
      const result = both.immediate();
      if (isLogged) moveMark();
      return result;
    });
}

/** Fail-stop: after the first unrecoverable failure every further call is refused. */
function createGuard({ path, events }: Pick<ControlContext, "path" | "events">) {
  let failure: Error | undefined;
  return {
    failure: () => failure,
    guarded<Result>(work: () => Result): Result {
      if (failure) throw new Fault("store", "the control store has stopped", { cause: failure });
      try {
        return work();
      } catch (thrown) {
        if (!failure && isUnrecoverable(thrown, path)) {
          failure = thrown as Error;
          events.failed?.(failure);
        }
        throw thrown;
      }
    },
  };
}

function guardAll<Methods extends object>(methods: Methods, guarded: Guarded): Methods {
  const entries = Object.entries(methods as Record<string, (...args: unknown[]) => unknown>);
  return Object.fromEntries(
    entries.map(([name, method]) => [name, (...args: unknown[]) => guarded(() => method(...args))]),
  ) as Methods;
}

/**
 * A busy or full store recovers by itself; one that failed to read, write or sync does not. The shared memory file of
 * the log holds no data, so that nothing is in doubt when it cannot grow.
 */
function isUnrecoverable(thrown: unknown, path: string): boolean {
  const code = getStoreErrorCode(thrown) ?? "";
  if (/^SQLITE_IOERR_SHM/.test(code) || isSpaceError(code, path)) return false;
  return /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(code);
}

function createClockWatch(events: ControlEvents) {
  let reportedMs: number | undefined;
  return (now: Date, latestMs: number) => {
    const seconds = Math.round((latestMs - now.getTime()) / 1000);
    if (seconds <= 0) {
      reportedMs = undefined;
    } else if (reportedMs !== latestMs) {
      reportedMs = latestMs;
      const fault = describeClockFault({ nowMs: now.getTime(), latestMs });
      events.clockSteppedBack?.({ seconds, fault });
    }
  };
}
