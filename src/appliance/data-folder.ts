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
import {
  controlFile,
  openControlSnapshot,
  openSqliteControlStore,
} from "../control/sqlite/sqlite-control-store.ts";
import { describeDamage, getDamageKey } from "../doctor/doctor.ts";
import {
  createJudge,
  type ForgeLedger,
  forgesFile,
  type Judge,
  type Ledger,
  ledgerFile,
  type OperatorFiles,
  openForgeLedger,
  openLedger,
  readOperatorFiles,
} from "../ingest/ingest.ts";
import type { Log } from "../operations/log-call.ts";
import type { Modules } from "../operations/operation.ts";
import { openPlaces } from "../places/places.ts";
import { openSqlitePool, poolFile } from "../pool/sqlite/sqlite-pool.ts";
import { finishInterruptedRestore, hasInterruptedRestore } from "../restore/swap.ts";
import { createMemoryIndex } from "../search/memory/memory-index.ts";
import { createTemporaryCopies } from "../sqlite/folder/temporary-copies.ts";
import { prepareForReading } from "../sqlite/read-only.ts";
import { createVocabulary, type Vocabulary } from "../vocabulary/vocabulary.ts";
import { createErasure, type Erasure } from "./erasure.ts";
import { createFolderFaults, type FolderFaults } from "./folder/folder-faults.ts";
import { isWritable, refuseLinks, requireWritable } from "./folder/inspect-folder.ts";
import {
  noteFilesAtEnd,
  reconcileFolder,
  refuseMissingPool,
  requireReconciled,
} from "./folder/reconcile.ts";
import { releaseReserve } from "./folder/space-reserve.ts";
import { upgradeFolder } from "./folder/upgrade.ts";
import { chooseModel } from "./model.ts";

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
  /** Whether `judge` publishes addresses of commits. */
  readonly publishCommitEmails: boolean;
  /** The ledger of git repositories, opened at its first use. */
  readonly ledger: () => Ledger;
  /** What forges said, opened at its first use. */
  readonly forges: () => ForgeLedger;
  /** The same where a forge was ever asked. */
  readonly findForges: () => ForgeLedger | undefined;
  /** The operator's alias and class files, and what forges say of who is who. @throws Fault for a wrong file. */
  readonly identityFiles: () => OperatorFiles;
  readonly faults: FolderFaults;
  /** The databases as they can be opened: of a folder that is only read, some may be copies. */
  readonly paths: Readonly<Record<"control" | "pool" | "ledger" | "forges", string>>;
  /** Nothing is written into the folder; what is written to `control` is lost at the end. */
  readonly isReadOnly: boolean;
  close(): Promise<void>;
}

/** In place of a folder: everything in memory, nothing stored. For tests and measurements. */
export const inMemory = ":memory:";

export interface OpenOptions {
  /** Whether a missing folder is created, or is an error. */
  readonly create: boolean;
  /** Whether the index is loaded; administration does not need it. */
  readonly search: boolean;
  /** Whether the caller only reads, and so also takes a folder that cannot be written. Default: false. */
  readonly isReading?: boolean;
  /** Whether the caller holds the server's lock on the folder. Default: no. */
  readonly isLocked?: boolean;
  /** Whether the space reserve is given up if the disk is full: for what must work even then. */
  readonly canUseReserve?: boolean;
  /** Whether it is a copy whose original somebody keeps, so that no upgrade needs a backup. Default: no. */
  readonly isCopy?: boolean;
}

/**
 * Opens the modules over a data folder, beside a running server or not.
 *
 * @throws Fault when the folder cannot be used; without `create`, also when it holds no data; read_only when it cannot be
 *   written but should be.
 */
export async function openDataFolder(
  config: Config,
  dependencies: Dependencies,
  options: OpenOptions,
): Promise<DataFolder> {
  const { now, log, version } = dependencies;
  const { files, paths, isReadOnly, control, removeCopies } = await openFiles(
    config,
    dependencies,
    options,
  );
  const faults = createFolderFaults((text) => log.error(text));
  const closing: (() => void | Promise<void>)[] = [removeCopies, () => control.close()];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const known = await control.folder.knownFiles();
    const onDamage = (reason: string) =>
      faults.report(getDamageKey("pool"), describeDamage("pool", [reason]));
    refuseMissingPool(files.pool, known);
    const pool = openSqlitePool(paths.pool, { now, isReadOnly, onDamage });
    closing.push(() => pool.close());
    const places = openPlaces();
    const vocabulary = createVocabulary();
    const search = createMemoryIndex({
      pool,
      places,
      vocabulary,
      poolFile: paths.pool,
      ...(isReadOnly ? { isReadOnly, indexFile: join(config.data, "search.index") } : {}),
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
    const { publishCommitEmails } = config.identity;
    const judge = (asOf: AsOf) => {
      const assess = createAssessor(vocabulary, chooseModel(config));
      return createJudge({ assess, places, asOf, publishCommitEmails });
    };
    const modelVersion = () => chooseModel(config).modelVersion;
    // Closed last: closing the folder reads them once more.
    const closeLast = (file: { close(): void }) => closing.unshift(() => file.close());
    const [ledger, findOpened] = openLate(closeLast, () =>
      openLedger(paths.ledger, {
        ...{ isReadOnly: isReadOnly && paths.ledger !== inMemory, version, now },
      }),
    );
    const [forges, findOpenedForges] = openLate(closeLast, () =>
      openForgeLedger(paths.forges, { isReadOnly: isReadOnly && paths.forges !== inMemory }),
    );
    const modules: Modules = { accounts, quota, pool, places, search };
    // A folder without git ingests has no ledger, and an erasure needs none.
    const findLedger = () => findOpened() ?? (existsSync(files.ledger) ? ledger() : undefined);
    const findForges = () =>
      findOpenedForges() ?? (existsSync(files.forges) ? forges() : undefined);
    const erasure = createErasure({
      ...{ modules, control, findLedger, findForges, files: config.identity, now },
    });
    const parts = { control, pool, path: files.pool, known, erasure, log, now };
    if (isReadOnly) await requireReconciled(parts);
    else await reconcileFolder({ ...parts, findLedger: () => known.ledger && findLedger() });
    if (options.search) await search.start();
    if (!isReadOnly)
      closing.push(() => noteFilesAtEnd({ control, pool, findLedger: findOpened }, log));
    const identityFiles = () => ({ ...readOperatorFiles(config.identity), forges: findForges() });
    const judging = { judge, modelVersion, publishCommitEmails };
    const kept = { ledger, forges, findForges };
    const rest = { ...judging, vocabulary, erasure, ...kept, identityFiles, faults };
    return { modules, control, ...rest, paths, isReadOnly, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens a file at its first use. */
function openLate<File extends { close(): void }>(
  onOpen: (file: File) => void,
  open: () => File,
): readonly [open: () => File, findOpened: () => File | undefined] {
  let opened: File | undefined;
  const openOnce = (): File => {
    if (opened) return opened;
    opened = open();
    onOpen(opened);
    return opened;
  };
  return [openOnce, () => opened];
}

/** Upgrades the files of an older form, and opens the control store, which knows of the others. */
async function openFiles(config: Config, dependencies: Dependencies, options: OpenOptions) {
  const isReadOnly = chooseAccess(config, options) === "read";
  const files = getFiles(config.data, isReadOnly, options.create && !isReadOnly);
  if (config.data !== inMemory && !isReadOnly) {
    if (options.canUseReserve) releaseReserve(config.data);
    const { isLocked = false, isCopy = false } = options;
    await upgradeFolder(config.data, { ...dependencies, isLocked, isCopy });
  }
  const copies = createTemporaryCopies();
  const paths = isReadOnly ? toReadablePaths(files, copies.folder) : files;
  const openControl = isReadOnly ? openControlSnapshot : openSqliteControlStore;
  const control = openControl(paths.control, createControlEvents(dependencies), files.control);
  return { files, paths, isReadOnly, control, removeCopies: copies.remove };
}

/** @throws Fault read_only when the caller would write, and the folder or the settings do not let it. */
function chooseAccess(
  { data, readOnly }: Config,
  { isReading = false }: OpenOptions,
): "read" | "write" {
  if (data === inMemory) return "write";
  if (isReading) return readOnly || !isWritable(data) ? "read" : "write";
  if (readOnly) throw new Fault("read_only", `${data} is to be read only: so the setting says.`);
  requireWritable(data);
  return "write";
}

/** A folder in which nothing was ingested has no ledgers: to a reader, empty ones answer for them. */
function toReadablePaths(
  { control, pool, ledger, forges }: DataFolder["paths"],
  folder: () => string,
): DataFolder["paths"] {
  return {
    control: prepareForReading(control, controlFile, folder),
    pool: prepareForReading(pool, poolFile, folder),
    ledger: existsSync(ledger) ? prepareForReading(ledger, ledgerFile, folder) : inMemory,
    forges: existsSync(forges) ? prepareForReading(forges, forgesFile, folder) : inMemory,
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
  if (data === inMemory)
    return { control: inMemory, pool: inMemory, ledger: inMemory, forges: inMemory };
  const control = join(data, "control.db");
  // Until then even control.db may be elsewhere.
  if (!isReadOnly) finishInterruptedRestore(data);
  else if (hasInterruptedRestore(data)) {
    const text = `a restore of ${data} was interrupted: only a start that may write can finish it.`;
    throw new Fault("store", text);
  }
  if (create) createDataFolder(data);
  else if (!fileExists(control)) {
    throw new Fault("no_data", `${data} holds no Roster data.`);
  }
  refuseLinks(data);
  const [pool, ledger, forges] = ["pool.db", "ingest.db", "forges.db"].map((name) =>
    join(data, name),
  ) as [string, string, string];
  return { control, pool, ledger, forges };
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
