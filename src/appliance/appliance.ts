/** The wiring of a server: a configuration in, rooms and an open door out. Tests open the same one. */
import { isKey, type SignIn } from "../accounts/accounts.ts";
import type { Config } from "../config/config.ts";
import { ConfigFault } from "../config/config.ts";
import type { FirstStart } from "../doors/cli/cli.ts";
import type { HttpDoor } from "../doors/http/http.ts";
import { type FolderLock, lockFolder } from "../store/store.ts";
import { firstAccount, loadFirstPeople } from "./first-start.ts";
import { type Folder, inMemory, makeFolder, openFolder, type Surroundings } from "./folder.ts";
import { refuseLinks, warnOfOthers } from "./inspect-folder.ts";
import { modelInForce } from "./model-in-force.ts";
import { openDoors } from "./open-doors.ts";
import { openReadiness } from "./readiness.ts";

export { inMemory, openFolder, type Surroundings } from "./folder.ts";
export { modelInForce } from "./model-in-force.ts";

export interface Appliance extends Pick<Folder, "rooms" | "judge" | "close"> {
  readonly http: HttpDoor;
  readonly signIn: SignIn;
  /** Where it listens, when it was asked to. */
  readonly address?: string;
  /** What a first start made; absent on every later one. */
  readonly first?: FirstStart;
}

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
  const lock = data === inMemory ? undefined : takeFolder(data, around);
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

function takeFolder(data: string, { log }: Surroundings): FolderLock {
  makeFolder(data);
  refuseLinks(data);
  warnOfOthers(data, log);
  return lockFolder(data);
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
  loadFirstPeople(folder, config, around);
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
    first = firstAccount(rooms, config);
  } catch (error) {
    await http.close();
    throw error;
  }
  return { rooms, judge, http, signIn, close, ...listening, ...(first ? { first } : {}) };
}
