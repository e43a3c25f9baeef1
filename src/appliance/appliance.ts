/** The wiring of a server: takes a configuration, gives modules and open interfaces. Tests use the same wiring. */

import { isKey, type SignIn } from "../accounts/accounts.ts";
import type { Config } from "../config/config.ts";
import { Fault } from "../contract/fault.ts";
import type { HttpServer } from "../interfaces/http/http.ts";
import { finishInterruptedRestore } from "../restore/swap.ts";
import { type FolderLock, lockFolder } from "../sqlite/folder-lock.ts";
import {
  createDataFolder,
  type DataFolder,
  type Dependencies,
  inMemory,
  openDataFolder,
} from "./data-folder.ts";
import { createFirstAccount, type FirstStart, loadFirstPeople } from "./first-start.ts";
import { watchFolder } from "./folder-watch.ts";
import { refuseLinks, warnOfOpenAccess } from "./inspect-folder.ts";
import { chooseModel } from "./model.ts";
import { openInterfaces } from "./open-interfaces.ts";
import { createReadiness } from "./readiness.ts";
import { findOlderFiles } from "./upgrade.ts";

export {
  type DataFolder,
  type Dependencies,
  inMemory,
  type OpenOptions,
  openDataFolder,
} from "./data-folder.ts";
export type { Erasure, ErasureResult } from "./erasure.ts";
export type { FirstStart } from "./first-start.ts";
export { chooseModel } from "./model.ts";
export { acceptLosses } from "./reconcile.ts";

export interface Appliance extends Pick<DataFolder, "modules" | "judge" | "close"> {
  readonly http: HttpServer;
  readonly signIn: SignIn;
  /** Where it listens; absent without `listen`. */
  readonly address?: string;
  /** What a first start created; absent on every later start. */
  readonly first?: FirstStart;
}

/**
 * Opens everything that serves calls, and creates a new folder's first account and pool.
 *
 * @throws Fault when the folder cannot be used, is damaged or in use by another server, or when the operator's model
 *   file is wrong; the system's error when the port cannot be opened.
 */
export async function openAppliance(
  config: Config,
  dependencies: Dependencies,
  options: ServeOptions = {},
): Promise<Appliance> {
  const { data, adminKey } = config;
  if (adminKey !== undefined && !isKey(adminKey)) {
    throw new Fault("admin_key_malformed", "ROSTER_ADMIN_KEY is no key (rst_ and 49 more)");
  }
  // A server that could not judge the next import should not start; the built-in model is known to be good.
  if (config.analysis.modelFile !== undefined) chooseModel(config);
  const lock = data === inMemory ? undefined : acquireFolder(data, dependencies);
  try {
    const opening = { create: true, search: false, isLocked: true };
    const folder = await openDataFolder(config, dependencies, opening);
    try {
      return await serveFolder(folder, {
        config,
        dependencies,
        listen: options.listen ?? false,
        release: () => lock?.release(),
      });
    } catch (error) {
      await folder.close();
      throw error;
    }
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function acquireFolder(data: string, { log }: Dependencies): FolderLock {
  createDataFolder(data);
  refuseLinks(data);
  warnOfOpenAccess(data, log);
  finishInterruptedRestore(data);
  // Nothing may be written into the folder of a newer Roster, not even a lock.
  findOlderFiles(data);
  return lockFolder(data);
}

interface ServeOptions {
  /** Opens the configured port before creating a first key, which is shown only once and must then be usable. */
  readonly listen?: boolean;
}

interface ServeContext {
  readonly config: Config;
  readonly dependencies: Dependencies;
  readonly listen: boolean;
  readonly release: () => void;
}

async function serveFolder(folder: DataFolder, context: ServeContext): Promise<Appliance> {
  const { config, dependencies, listen, release } = context;
  const { modules, control, judge, erasure } = folder;
  const { log, fatal } = dependencies;
  const unfinished = await erasure.finish();
  if (unfinished)
    log.error({ fault: unfinished }, "an erasure is unfinished; the next start repeats it");
  await loadFirstPeople(folder, config, dependencies);
  await modules.search.start();
  const readiness = createReadiness({
    folder: config.data === inMemory ? undefined : config.data,
    control,
    modules,
    folderFaults: folder.faults,
    dependencies,
  });
  const { http, signIn } = openInterfaces(folder, config, dependencies, readiness.faults);
  const endWatch =
    config.data === inMemory
      ? () => {}
      : watchFolder(config.data, (text) => {
          log.error(`${text}; stopping`);
          fatal?.(new Error(text));
        });
  const close = async () => {
    endWatch();
    readiness.drain();
    await http.close();
    await folder.close();
    release();
  };
  const listening = listen ? { address: http.listen(config) } : {};
  let first: FirstStart | undefined;
  try {
    first = await createFirstAccount(modules, config);
  } catch (error) {
    await http.close();
    throw error;
  }
  return { modules, judge, http, signIn, close, ...listening, ...(first ? { first } : {}) };
}
