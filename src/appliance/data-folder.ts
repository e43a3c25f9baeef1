/** Opens a data folder for the server and for commands. Connects the modules, and opens and closes them in order. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openAccounts } from "../accounts/accounts.ts";
import { type AsOf, createAssessor } from "../analysis/analysis.ts";
import type { Config } from "../config/config.ts";
import { createQuota } from "../control/quota.ts";
import { type FolderPaths, indexName } from "../data-files/file-names.ts";
import { describeDamage, getDamageKey } from "../doctor/doctor.ts";
import {
  createJudge,
  freezeForges,
  type Judge,
  type OperatorFiles,
  openForgeLedger,
  openLedger,
  readOperatorFiles,
} from "../ingest/ingest.ts";
import { createKnowledgeBase } from "../knowledge/knowledge.ts";
import { createAdmission } from "../operations/admission.ts";
import type { Modules } from "../operations/operation.ts";
import { createRepeats } from "../operations/repeats.ts";
import { openPlaces, type Places } from "../places/places.ts";
import { createMemoryIndex } from "../search/memory/memory-index.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { type FileIdentity, identifyFile } from "../sqlite/connection.ts";
import { countFileBytes } from "../sqlite/file-form.ts";
import { findServer } from "../sqlite/folder/folder-lock.ts";
import { createVocabulary, type Vocabulary } from "../vocabulary/vocabulary.ts";
import { createErasure } from "./erasure.ts";
import { createFolderFaults } from "./folder/folder-faults.ts";
import { type Dependencies, inMemory, type OpenOptions, openFiles } from "./folder/open-files.ts";
import { getSharedDatabase, isShared, openPool } from "./folder/open-stores.ts";
import {
  noteFilesAtEnd,
  reconcileFolder,
  refuseMissingPool,
  requireReconciled,
} from "./folder/reconcile.ts";
import { chooseModel } from "./model.ts";

export {
  createDataFolder,
  type Dependencies,
  inMemory,
  type OpenOptions,
  type ServerDependencies,
} from "./folder/open-files.ts";

export type DataFolder = Awaited<ReturnType<typeof openDataFolder>>;

/**
 * Opens the modules over a data folder. A server may be using the folder.
 * @throws Fault if the folder cannot be used, or if it has no data and `create` is false.
 * @throws Fault `read_only` if the folder cannot be written.
 */
export async function openDataFolder(
  config: Config,
  dependencies: Dependencies,
  options: OpenOptions,
) {
  const { now, log, version, live = () => config } = dependencies;
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
    const isNode = isShared(config);
    const known = isNode ? {} : await control.folder.knownFiles();
    const onDamage = (reason: string) =>
      faults.report(getDamageKey("pool"), describeDamage("pool", [reason]));
    if (!isNode) refuseMissingPool(files.pool, known);
    const pool = await openPool(config, paths.pool, { now, isReadOnly, onDamage });
    closing.push(() => pool.close());
    const places = openPlaces();
    const vocabulary = createVocabulary();
    const search = await openSearch(
      config,
      { pool, places, vocabulary, edition: version, log },
      paths,
      isReadOnly,
    );
    closing.push(() => search.close());
    const { privateRedirects } = config.assistants;
    const accounts = await openAccounts(control, { now, privateRedirects });
    const quota = createQuota(control, { now, terms: () => live().quota });
    closing.push(() => quota.drain());
    const { ledger, forges, stored, opened, freezeKnown } = openLedgers({
      ...{ files, paths, isReadOnly, version, now },
      // The ledgers are closed after `noteFilesAtEnd` has read them, and before their copies are removed.
      onOpen: (file) => closing.splice(1, 0, () => file.close()),
    });
    const { findForges, findLedger } = stored;
    const { authorship } = pool;
    const knowledge = createKnowledgeBase({ authorship, model: () => chooseModel(config), now });
    const calling = { accounts, admission: createAdmission(config.callsAtOnce, { log }), quota };
    const repeats = createRepeats(now);
    const modules: Modules = { ...calling, repeats, pool, places, search, knowledge };
    // An erasure rewrites these databases.
    const personal = [paths.pool, paths.ledger, paths.forges];
    const countBytes = () => personal.reduce((sum, path) => sum + countFileBytes(path), 0);
    const erasing = { files: config.identity, folder: config.data, countBytes };
    const sources = { findLedger, freezeForges: freezeKnown };
    const erasure = createErasure({ modules, control, ...sources, ...erasing, now });
    const parts = { control, pool, path: files.pool, known, erasure, log, now };
    // Another node may have erased people who are still in the ledgers of this node.
    if (isNode) await erasure.repeat({ isLedgerOlder: true });
    else if (isReadOnly) await requireReconciled(parts);
    else await reconcileFolder({ ...parts, ...stored });
    if (options.search) await search.start();
    if (!isReadOnly && !isNode)
      closing.push(() => noteFilesAtEnd({ control, pool, ...opened }, log));
    return {
      ...{ modules, control, vocabulary, erasure, faults, close },
      ...createReads(config, vocabulary, places, freezeKnown),
      /** The ledgers, opened on first use. `findLedger` and `findForges` return undefined if nothing was ever ingested. */
      ...{ ledger, findLedger, forges, findForges },
      /** The paths of the open databases. A folder that is only read may have copies. */
      paths,
      /** Whether the folder is only read. Writes to `control` are then lost. */
      isReadOnly,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates functions that read the model and the operator's files at each call, so that a start does not wait for the files. */
function createReads(
  config: Config,
  vocabulary: Vocabulary,
  places: Places,
  freezeKnown: ReturnType<typeof openLedgers>["freezeKnown"],
) {
  const { publishCommitEmails } = config.identity;
  return {
    /** Returns a function that scores developers on a day with the current model. @throws Fault for an invalid model file. */
    judge: (asOf: AsOf): Judge => {
      const model = chooseModel(config);
      const assess = createAssessor(vocabulary, model);
      return createJudge({ assess, places, asOf, model, publishCommitEmails });
    },
    modelVersion: () => chooseModel(config).modelVersion,
    /** Whether scored profiles publish the e-mail addresses of commits. */
    publishCommitEmails,
    /** Reads the operator's alias and class files, and the accounts that the forges know. @throws Fault for an invalid file. */
    identityFiles: (): OperatorFiles => ({
      ...readOperatorFiles(config.identity),
      forges: freezeKnown(),
    }),
    findServer: () => findServer(config.data),
  };
}

/** Opens the search index. An in-memory index has its file in the data folder, even if the pool is elsewhere. */
async function openSearch(
  config: Config,
  parts: Omit<
    Parameters<typeof createMemoryIndex>[0],
    "poolFile" | "indexFile" | "database" | "isReadOnly"
  >,
  { pool: poolFile }: FolderPaths,
  isReadOnly: boolean,
): Promise<SearchIndex> {
  const shared = { ...parts, poolFile, database: getSharedDatabase(config) };
  if (config.search.engine === "database") {
    const { createDatabaseIndex } = await import("../search/database/database-index.ts");
    return createDatabaseIndex(shared);
  }
  const isElsewhere = config.data !== inMemory && (isReadOnly || isShared(config));
  return createMemoryIndex({
    ...shared,
    ...(isReadOnly ? { isReadOnly } : {}),
    ...(isElsewhere ? { indexFile: join(config.data, indexName) } : {}),
  });
}

/** Opens the ledgers on first use. `findLedger` and `findForges` create no ledger. */
function openLedgers({
  files,
  paths,
  isReadOnly,
  onOpen,
  ...options
}: {
  readonly files: FolderPaths;
  readonly paths: FolderPaths;
  readonly isReadOnly: boolean;
  readonly version: string;
  readonly now: () => Date;
  readonly onOpen: (file: { close(): void }) => void;
}) {
  const isReadFrom = (path: string) => ({ isReadOnly: isReadOnly && path !== inMemory });
  const [ledger, findOpenedLedger] = openLate(paths.ledger, onOpen, () =>
    openLedger(paths.ledger, { ...options, ...isReadFrom(paths.ledger) }),
  );
  const [forges, findOpenedForges] = openLate(paths.forges, onOpen, () =>
    openForgeLedger(paths.forges, isReadFrom(paths.forges)),
  );
  const findLedger = () => findOpenedLedger() ?? (existsSync(files.ledger) ? ledger() : undefined);
  const findForges = () => findOpenedForges() ?? (existsSync(files.forges) ? forges() : undefined);
  return {
    ...{ ledger, forges },
    stored: { findLedger, findForges },
    opened: { findLedger: findOpenedLedger, findForges: findOpenedForges },
    freezeKnown: () => {
      const known = findForges();
      return known && freezeForges(known);
    },
  };
}

/** Returns a function that opens a file on first use. It opens the file again after the file was replaced. */
function openLate<File extends { close(): void }>(
  path: string,
  onOpen: (file: File) => void,
  open: () => File,
): readonly [open: () => File, findOpened: () => File | undefined] {
  let opened: File | undefined;
  let identity: FileIdentity | undefined;
  const findOpened = () => (identity === identifyFile(path) ? opened : undefined);
  const openOnce = (): File => {
    const current = findOpened();
    if (current) return current;
    opened?.close();
    opened = open();
    identity = identifyFile(path);
    onOpen(opened);
    return opened;
  };
  return [openOnce, findOpened];
}
