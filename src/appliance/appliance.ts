/**
 * The wiring: a configuration in, rooms and an open door out. Tests open the same one. Nothing here
 * decides anything about people, calls or keys; it says who knows whom, and in which order things
 * open and close.
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isKey, openAccounts, type SignIn } from "../accounts/accounts.ts";
import { type AsOf, createAssess } from "../analysis/analysis.ts";
import type { Config } from "../config/config.ts";
import { ConfigFault } from "../config/config.ts";
import type { Erasure } from "../doors/cli/cli.ts";
import type { HttpDoor } from "../doors/http/http.ts";
import {
  createJudge,
  type Judge,
  type Ledger,
  type OperatorFiles,
  openLedger,
  readOperatorFiles,
} from "../ingest/ingest.ts";
import type { Log } from "../operations/log-call.ts";
import type { Rooms } from "../operations/operation.ts";
import { openPlaces } from "../places/places.ts";
import { openPool } from "../pool/pool.ts";
import { openQuota } from "../quota/quota.ts";
import { openSearch } from "../search/search.ts";
import { type ControlStore, lockFolder, openControlStore, StoreFault } from "../store/store.ts";
import { openVocabulary, type Vocabulary } from "../vocabulary/vocabulary.ts";
import { openErasure } from "./erasure.ts";
import { type FirstStart, firstAccount, loadFirstPeople } from "./first-start.ts";
import { modelInForce } from "./model-in-force.ts";
import { openDoors } from "./open-doors.ts";
import { openReadiness } from "./readiness.ts";

export { modelInForce } from "./model-in-force.ts";

/** What the program gives the wiring that no configuration holds. */
export interface Surroundings {
  readonly now: () => Date;
  /** Unique; goes into request ids. */
  readonly newId: () => string;
  readonly log: Log;
  readonly version: string;
  /** Hears of the long steps of a start, for people. */
  readonly step?: (text: string) => void;
  /** The disk is in doubt: nothing may be served or written any more. Default: only the log hears. */
  readonly fatal?: (error: Error) => void;
}

/** A data folder, open: what commands and the server share. */
export interface Folder {
  readonly rooms: Rooms;
  readonly control: ControlStore;
  /** Judges developers as of one day, with the model in force. @throws ConfigFault for a wrong model file. */
  readonly judge: (asOf: AsOf) => Judge;
  readonly vocabulary: Vocabulary;
  /** Forgets people. */
  readonly erasure: Erasure;
  /** Which constants judge. */
  readonly modelVersion: () => string;
  /** What is known of git repositories; opened when it is first asked for. */
  readonly ledger: () => Ledger;
  /** What the operator says of people. @throws IngestRefusal for a wrong file. */
  readonly identityFiles: () => OperatorFiles;
  close(): Promise<void>;
}

export interface Appliance extends Pick<Folder, "rooms" | "judge" | "close"> {
  readonly http: HttpDoor;
  readonly signIn: SignIn;
  /** Where it listens, when it was asked to. */
  readonly address?: string;
  /** What a first start made; absent on every later one. */
  readonly first?: FirstStart;
}

/** In place of a folder: everything in memory, nothing kept. For tests and measurements. */
export const inMemory = ":memory:";

/**
 * Opens everything that serves calls, and makes a new folder's first account and pool.
 *
 * @throws StoreFault when the folder cannot be used, is damaged, or another server has it; what the system
 *   says when the port cannot be had; ConfigFault when the operator's model file is wrong.
 */
export async function openAppliance(
  config: Config,
  around: Surroundings,
  options: ServeOptions = {},
): Promise<Appliance> {
  const { data, adminKey } = config;
  if (adminKey !== undefined && !isKey(adminKey)) {
    throw new ConfigFault(
      "ROSTER_ADMIN_KEY is no key (rst_ and 49 more); `roster key new` makes one",
    );
  }
  // A server that could not judge the next import should not start; the built-in model is known to be good.
  if (config.analysis.modelFile !== undefined) modelInForce(config);
  if (data !== inMemory) makeFolder(data);
  const lock = data === inMemory ? undefined : lockFolder(data);
  try {
    const folder = await openFolder(config, around, { create: true, search: false });
    try {
      return await serveFolder(folder, {
        config,
        around,
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

export interface ServeOptions {
  /** Opens the configured port, before a first key is made: a key that cannot be used would be shown in vain. */
  readonly listen?: boolean;
}

interface Serving {
  readonly config: Config;
  readonly around: Surroundings;
  readonly listen: boolean;
  readonly release: () => void;
}

async function serveFolder(folder: Folder, serving: Serving): Promise<Appliance> {
  const { config, around, listen, release } = serving;
  const { rooms, control, judge } = folder;
  const demoDevelopers = loadFirstPeople(folder, config, around);
  await rooms.search.start();
  const readiness = openReadiness({
    folder: config.data === inMemory ? undefined : config.data,
    control,
    rooms,
    around,
  });
  const { http, signIn } = openDoors(folder, config, around, readiness.faults);
  const close = async () => {
    readiness.drain();
    await http.close();
    await folder.close();
    release();
  };
  const listening = listen ? { address: http.listen(config) } : {};
  let first: FirstStart | undefined;
  try {
    first = firstAccount(rooms, config, demoDevelopers);
  } catch (error) {
    await http.close();
    throw error;
  }
  return { rooms, judge, http, signIn, close, ...listening, ...(first ? { first } : {}) };
}

/**
 * Opens the rooms over a data folder, beside a running server or not.
 *
 * @param options.search whether the index is loaded: administration does without.
 * @throws StoreFault when the folder cannot be used; without `create`, also when it holds nothing.
 */
export async function openFolder(
  config: Config,
  around: Surroundings,
  options: { readonly create: boolean; readonly search: boolean },
): Promise<Folder> {
  const { now, log, version } = around;
  const files = filesOf(config.data, options.create);
  const control = openControlStore(files.control, controlEvents(around));
  const closing: (() => void | Promise<void>)[] = [() => control.close()];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const pool = openPool(files.pool, { now });
    closing.push(() => pool.close());
    const places = openPlaces();
    const vocabulary = openVocabulary();
    const search = openSearch({
      pool,
      places,
      vocabulary,
      poolFile: files.pool,
      edition: version,
      log,
    });
    closing.push(() => search.close());
    const accounts = openAccounts(control, { now });
    const { countInvalid: countsInvalid, trialDays } = config.quota;
    const quota = openQuota(control, { now, countsInvalid, trialDays });
    closing.push(() => quota.drain());
    if (options.search) await search.start();
    // Only those who bring people judge: a start that serves does not read the model for it.
    const judge = (asOf: AsOf) => {
      const assess = createAssess(vocabulary, modelInForce(config));
      return createJudge({ assess, places, asOf });
    };
    const modelVersion = () => modelInForce(config).modelVersion;
    let opened: Ledger | undefined;
    const ledger = () => {
      if (opened) return opened;
      const file = openLedger(files.ledger, { version, now });
      closing.push(() => file.close());
      opened = file;
      return file;
    };
    const rooms: Rooms = { accounts, quota, pool, places, search };
    // A folder into which git was never read has no ledger, and needs none to forget.
    const held = () => opened ?? (existsSync(files.ledger) ? ledger() : undefined);
    const erasure = openErasure({ rooms, control, ledger: held, files: config.identity, now });
    const identityFiles = () => readOperatorFiles(config.identity);
    const rest = { judge, vocabulary, erasure, ledger, identityFiles, modelVersion, close };
    return { rooms, control, ...rest };
  } catch (error) {
    await close();
    throw error;
  }
}

function makeFolder(data: string): void {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = (error as Error).message;
    throw new StoreFault(`${data} cannot be made: ${reason}`, { cause: error });
  }
}

function filesOf(
  data: string,
  create: boolean,
): { readonly control: string; readonly pool: string; readonly ledger: string } {
  if (data === inMemory) return { control: inMemory, pool: inMemory, ledger: inMemory };
  const control = join(data, "control.db");
  if (create) makeFolder(data);
  else if (!isThere(control)) {
    throw new StoreFault(
      `${data} holds no Roster data. Name another folder with --data, or start \`roster serve\` once.`,
    );
  }
  return { control, pool: join(data, "pool.db"), ledger: join(data, "ingest.db") };
}

/** @throws StoreFault for a folder that may not be looked into: it is not empty for that. */
function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") return false;
    throw new StoreFault(`${path} cannot be read: permission denied`, { cause: error });
  }
}

function controlEvents({ log, fatal }: Surroundings) {
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
