/**
 * Opens a data folder: the modules over its files, for the server and for commands beside it. Nothing here decides
 * about developers, calls or keys; it connects the modules, and opens and closes them in order.
 */

import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { openAccounts } from "../accounts/accounts.ts";
import { type AsOf, createAssessor } from "../analysis/analysis.ts";
import type { Config } from "../config/config.ts";
import { Fault } from "../contract/fault.ts";
import type { ControlStore } from "../control/control-store.ts";
import { createQuota } from "../control/quota.ts";
import { openSqliteControlStore } from "../control/sqlite/sqlite-control-store.ts";
import {
  createJudge,
  type Judge,
  type Ledger,
  type OperatorFiles,
  openLedger,
  readOperatorFiles,
} from "../ingest/ingest.ts";
import type { Log } from "../operations/log-call.ts";
import type { Modules } from "../operations/operation.ts";
import { openPlaces } from "../places/places.ts";
import { openSqlitePool } from "../pool/sqlite/sqlite-pool.ts";
import { finishInterruptedRestore } from "../restore/swap.ts";
import { createMemoryIndex } from "../search/memory/memory-index.ts";
import { createVocabulary, type Vocabulary } from "../vocabulary/vocabulary.ts";
import { createErasure, type Erasure } from "./erasure.ts";
import { createFolderFaults, type FolderFaults } from "./folder-faults.ts";
import { refuseLinks } from "./inspect-folder.ts";
import { chooseModel } from "./model.ts";
import { noteFiles, reconcileFolder, refuseMissingPool } from "./reconcile.ts";
import { upgradeFolder } from "./upgrade.ts";

/** What the program passes to the wiring in addition to the configuration. */
export interface Dependencies {
  readonly now: () => Date;
  /** Unique; goes into request ids. */
  readonly newId: () => string;
  readonly log: Log;
  readonly version: string;
  /** Called with each long step of a start, as text for people. */
  readonly step?: (text: string) => void;
  /** Called when the state of the disk is unknown: nothing may be served or written any more. Default: log only. */
  readonly fatal?: (error: Error) => void;
}

/** An open data folder: what commands and the server share. */
export interface DataFolder {
  readonly modules: Modules;
  readonly control: ControlStore;
  /** Judges developers as of one day, with the model in force. @throws Fault for a wrong model file. */
  readonly judge: (asOf: AsOf) => Judge;
  readonly vocabulary: Vocabulary;
  readonly erasure: Erasure;
  /** The version of the model in force. */
  readonly modelVersion: () => string;
  /** The ledger of git repositories, opened at its first use. */
  readonly ledger: () => Ledger;
  /** The operator's alias and class files. @throws Fault for a wrong file. */
  readonly identityFiles: () => OperatorFiles;
  readonly faults: FolderFaults;
  close(): Promise<void>;
}

/** In place of a folder: everything in memory, nothing stored. For tests and measurements. */
export const inMemory = ":memory:";

export interface OpenOptions {
  /** Whether a missing folder is created, or is an error. */
  readonly create: boolean;
  /** Whether the index is loaded; administration does not need it. */
  readonly search: boolean;
  /** Whether the caller holds the server's lock on the folder. Default: no. */
  readonly isLocked?: boolean;
  /** Whether it is a copy whose original somebody keeps, so that no upgrade needs a backup. Default: no. */
  readonly isCopy?: boolean;
}

/**
 * Opens the modules over a data folder, beside a running server or not.
 *
 * @throws Fault when the folder cannot be used; without `create`, also when it holds no data.
 */
export async function openDataFolder(
  config: Config,
  dependencies: Dependencies,
  options: OpenOptions,
): Promise<DataFolder> {
  const { now, log, version } = dependencies;
  const faults = createFolderFaults((text) => log.error(text));
  const files = getFiles(config.data, options.create);
  if (config.data !== inMemory) {
    const { isLocked = false, isCopy = false } = options;
    await upgradeFolder(config.data, { ...dependencies, isLocked, isCopy });
  }
  const control = openSqliteControlStore(files.control, createControlEvents(dependencies));
  const closing: (() => void | Promise<void>)[] = [() => control.close()];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const known = await control.folder.knownFiles();
    refuseMissingPool(files.pool, known);
    const pool = openSqlitePool(files.pool, { now });
    closing.push(() => pool.close());
    const places = openPlaces();
    const vocabulary = createVocabulary();
    const search = createMemoryIndex({
      pool,
      places,
      vocabulary,
      poolFile: files.pool,
      edition: version,
      log,
    });
    closing.push(() => search.close());
    const accounts = await openAccounts(control, {
      now,
      privateRedirects: config.assistants.privateRedirects,
    });
    const { countInvalid: countsInvalid, ...terms } = config.quota;
    const quota = createQuota(control, { now, countsInvalid, ...terms });
    closing.push(() => quota.drain());
    // Only imports judge: a server's start does not read the model for it.
    const judge = (asOf: AsOf) => {
      const assess = createAssessor(vocabulary, chooseModel(config));
      return createJudge({ assess, places, asOf });
    };
    const modelVersion = () => chooseModel(config).modelVersion;
    let opened: Ledger | undefined;
    const ledger = () => {
      if (opened) return opened;
      const file = openLedger(files.ledger, { version, now });
      // Closed last: closing the folder reads it once more.
      closing.unshift(() => file.close());
      opened = file;
      return file;
    };
    const modules: Modules = { accounts, quota, pool, places, search };
    // A folder without git ingests has no ledger, and an erasure needs none.
    const findLedger = () => opened ?? (existsSync(files.ledger) ? ledger() : undefined);
    const erasure = createErasure({ modules, control, findLedger, files: config.identity, now });
    const parts = { control, pool, path: files.pool, known, erasure, log, now };
    await reconcileFolder({ ...parts, findLedger: () => known.ledger && findLedger() });
    if (options.search) await search.start();
    closing.push(async () => {
      try {
        await noteFiles({ control, pool, findLedger: () => opened });
      } catch (error) {
        log.warn({ err: error }, "the state of the files could not be noted");
      }
    });
    const identityFiles = () => readOperatorFiles(config.identity);
    const rest = { judge, vocabulary, erasure, ledger, identityFiles, modelVersion, faults, close };
    return { modules, control, ...rest };
  } catch (error) {
    await close();
    throw error;
  }
}

export function createDataFolder(data: string): void {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = (error as Error).message;
    throw new Fault("store", `${data} cannot be made: ${reason}`, { cause: error });
  }
}

function getFiles(data: string, create: boolean) {
  if (data === inMemory) return { control: inMemory, pool: inMemory, ledger: inMemory };
  const control = join(data, "control.db");
  // Until then even control.db may be elsewhere.
  finishInterruptedRestore(data);
  if (create) createDataFolder(data);
  else if (!fileExists(control)) {
    throw new Fault("no_data", `${data} holds no Roster data.`);
  }
  refuseLinks(data);
  return { control, pool: join(data, "pool.db"), ledger: join(data, "ingest.db") };
}

/** @throws Fault for a folder without read permission, which may well hold data. */
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
      log.warn(step, "the clock went back; calls count in the later window");
    },
    writesLost: (message: string) => log.error(message),
    failed: (error: Error) => {
      log.error({ err: error }, "the store failed to write; stopping, since the disk is in doubt");
      fatal?.(error);
    },
  };
}
