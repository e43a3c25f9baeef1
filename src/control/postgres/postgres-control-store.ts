/**
 * The port's PostgreSQL adapter: what all nodes share. The server is durable and says when it is not, so there is no
 * high-water mark and no fail-stop here; while it is away, every method throws the Fault database_away.
 */
import { sql } from "drizzle-orm";
import {
  openPostgres,
  type PostgresDatabase,
  type PostgresSettings,
} from "../../postgres/database.ts";
import { migrateSchema, type SchemaKind } from "../../postgres/migrate.ts";
import type { NewAuditEntry } from "../account-records.ts";
import type { ControlEvents, ControlStore } from "../control-store.ts";
import { createGroupCommit } from "../group-commit.ts";
import { describeClockFault, toMinute } from "../windows.ts";
import {
  addAccountRow,
  findByEmail,
  findById,
  findHolders,
  findRefusal,
  isLastAdministrator,
  listAll,
  replaceKeyRow,
  writeAccountChange,
} from "./account-rows.ts";
import { findBrokenAuditRow, listAudit } from "./audit.ts";
import {
  type ChargeResult,
  countBatch,
  listDailyCalls,
  readClock,
  readUsages,
  type UsageQuery,
} from "./charge.ts";
import { type ControlContext, createContext } from "./context.ts";
import { createFolderRecords } from "./folder-rows.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import charge from "./migrations/0001_charge.sql" with { type: "text" };
import { createSavedRecords } from "./saved-rows.ts";
import { endAccess } from "./sign-in/ending.ts";
import { createSignInStore } from "./sign-in/postgres-sign-in-store.ts";
import { instance } from "./tables.ts";

/** What the schema is; a move needs it too. */
export const controlSchemaKind: SchemaKind = { name: "control", migrations: [first, charge] };

export { renewAddresses } from "../../postgres/address.ts";
export { describeAbsence } from "../../postgres/database-failure.ts";
export { checkControlRows } from "./check-content.ts";

export interface PostgresControlOptions extends PostgresSettings {
  /** Whose clock chooses the windows. The caller's is for tests: nodes have one each. Default: the database's. */
  readonly clock?: "database" | "caller";
}

/**
 * Opens the store, and makes or upgrades its tables, whichever node comes first.
 *
 * @throws Fault database_away when it cannot be reached, database when it is not one that can be used, configuration for an
 *   address that is none.
 */
export async function openPostgresControlStore(
  options: PostgresControlOptions,
  events: ControlEvents = {},
): Promise<ControlStore> {
  const database = await openPostgres(options);
  try {
    await migrateSchema(database, controlSchemaKind);
    const name = { id: 1, name: crypto.randomUUID(), latestMs: 0 };
    await database.commitOne((statements) =>
      statements.insert(instance).values(name).onConflictDoNothing(),
    );
  } catch (error) {
    await database.close();
    throw error;
  }
  const context = createContext(database);
  const givenMs = (now: Date) => (options.clock === "caller" ? now.getTime() : undefined);
  return {
    ...createAccountMethods(context),
    ...createChargeMethods(context, givenMs, events),
    ...createAuditMethods(context),
    folder: createFolderRecords(context),
    saved: createSavedRecords(context),
    signIn: createSignInStore(context),
    failure: () => undefined,
    probe: () => touchInstance(database),
    close: database.close,
  };
}

type AccountMethods = Pick<
  ControlStore,
  | "findKeys"
  | "findAccountByEmail"
  | "findAccount"
  | "listAccounts"
  | "addAccount"
  | "changeAccount"
  | "replaceKey"
>;

function createAccountMethods({ read, transact }: ControlContext): AccountMethods {
  // What many calls ask at once is one question, on one connection.
  const lookUp = createGroupCommit((digests: readonly Uint8Array[]) =>
    read((statements) => findHolders(statements, digests)),
  );
  return {
    findKeys: (digests) => Promise.all(digests.map(lookUp.add)),
    findAccountByEmail: (emailKey) => read((statements) => findByEmail(statements, emailKey)),
    findAccount: (id) => read((statements) => findById(statements, id)),
    listAccounts: () => read(listAll),
    addAccount: (account, key, by) =>
      transact(async (statements, log) => {
        const refusal = await findRefusal(statements, account, key);
        if (refusal) return refusal;
        await addAccountRow(statements, account);
        if (key) await replaceKeyRow(statements, account.id, key);
        await log(by);
        return undefined;
      }),
    changeAccount: (id, change, by, options) =>
      transact(async (statements, log) => {
        const isGuarded = options?.keepsAdministrator && change.disabled;
        if (isGuarded && (await isLastAdministrator(statements, id))) return "last administrator";
        await writeAccountChange(statements, id, change);
        // Enabling the account again must not revive its old sessions and grants.
        if (change.disabled) await endAccess(statements, id);
        await log(by);
        return undefined;
      }),
    replaceKey: (accountId, key, by) =>
      transact(async (statements, log) => {
        await replaceKeyRow(statements, accountId, key);
        await log(by);
      }),
  };
}

type ChargeMethods = Pick<
  ControlStore,
  "charge" | "usages" | "dailyCalls" | "clockFault" | "acceptClock"
>;

function createChargeMethods(
  { database, read, transact }: ControlContext,
  givenMs: (now: Date) => number | undefined,
  events: ControlEvents,
): ChargeMethods {
  const watchClock = createClockWatch(events);
  const lookUp = createGroupCommit((queries: readonly UsageQuery[]) =>
    read((statements) => readUsages(statements, queries)),
  );
  return {
    charge: async (batch, now, terms) => {
      const result = await countBatch(database, batch, terms, givenMs(now));
      watchClock(result);
      return result.outcomes;
    },
    usages: (accountIds, now, terms) =>
      Promise.all(accountIds.map((id) => lookUp.add({ id, givenMs: givenMs(now), terms }))),
    dailyCalls: (since) => read((statements) => listDailyCalls(statements, since)),
    clockFault: (now) =>
      read(async (statements) => {
        const { nowMs, latestMs } = await readClock(statements);
        return describeClockFault({ nowMs: givenMs(now) ?? nowMs, latestMs });
      }),
    acceptClock: (by) =>
      transact(async (statements, log) => {
        const { nowMs } = await readClock(statements);
        await statements.update(instance).set({ latestMs: toMinute(givenMs(by.at) ?? nowMs) });
        await log(by);
      }),
  };
}

/** Told once for each step. */
function createClockWatch(events: ControlEvents) {
  let reportedMs: number | undefined;
  return ({ nowMs, atMs }: ChargeResult) => {
    const seconds = Math.round((atMs - nowMs) / 1000);
    if (seconds <= 0) {
      reportedMs = undefined;
    } else if (reportedMs !== atMs) {
      reportedMs = atMs;
      const fault = describeClockFault({ nowMs, latestMs: atMs });
      events.clockSteppedBack?.({ seconds, fault });
    }
  };
}

function createAuditMethods({
  read,
  transact,
}: ControlContext): Pick<ControlStore, "record" | "auditEntries" | "brokenAuditEntry"> {
  return {
    record: (entry: NewAuditEntry) => transact((_, log) => log(entry)),
    auditEntries: (entriesMax, filter) =>
      read((statements) => listAudit(statements, entriesMax, filter)),
    brokenAuditEntry: () => read(findBrokenAuditRow),
  };
}

async function touchInstance({ commitOne }: PostgresDatabase): Promise<void> {
  const probes = sql`${instance.probes} + 1`;
  await commitOne((statements) => statements.update(instance).set({ probes }));
}
