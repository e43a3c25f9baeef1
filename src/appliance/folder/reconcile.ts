/**
 * Compares the files of a data folder with their record in control.db. Refuses a missing or foreign pool, reports an older pool,
 * and repeats the erasures that an older file lacks.
 */
import { existsSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import { Fault, isFault } from "../../contract/fault.ts";
import type { ControlStore } from "../../control/control-store.ts";
import type { DataFile, DataFileState } from "../../control/folder-records.ts";
import { openSqliteControlStore, removeMark } from "../../control/sqlite/sqlite-control-store.ts";
import { placeDatabases } from "../../data-files/file-names.ts";
import { comparePool } from "../../doctor/doctor.ts";
import { type ForgeLedger, type Ledger, readForgesState } from "../../ingest/ingest.ts";
import type { Log } from "../../operations/log-call.ts";
import type { Pool } from "../../pool/pool.ts";
import { openSqlitePool } from "../../pool/sqlite/sqlite-pool.ts";
import { describeMove, readMoveNote, removeMoveNote } from "../../sqlite/folder/move-note.ts";
import type { Erasure } from "../erasure.ts";
import type { Dependencies } from "./open-files.ts";
import { getSharedDatabase, openSharedControl } from "./open-stores.ts";
import { findOlderFiles } from "./upgrade.ts";

type KnownFiles = Awaited<ReturnType<ControlStore["folder"]["knownFiles"]>>;

/**
 * Refuses a folder without its pool. Call this before the pool is opened, because opening creates the file.
 * @throws Fault if the control store knows a pool and the file is missing.
 */
export function refuseMissingPool(path: string, { pool }: KnownFiles): void {
  if (!pool || pool.changes === 0 || existsSync(path)) return;
  throw new Fault(
    "data_lost",
    `${path} is missing, but according to control.db it held a pool with ${pool.changes} changes.`,
  );
}

interface FolderParts {
  readonly control: Pick<ControlStore, "folder">;
  readonly pool: Pick<Pool, "state">;
  /** Returns undefined if no Git repository was ever ingested. */
  readonly findLedger: () => Pick<Ledger, "state"> | undefined;
  /** Returns undefined if no forge was ever ingested. */
  readonly findForges: () => ForgeLedger | undefined;
}

/** @param path the pool's path, for messages. @throws Fault if the control store knows another pool. */
export async function reconcileFolder(
  parts: FolderParts & {
    readonly path: string;
    readonly known: KnownFiles;
    readonly erasure: Pick<Erasure, "repeat">;
    readonly log: Log;
    readonly now: () => Date;
  },
): Promise<void> {
  const { control, pool, path, known, erasure, log, now } = parts;
  const state = await pool.state();
  requireSamePool(path, state, known);
  if (isOlder(state, known.pool)) {
    const what = describeOlder(path, state, known);
    log.error(what);
    await control.folder.recordLoss(what, now());
    await control.folder.noteFile("pool", state, { replaces: true });
  }
  // An older ledger may still contain people who were erased since. The next ingest reads everything else that it lacks.
  let isLedgerOlder = false;
  const ledgers = {
    findLedger: () => known.ledger && parts.findLedger(),
    findForges: () => known.forges && parts.findForges(),
  };
  const states = readLedgerStates(ledgers);
  for (const file of ["ledger", "forges"] as const) {
    const found = states[file];
    if (!found || (found.name === known[file]?.name && !isOlder(found, known[file]))) continue;
    isLedgerOlder = true;
    await control.folder.noteFile(file, found, { replaces: true });
  }
  const { receipts, developers, fault } = await erasure.repeat({ isLedgerOlder });
  if (receipts > 0) {
    log.warn({ receipts, developers }, "the pool was older than erasures; they were repeated");
  }
  if (fault !== undefined) {
    log.error({ fault }, "an erasure is unfinished: old bytes may remain in the files");
  }
  await noteFiles({ ...parts, ...ledgers });
}

/**
 * Compares the files of a folder that is only read.
 * @throws Fault if the control store knows another pool, or if the pool contains erased people.
 */
export async function requireReconciled(
  parts: Pick<FolderParts, "control"> & {
    readonly pool: Pick<Pool, "state" | "erasing">;
    readonly path: string;
    readonly known: KnownFiles;
    readonly log: Log;
  },
): Promise<void> {
  const { control, pool, path, known, log } = parts;
  const { state, isOlder, erasuresMissing } = await comparePool(control, pool, known.pool);
  requireSamePool(path, state, known);
  if (isOlder) log.error(describeOlder(path, state, known));
  if (erasuresMissing === 0) return;
  throw new Fault(
    "store",
    `${path} may still contain erased people: ${erasuresMissing} erasures in control.db were not applied to it. Roster applies them at the next start that can write to the folder.`,
  );
}

function requireSamePool(path: string, state: DataFileState, { pool }: KnownFiles): void {
  if (!pool || pool.changes === 0 || pool.name === state.name) return;
  throw new Fault("data_lost", `${path} is not the pool that control.db knows: it was swapped.`);
}

function describeOlder(path: string, state: DataFileState, { pool }: KnownFiles): string {
  return `${path} is an older copy: it has changed ${state.changes} times, but control.db knows ${pool?.changes} changes`;
}

function isOlder(state: DataFileState, known: DataFileState | undefined): boolean {
  return known !== undefined && state.changes < known.changes;
}

/**
 * Accepts losses, so that the next start uses the files as they are. Also removes the note that all data was moved away.
 * @param config the settings of a folder that no server uses, or of a node.
 * @returns the accepted losses, in words. An empty list means that nothing was lost.
 * @throws Fault if the folder must be upgraded first, or if a newer Roster has written it.
 */
export async function acceptLosses(
  config: Pick<Config, "data" | "database" | "secretFiles">,
  { now }: Pick<Dependencies, "now">,
): Promise<readonly string[]> {
  const shared = getSharedDatabase(config);
  if (!shared) return acceptInFolder(config.data, { now });
  const control = await openSharedControl(shared, config.data, {});
  try {
    const losses = await control.folder.losses();
    if (losses.length > 0) await control.folder.acceptLosses(describeAcceptance(losses, now()));
    return losses;
  } finally {
    await control.close();
  }
}

function describeAcceptance(what: readonly string[], at: Date) {
  const entry = { actor: "operator", action: "store.loss_accepted", subject: "folder" } as const;
  return { ...entry, at, detail: { what: what.join("; ") } };
}

async function acceptInFolder(
  data: string,
  { now }: Pick<Dependencies, "now">,
): Promise<readonly string[]> {
  const { control: controlPath, pool: poolPath } = placeDatabases(data);
  const note = readMoveNote(data);
  const accepted = note ? [describeMove(data, note)] : [];
  removeMoveNote(data);
  // Opening an older file would migrate the file without a backup.
  if (findOlderFiles(data).length > 0) {
    if (accepted.length > 0) return accepted;
    const text = `${data} has files of an older form. Start the server once: it backs the files up and upgrades them.`;
    throw new Fault("store", text);
  }
  if (!existsSync(controlPath)) {
    removeMark(controlPath);
    return [...accepted, `${controlPath} is gone; the next start makes a new one`];
  }
  const control = openAsIs(controlPath, (what) => accepted.push(what));
  try {
    const { folder } = control;
    accepted.push(...(await folder.losses()));
    const { pool: known } = await folder.knownFiles();
    if (known && !existsSync(poolPath)) {
      await folder.dropFile("pool");
      accepted.push(`${poolPath} is gone; the next start makes an empty one`);
    } else if (known) {
      const pool = openSqlitePool(poolPath, { now });
      const state = await pool.state();
      await pool.close();
      if (state.name !== known.name) {
        await folder.noteFile("pool", state, { replaces: true });
        accepted.push(`${poolPath} is another pool than before`);
      }
    }
    if (accepted.length > 0) {
      await folder.acceptLosses(describeAcceptance(accepted, now()));
    }
    return accepted;
  } finally {
    await control.close();
  }
}

/** Opens the control store even if its high-water mark belongs to another store. */
function openAsIs(path: string, accepted: (what: string) => void): ControlStore {
  try {
    return openSqliteControlStore(path);
  } catch (error) {
    if (!isFault(error, "data_lost")) throw error;
    removeMark(path);
    accepted(error.message);
    return openSqliteControlStore(path);
  }
}

function readLedgerStates({
  findLedger,
  findForges,
}: Pick<FolderParts, "findLedger" | "findForges">): Partial<Record<DataFile, DataFileState>> {
  const [ledger, forges] = [findLedger()?.state(), findForges()];
  return { ...(ledger && { ledger }), ...(forges && { forges: readForgesState(forges) }) };
}

/** Records the current state of the pool and the ledgers in the control store. */
async function noteFiles({ control, pool, findLedger, findForges }: FolderParts): Promise<void> {
  const known = await control.folder.knownFiles();
  const states = { pool: await pool.state(), ...readLedgerStates({ findLedger, findForges }) };
  for (const [file, state] of Object.entries(states) as [DataFile, DataFileState][]) {
    const before = known[file];
    if (before?.name === state.name && before.changes >= state.changes) continue;
    await control.folder.noteFile(file, state);
  }
}

/** Records the state of the files when the folder is closed. An error is only logged, so that the folder can be closed. */
export async function noteFilesAtEnd(parts: FolderParts, log: Pick<Log, "warn">): Promise<void> {
  try {
    await noteFiles(parts);
  } catch (error) {
    log.warn({ err: error }, "the state of the files could not be recorded");
  }
}
