/** Upgrades and opens the files of a data folder. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import type { Config, LiveSettings } from "../../config/config.ts";
import { Fault } from "../../contract/fault.ts";
import type { ControlStore } from "../../control/control-store.ts";
import {
  openControlSnapshot,
  openSqliteControlStore,
} from "../../control/sqlite/sqlite-control-store.ts";
import { databaseFiles } from "../../data-files/data-files.ts";
import {
  type DatabaseRole,
  type FolderPaths,
  placeDatabases,
} from "../../data-files/file-names.ts";
import type { Metrics } from "../../metrics/metrics.ts";
import type { Log } from "../../operations/log-call.ts";
import type { PoolDatabase } from "../../pool/pool.ts";
import { finishInterruptedRestore, hasInterruptedRestore } from "../../restore/swap.ts";
import { refuseMoved } from "../../sqlite/folder/move-note.ts";
import { createTemporaryCopies } from "../../sqlite/folder/temporary-copies.ts";
import { prepareForReading } from "../../sqlite/read-only.ts";
import { isWritable, refuseLinks, requireWritable } from "./inspect-folder.ts";
import { getSharedDatabase, isShared, openSharedControl, refuseOwnData } from "./open-stores.ts";
import { upgradeFolder } from "./upgrade.ts";

/** What the program gives to the modules besides the configuration. */
export interface Dependencies {
  readonly now: () => Date;
  /** Creates a unique id. It becomes part of the ids of requests and runs. */
  readonly newId: () => string;
  readonly log: Log;
  readonly version: string;
  /** The command that runs this program again. Without it, a server refreshes no forges. */
  readonly self?: readonly string[];
  /** Gets a message for each long step of a start. */
  readonly step?: (text: string) => void;
  /** Is aborted when the process should end. A start then stops. */
  readonly signal?: AbortSignal;
  /** Is called when the state of the disk is unknown. Nothing may be served then. By default, the error is only logged. */
  readonly fatal?: (error: Error) => void;
  /** Metrics for a monitor. Undefined means that there are none. */
  readonly metrics?: Metrics | undefined;
  /** Returns the settings in force, which may be read again. By default, they are those of the configuration. */
  readonly live?: () => LiveSettings;
}

export type ServerDependencies = Dependencies & Required<Pick<Dependencies, "live">>;

/** The name of a data folder that is only in memory, for tests and measurements. */
export const inMemory = ":memory:";

export interface OpenOptions {
  /** Whether to create a missing folder. If false, a missing folder is an error. */
  readonly create: boolean;
  /** Whether to load the search index. Administration does not need it. */
  readonly search: boolean;
  /** Whether the caller only reads. The folder may then be read-only. The default is false. */
  readonly isReading?: boolean;
  /** Whether the caller already has the server's lock on the folder. The default is false. */
  readonly isLocked?: boolean;
  /** Whether the folder is a copy. An upgrade of a copy needs no backup. The default is false. */
  readonly isCopy?: boolean;
}

const inMemoryPaths: FolderPaths = {
  control: inMemory,
  pool: inMemory,
  ledger: inMemory,
  forges: inMemory,
};

/** Upgrades files of older versions, and opens the control store. */
export async function openFiles(config: Config, dependencies: Dependencies, options: OpenOptions) {
  const shared = getSharedDatabase(config);
  if (shared) return openNode(shared, config, dependencies);
  if (config.data !== inMemory) refuseMoved(config.data);
  const isReadOnly = isOnlyReadable(config, options);
  const files = getFiles(config.data, isReadOnly, options.create && !isReadOnly);
  if (config.data !== inMemory && !isReadOnly) {
    const { isLocked = false, isCopy = false } = options;
    await upgradeFolder(config.data, { ...dependencies, isLocked, isCopy });
  }
  const copies = createTemporaryCopies();
  const paths = isReadOnly ? toReadablePaths(files, copies.folder) : files;
  const openStore = isReadOnly ? openControlSnapshot : openSqliteControlStore;
  const store = openStore(paths.control, createControlEvents(dependencies), files.control);
  const control = observeControl(store, dependencies.metrics);
  return { files, paths, isReadOnly, control, removeCopies: copies[Symbol.dispose] };
}

/** @throws Fault `configuration` if a node shall make backups. */
export function refuseBackupsOfNode(config: Config): void {
  const { everyMs, copies } = config.backup;
  if (!isShared(config) || (everyMs === undefined && copies.length === 0)) return;
  const name = everyMs === undefined ? "[[backup.copies]]" : "backup.every";
  const text = "works only for a data folder: use PostgreSQL's own tools for a node's database";
  throw new Fault("configuration", `${name} ${text}`);
}

/** Opens the folder of a node, which contains only the node's ledgers and index. */
async function openNode(shared: PoolDatabase, config: Config, dependencies: Dependencies) {
  const { data } = config;
  const isStored = data !== inMemory;
  refuseBackupsOfNode(config);
  if (isStored) {
    createDataFolder(data);
    refuseOwnData(data);
    refuseLinks(data);
  }
  const files: FolderPaths = isStored
    ? { ...placeDatabases(data), control: inMemory, pool: inMemory }
    : inMemoryPaths;
  const store = await openSharedControl(shared, data, createControlEvents(dependencies));
  const control = observeControl(store, dependencies.metrics);
  return { files, paths: files, isReadOnly: false, control, removeCopies: () => {} };
}

/** @returns whether the folder is read-only. @throws Fault `read_only` if the caller needs to write in such a folder. */
function isOnlyReadable({ data }: Config, { isReading = false }: OpenOptions): boolean {
  if (data === inMemory) return false;
  if (isReading) return !isWritable(data);
  requireWritable(data);
  return false;
}

/** Makes the files readable. Empty ledgers in memory replace missing ledgers. */
function toReadablePaths(paths: FolderPaths, folder: () => string): FolderPaths {
  const prepare = (role: DatabaseRole) =>
    prepareForReading(paths[role], databaseFiles[role].kind, folder);
  return {
    control: prepare("control"),
    pool: prepare("pool"),
    ledger: existsSync(paths.ledger) ? prepare("ledger") : inMemory,
    forges: existsSync(paths.forges) ? prepare("forges") : inMemory,
  };
}

export function createDataFolder(data: string): void {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = (error as Error).message;
    throw new Fault("store", `${data} cannot be made: ${reason}`, { cause: error });
  }
}

function getFiles(data: string, isReadOnly: boolean, create: boolean) {
  if (data === inMemory) return inMemoryPaths;
  const paths = placeDatabases(data);
  // An interrupted restore may have moved any file, so it is completed first.
  if (!isReadOnly) finishInterruptedRestore(data);
  else if (hasInterruptedRestore(data)) {
    const text = `a restore of ${data} was interrupted: the next start that can write to the folder finishes it.`;
    throw new Fault("store", text);
  }
  if (create) createDataFolder(data);
  else if (!fileExists(paths.control)) {
    throw new Fault("no_data", `${data} holds no Roster data.`);
  }
  refuseLinks(data);
  return paths;
}

/** Whether a file exists. @throws Fault if that is unknown, because the folder cannot be read. */
function fileExists(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") return false;
    throw new Fault("store", `${path} cannot be read: permission denied`, { cause: error });
  }
}

function createControlEvents({ log, fatal }: Dependencies) {
  return {
    clockSteppedBack: (step: { readonly seconds: number; readonly fault: string | undefined }) => {
      log.warn(step, "the machine's clock went back; calls still count in the later period");
    },
    writesLost: (message: string) => log.error(message),
    failed: (error: Error) => {
      log.error(
        { err: error },
        "a write to the data folder failed; the server stops, because the disk may be faulty",
      );
      fatal?.(error);
    },
  };
}

/** Wraps a store to measure commits of charged calls and refused sign-ins. */
function observeControl(control: ControlStore, metrics: Metrics | undefined): ControlStore {
  if (!metrics) return control;
  return {
    ...control,
    async charge(calls, ...rest) {
      const startedMs = performance.now();
      const outcomes = await control.charge(calls, ...rest);
      const seconds = (performance.now() - startedMs) / 1000;
      metrics.observeCommit({ calls: calls.length, seconds });
      return outcomes;
    },
    record: (entry) => {
      if (entry.action === "sign-in.refused") metrics.countFailedSignIn();
      return control.record(entry);
    },
  };
}
