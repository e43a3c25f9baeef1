/**
 * The first start on an empty folder loads demo developers and creates an administrator (decision 28). The account is created
 * last, because its key is shown only once. If a start fails earlier, the next start creates the account.
 */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  openSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { Fault, isFault } from "../contract/fault.ts";
import { databaseNames } from "../data-files/file-names.ts";
import { demoAsOf, loadDemo, readDemoPool } from "../ingest/ingest.ts";
import type { Modules } from "../operations/operation.ts";
import { placeReadyPool } from "../pool/sqlite/sqlite-pool.ts";
import type { DataFolder, Dependencies } from "./data-folder.ts";
import { isShared } from "./folder/open-stores.ts";

/** A valid e-mail that reaches nobody. */
const administratorEmail = "admin@localhost";

export interface FirstStart {
  readonly email: string;
  /** Undefined if the key was written to a file, or if the operator chose the key. */
  readonly key: string | undefined;
  readonly keyFile: string | undefined;
  /** A link to the page that sets the account's password. It works once, within half an hour. */
  readonly setUpLink: { readonly token: string; readonly expiresAt: Date };
  /** The number of fictitious people among `developers`. */
  readonly demoDevelopers: number;
  readonly developers: number;
}

/** Puts the demo people and their scores into an empty folder. Call this before the pool is opened. */
export async function placeFirstPeople(
  config: Config,
  { now, step }: Pick<Dependencies, "now" | "step">,
): Promise<void> {
  const { demo, data, analysis, identity } = config;
  const isJudgedOtherwise = analysis.modelFile !== undefined || identity.publishCommitEmails;
  if (!demo || isJudgedOtherwise || isShared(config)) return;
  if (
    [databaseNames.control, "control.mark", databaseNames.pool].some((name) =>
      existsSync(join(data, name)),
    )
  )
    return;
  const content = await readDemoPool();
  if (!content) return;
  try {
    placeReadyPool(join(data, databaseNames.pool), content, now());
    step?.("First start: fictitious people to try Roster on are in place.");
  } catch (error) {
    // `loadFirstPeople` needs the same space, and reports that it is missing.
    if (!isFault(error, "no_space")) throw error;
  }
}

/** Loads the demo people into a pool that has never contained data. */
export async function loadFirstPeople(
  { modules, judge }: Pick<DataFolder, "modules" | "judge">,
  config: Config,
  { step }: Pick<Dependencies, "step">,
): Promise<void> {
  const { accounts, pool } = modules;
  // If there is an administrator, an earlier start has decided about demo people.
  if (!config.demo || (await pool.revision()) !== 0 || (await hasAdministrator(accounts))) return;
  step?.("First start: loading fictitious people to try Roster on ...");
  try {
    await loadDemo({ pool, judge: judge(demoAsOf) });
  } catch (error) {
    if (isShared(config) && isFault(error, "import_running")) return waitForOtherNode(pool);
    // A full disk does not stop the start, because the demo people are not needed.
    if (!isFault(error, "no_space")) throw error;
    step?.(`They are left out: ${error.message}`);
  }
}

/** Waits until another node has loaded the demo people. */
async function waitForOtherNode(pool: Modules["pool"]): Promise<void> {
  while ((await pool.revision()) === 0 && (await pool.importUnderWay())) await Bun.sleep(200);
}

/** Creates the first administrator. @returns undefined if there is an administrator already. */
export async function createFirstAccount(
  { accounts, pool }: Pick<Modules, "accounts" | "pool">,
  config: Config,
): Promise<FirstStart | undefined> {
  if (await hasAdministrator(accounts)) return undefined;
  const file = config.adminKeyFile === undefined ? undefined : openKeyFile(config.adminKeyFile);
  const created = await createAdministrator(accounts, config);
  if (!created) return undefined;
  const { account, key } = created;
  if (file !== undefined) writeKey(file, key, config.adminKeyFile);
  const isShown = file === undefined && config.adminKey === undefined;
  return {
    email: account.email,
    key: isShown ? key : undefined,
    keyFile: config.adminKeyFile,
    setUpLink: await accounts.makeLink(account.email, "set-up"),
    // The number comes from the pool, because an earlier start may have loaded the demo people.
    demoDevelopers: (await pool.sources()).find(({ source }) => source === "demo")?.developers ?? 0,
    developers: await pool.size(),
  };
}

/** @returns undefined if another node has just created the administrator. */
async function createAdministrator(accounts: Modules["accounts"], { adminKey }: Config) {
  try {
    return await accounts.create({
      email: administratorEmail,
      plan: "enterprise",
      administrator: true,
      ...(adminKey === undefined ? {} : { key: adminKey }),
    });
  } catch (error) {
    if (await hasAdministrator(accounts)) return undefined;
    throw error;
  }
}

async function hasAdministrator(accounts: Modules["accounts"]): Promise<boolean> {
  return (await accounts.list()).some(({ administrator }) => administrator);
}

/** O_NOFOLLOW refuses links, because the key must be written into the file that the operator named. Windows has no such flag. */
const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
const keyFileFlags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;

const keyLength = 53;

/** Opens the file for the key and reserves its space. A key must not be created if it cannot be written. */
function openKeyFile(path: string): number {
  try {
    const file = openSync(path, keyFileFlags, 0o600);
    // The mode above applies only to a new file.
    fchmodSync(file, 0o600);
    if (fstatSync(file).isFile()) writeSync(file, `${" ".repeat(keyLength)}\n`, 0);
    return file;
  } catch (error) {
    throw createKeyFileFault(path, error);
  }
}

function createKeyFileFault(path: string | undefined, error: unknown): Fault {
  const reason = (error as Error).message;
  return new Fault("store", `the key file ${path} cannot be written: ${reason}`, { cause: error });
}

function writeKey(file: number, key: string, path: string | undefined): void {
  try {
    // A plain file is written from its start. A pipe has no position.
    writeSync(file, `${key}\n`, fstatSync(file).isFile() ? 0 : null);
  } catch (error) {
    throw createKeyFileFault(path, error);
  } finally {
    closeSync(file);
  }
}
