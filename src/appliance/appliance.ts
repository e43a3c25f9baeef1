/** Assembles a server from its modules and interfaces. Tests assemble their servers in the same way. */
import { join } from "node:path";
import { isKey } from "../accounts/accounts.ts";
import type { Config } from "../config/config.ts";
import { Fault } from "../contract/fault.ts";
import { watchForDamage } from "../doctor/doctor.ts";
import {
  createStartingListener,
  type Listener,
  removeDeadSocket,
} from "../interfaces/http/http.ts";
import { finishInterruptedRestore } from "../restore/swap.ts";
import { type FolderLock, lockFolder, type ReloadOutcome } from "../sqlite/folder/folder-lock.ts";
import { removeFiles } from "../sqlite/folder/move-files.ts";
import {
  createDataFolder,
  type DataFolder,
  type Dependencies,
  inMemory,
  openDataFolder,
  type ServerDependencies,
} from "./data-folder.ts";
import {
  createFirstAccount,
  type FirstStart,
  loadFirstPeople,
  placeFirstPeople,
} from "./first-start.ts";
import {
  refuseLinks,
  requireWritable,
  warnOfOpenAccess,
  warnOfOpenSecrets,
} from "./folder/inspect-folder.ts";
import { isShared } from "./folder/open-stores.ts";
import { findOlderFiles } from "./folder/upgrade.ts";
import { chooseModel } from "./model.ts";
import { findPlainHttp } from "./monitoring/concerns.ts";
import {
  createMetricsIfConfigured,
  openMetrics,
  openTracesIfConfigured,
} from "./monitoring/open-metrics.ts";
import { openBackups } from "./open-backups.ts";
import { openInterfaces } from "./open-interfaces.ts";
import { openWebhooks } from "./open-webhooks.ts";
import { logPendingWork, rescoreAfterUpgrade } from "./pending-work.ts";
import { runWhenReachable } from "./reach-database.ts";
import { createReadiness } from "./readiness.ts";
import { openAdministration } from "./runs/open-administration.ts";
import { startSavedSearches } from "./saved-search-schedule.ts";
import { openSources } from "./sources/open-sources.ts";
import { startUpkeep } from "./upkeep.ts";

export { planCleanup } from "./cleanup.ts";
export {
  type DataFolder,
  type Dependencies,
  inMemory,
  type OpenOptions,
  openDataFolder,
} from "./data-folder.ts";
export type { Erasure, ErasurePreview, ErasureResult } from "./erasure.ts";
export type { FirstStart } from "./first-start.ts";
export { acceptLosses } from "./folder/reconcile.ts";
export { chooseModel } from "./model.ts";
export { openLogOutput } from "./monitoring/log-output.ts";
export { readStatus, type Status } from "./monitoring/status.ts";
export { createPersonCopy } from "./person-copy.ts";
export { askForReload, openLiveSettings } from "./reload.ts";
export { type CommandRun, listRuns, noteCommandRun } from "./runs/note-run.ts";
export { removeSourceWithData } from "./sources/forget-source.ts";
export { listLogins, refreshForge, refreshSources } from "./sources/refresh-sources.ts";
export { getSourceAddress, openSourceBook, type SourceEntry } from "./sources/source-book.ts";

export type Appliance = Awaited<ReturnType<typeof openAppliance>>;

/**
 * Opens everything that serves calls. For a new folder, creates the first account and pool.
 * @throws Fault if the folder or the operator's model file cannot be used.
 * @throws the system's error if the port cannot be opened.
 */
export async function openAppliance(
  config: Config,
  given: Dependencies,
  { listen = false }: ServeOptions = {},
) {
  const { data, adminKey } = config;
  if (adminKey !== undefined && !isKey(adminKey)) {
    throw new Fault(
      "admin_key_malformed",
      "ROSTER_ADMIN_KEY is not a key: a key is rst_ and 49 letters and digits",
    );
  }
  // A wrong model file must stop the start, and not a later import.
  if (config.analysis.modelFile !== undefined) chooseModel(config);
  warnOfOpenSecrets(config, given.log);
  const lock = data === inMemory ? undefined : acquireFolder(data, given);
  let listener: Listener | undefined;
  try {
    const noted = noteSteps(given);
    if (listen) {
      listener = createStartingListener({ ...given, step: noted.latest });
      await removeDeadSocket(config.host);
      // The port opens immediately, because a monitor that gets no answer would kill a slow server.
      listener.listen(config);
    }
    const metrics = await createMetricsIfConfigured(config, given);
    const dependencies = { live: () => config, ...given, ...noted, metrics };
    if (lock) await placeFirstPeople(config, dependencies);
    const opening = { create: true, search: false, isLocked: true };
    const open = async () => {
      const folder = await openDataFolder(config, dependencies, opening);
      return prepareFolder(folder, config, dependencies);
    };
    const folder = await runWhenReachable(open, dependencies);
    try {
      return await serveFolder(folder, { config, dependencies, listener, lock });
    } catch (error) {
      await folder.close();
      throw error;
    }
  } catch (error) {
    await listener?.close();
    lock?.release();
    throw error;
  }
}

/** Prepares the database for a start. This can be repeated. An error closes the folder. */
async function prepareFolder(folder: DataFolder, config: Config, dependencies: Dependencies) {
  try {
    const fault = await folder.erasure.finish();
    if (fault !== undefined) {
      dependencies.log.error({ fault }, "an erasure is unfinished; it is tried again each minute");
    }
    await loadFirstPeople(folder, config, dependencies);
    await folder.modules.search.start();
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** Stores the latest long step of a start. Readiness reports this step. */
function noteSteps({ step }: Dependencies) {
  let latest: string | undefined;
  return {
    latest: () => latest,
    step: (text: string) => {
      latest = text;
      step?.(text);
    },
  };
}

function acquireFolder(data: string, { log }: Dependencies): FolderLock {
  createDataFolder(data);
  requireWritable(data);
  refuseLinks(data);
  warnOfOpenAccess(data, log);
  finishInterruptedRestore(data);
  // Nothing may be written into the folder of a newer Roster. This call throws for such a folder.
  findOlderFiles(data);
  // Earlier versions reserved space in this file.
  removeFiles(join(data, "server.reserve"));
  return lockFolder(data);
}

const closeMsMax = 2000;

interface ServeOptions {
  /** Whether to open the configured port. The port opens before the first account's key is shown. */
  readonly listen?: boolean;
}

interface ServeContext {
  readonly config: Config;
  readonly dependencies: ServerDependencies;
  readonly listener: Listener | undefined;
  readonly lock: FolderLock | undefined;
}

/** What readiness is about. */
const describeFolder = ({ paths, control, modules, faults }: DataFolder, { data }: Config) => ({
  folder: data === inMemory ? undefined : data,
  files: [paths.control, paths.pool].filter((path) => path !== inMemory),
  ...{ control, modules, folderFaults: faults },
});

async function serveFolder(folder: DataFolder, context: ServeContext) {
  const { config, dependencies, listener, lock } = context;
  const { modules, control, judge } = folder;
  const backups = await openBackups(folder, config, dependencies);
  const readiness = createReadiness({
    ...describeFolder(folder, config),
    ...{ backups, dependencies },
  });
  const { now, log, self, live } = dependencies;
  const runs = openAdministration({
    ...{ folder, config, dependencies, readiness, backups },
    sources: { list: () => sources.list() },
  });
  const sources = openSources({
    ...{ folder, config, live, now, log, runs: runs.administration.runs },
    isServing: self !== undefined && config.data !== inMemory,
  });
  const publicUrl = () => http.publicUrl();
  const saved = startSavedSearches({ modules, control, now, log, live, publicUrl });
  const own = { sources, searchMail: saved.mail, administration: runs.administration };
  const telling = openWebhooks(folder, context, { ...own, readiness, backups, publicUrl });
  const traces = await openTracesIfConfigured(config, dependencies);
  const health = { ...readiness, ...own, listener, traces };
  const { http, signIn } = openInterfaces(folder, config, dependencies, health);
  const closeMetrics = listener && (await openMetrics(folder, config, dependencies, readiness));
  const endChecks =
    config.data === inMemory ? () => {} : watchForDamage(folder.paths, folder.faults);
  let endUpkeep = () => {};
  const close = async () => {
    endChecks();
    endUpkeep();
    const ending = Promise.all([backups, sources, runs, saved, telling].map((one) => one?.close()));
    readiness.enter("stopping");
    await http.close();
    if (closeMetrics) await closeMetrics();
    await traces?.close();
    // An unreachable shared database must not delay the end of the process.
    const closed = ending.then(() => folder.close());
    await (isShared(config) ? Promise.race([closed, Bun.sleep(closeMsMax)]) : closed);
    lock?.release();
  };
  const address = listener && http.listen(config);
  if (listener) lock?.noteAddress(http.publicUrl(), http.local());
  const plain = listener && findPlainHttp(config);
  if (plain !== undefined) dependencies.log.warn({ host: config.host }, plain);
  let first: FirstStart | undefined;
  try {
    first = await runWhenReachable(() => createFirstAccount(modules, config), dependencies);
  } catch (error) {
    await http.close();
    if (closeMetrics) await closeMetrics();
    throw error;
  }
  readiness.enter("serving");
  if (config.data !== inMemory)
    endUpkeep = startUpkeep(config, { ...folder, backups }, dependencies);
  backups?.startSchedule();
  await runWhenReachable(() => logPendingWork(folder, dependencies), dependencies);
  await runWhenReachable(() => rescoreAfterUpgrade(folder, runs.administration.runs), dependencies);
  return {
    ...{ modules, judge, http, signIn, close },
    /** The URL of this server. Undefined means that no port is open. */
    address,
    /** The first account and people. Undefined means that an earlier start created them. */
    first,
    /** Uses settings that were read again, and notes the outcome for the command that asked for it. */
    takeOver: (outcome: ReloadOutcome) => {
      for (const part of [backups, sources, telling]) part?.lookAgain();
      lock?.noteReload(outcome);
    },
  };
}
