/**
 * Restores a data folder from an archive: unpacks the archive next to the old files, checks it, and adds newer data from the
 * folder. It opens the result once as a server would. Only then does it replace the old files, which remain in another folder.
 */
import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { type BackupManifest, type ReadOptions, unpackArchive } from "../backup/backup.ts";
import { closeAtEnd } from "../contract/close-at-end.ts";
import { Fault, isFault } from "../contract/fault.ts";
import { findMissingErasures } from "../contract/people/erasure-receipt.ts";
import { openSqliteControlStore } from "../control/sqlite/sqlite-control-store.ts";
import { databaseFiles, everyDatabaseFile } from "../data-files/data-files.ts";
import { databaseNames, settingsName } from "../data-files/file-names.ts";
import { openSqlitePool } from "../pool/sqlite/sqlite-pool.ts";
import { checkFile, checkStructure, runCheck } from "../sqlite/check-database.ts";
import { type Database, type DatabaseKind, openDatabase } from "../sqlite/database.ts";
import { openExclusively } from "../sqlite/exclusive.ts";
import { measureFile } from "../sqlite/file-form.ts";
import { type FileState, raiseFileChanges, readFileState } from "../sqlite/file-state.ts";
import { lockFolder } from "../sqlite/folder/folder-lock.ts";
import { removeLog } from "../sqlite/folder/move-files.ts";
import { type JoinContext, type JoinedControl, joinControl } from "./join-control.ts";
import {
  abandonRestore,
  composeReplacedName,
  finishInterruptedRestore,
  listDatabaseFiles,
  restoringName,
  swapFiles,
} from "./swap.ts";

export { findInS3 } from "../backup/backup.ts";
export { finishInterruptedRestore } from "./swap.ts";

export interface RestoreRequest extends ReadOptions {
  /** The data folder. It is created if it is missing. No process may be using it. */
  readonly data: string;
  /** The archive; `-` is standard input. */
  readonly file: string;
  /** Whether to restore everything as archived, even if the folder has newer keys, counts and erasures. */
  readonly asArchived: boolean;
  readonly now: () => Date;
  /** Opens the restored folder as a server would, and repeats recorded erasures. @returns the number of people in it. */
  readonly openRestored: (folder: string) => Promise<number>;
}

export interface RestoreReceipt {
  readonly file: string;
  readonly archive: Pick<BackupManifest, "madeAt" | "version" | "instance">;
  readonly people: number;
  /** Where accounts, keys and counts came from. */
  readonly control: JoinedControl;
  /** How many erasures were repeated because the archive did not contain them. */
  readonly erasuresRepeated: number;
  readonly settings: "archive" | "folder" | "none";
  /** The folder with the old files. Absent if there were no old files. */
  readonly keptIn?: string;
  readonly warnings: readonly string[];
}

/**
 * Restores a folder. If that fails, the folder stays unchanged.
 * @throws Fault if the folder is in use, the archive is damaged or of another instance, or the disk has no room.
 */
export async function restoreFolder(request: RestoreRequest): Promise<RestoreReceipt> {
  const { data, file, asArchived, now } = request;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  finishInterruptedRestore(data);
  using _lock = lockFolder(data);
  const staged = join(data, restoringName);
  const taken: Database[] = [];
  const letGo = () => {
    for (const database of taken.splice(0)) database.close();
  };
  try {
    mkdirSync(staged, { mode: 0o700 });
    const warnings: string[] = [];
    const take = (name: string) => takeCurrent(join(data, name), taken, warnings);
    const current = { control: take(databaseNames.control), pool: take(databaseNames.pool) };
    const manifest = await unpackArchive(file, staged, request);
    checkStaged(staged, file);
    const joining: JoinContext = { staged, manifest, asArchived, current, now, warnings };
    const control = await joinControl(joining);
    const erasuresRepeated = await settleStaged(joining, control);
    const people = await request.openRestored(staged);
    const settings = chooseSettings(data, staged, asArchived);
    const keptIn = swapStaged(request, settings, letGo);
    const { madeAt, version, instance } = manifest;
    return {
      ...{ file, people, control, erasuresRepeated, settings, warnings },
      archive: { madeAt, version, ...(instance === undefined ? {} : { instance }) },
      ...(keptIn === undefined ? {} : { keptIn }),
    };
  } catch (error) {
    letGo();
    abandonRestore(data);
    throw error;
  }
}

/** Opens a database for this process only. Returns undefined if the file is missing or damaged. @throws Fault `folder_in_use`. */
function takeCurrent(path: string, taken: Database[], warnings: string[]): Database | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const database = openExclusively(path);
    taken.push(database);
    database.sqlite.readRow`SELECT count(*) FROM sqlite_schema`;
    return database;
  } catch (error) {
    if (isFault(error, "folder_in_use")) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    warnings.push(`The old files could not be read: ${reason}`);
    return undefined;
  }
}

/** Checks the unpacked files, and migrates them to the newest version. */
function checkStaged(staged: string, file: string): void {
  for (const { name, kind } of everyDatabaseFile) {
    const path = join(staged, name);
    if (!existsSync(path)) continue;
    const [fault] = runCheck(checkFile(path, kind, checkStructure));
    if (fault !== undefined) {
      throw new Fault("damaged_backup", `${file} is damaged: ${name}: ${fault}.`);
    }
    openDatabase(path, kind).close();
  }
}

/**
 * Records the state of the archive's files in the control file.
 * @returns the number of erasures that the archive's pool lacks.
 */
async function settleStaged(
  { staged, manifest, asArchived, now }: JoinContext,
  { from, carriedOver }: JoinedControl,
): Promise<number> {
  await using control = closeAtEnd(openSqliteControlStore(join(staged, databaseNames.control)));
  const { folder } = control;
  const known = await folder.knownFiles();
  for (const file of ["pool", "ledger", "forges"] as const) {
    const { name, kind } = databaseFiles[file];
    const path = join(staged, name);
    if (!existsSync(path)) await folder.dropFile(file);
    else {
      const state = raiseChanges(path, kind, known[file]);
      await folder.noteFile(file, state, { replaces: true });
    }
  }
  const detail = { backup: manifest.madeAt, from, asArchived, ...carriedOver };
  const action = "folder.restored" as const;
  const by = { actor: "operator", action, subject: manifest.instance ?? "" };
  await folder.acceptLosses({ ...by, at: now(), detail });
  const listed = await folder.suppressionList();
  await using pool = closeAtEnd(openSqlitePool(join(staged, databaseNames.pool), { now }));
  const archived = await pool.erasing.suppressionList();
  return findMissingErasures(listed, archived).filter(({ undoneAt }) => !undoneAt).length;
}

function raiseChanges(path: string, kind: DatabaseKind, known: FileState | undefined): FileState {
  using store = openDatabase(path, kind);
  raiseFileChanges(store, (known?.changes ?? 0) + 1);
  return readFileState(store);
}

/** Chooses the folder's own settings file if it has one, unless everything is restored as archived. */
function chooseSettings(
  data: string,
  staged: string,
  asArchived: boolean,
): RestoreReceipt["settings"] {
  const [inPlace, archived] = [data, staged].map((folder) =>
    existsSync(join(folder, settingsName)),
  );
  if (archived && (asArchived || !inPlace)) return "archive";
  return inPlace ? "folder" : "none";
}

/** Replaces the old files. @returns the folder that contains the old files now. Undefined if there were no old files. */
function swapStaged(
  { data, now }: Pick<RestoreRequest, "data" | "now">,
  settings: RestoreReceipt["settings"],
  beforeMoves: () => void,
): string | undefined {
  const withSettings = settings === "archive" ? [settingsName] : [];
  const listFiles = (folder: string) => [
    ...listDatabaseFiles(folder),
    ...withSettings.filter((name) => existsSync(join(folder, name))),
  ];
  removeEmptyLogs(join(data, restoringName));
  const old = listFiles(data);
  const keptIn = composeReplacedName(now());
  const restored = listFiles(join(data, restoringName));
  swapFiles(data, { keptIn, old, restored }, beforeMoves);
  if (old.length > 0) return join(data, keptIn);
  rmdirSync(join(data, keptIn));
  return undefined;
}

/** Removes the empty logs that closed connections have left. */
function removeEmptyLogs(folder: string): void {
  for (const { name } of everyDatabaseFile) {
    const path = join(folder, name);
    if (measureFile(`${path}-wal`) === 0) removeLog(path);
  }
}
