/**
 * The first start on an empty folder: people to find, an administrator to find them (decision 28).
 * The account comes last, when the port is open, since the key is shown once: a start that fails before
 * then makes it the next time.
 */

import { closeSync, constants, fchmodSync, openSync, writeSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { Fault } from "../contract/fault.ts";
import { demoAsOf, loadDemo } from "../ingest/ingest.ts";
import type { Modules } from "../operations/operation.ts";
import type { DataFolder, Dependencies } from "./data-folder.ts";

/** Reachable by nobody, and valid as an e-mail: the operator changes it or makes accounts of their own. */
const administratorEmail = "admin@localhost";

export interface FirstStart {
  readonly email: string;
  /** Absent when it was written to a file, or given by the operator. */
  readonly key: string | undefined;
  readonly keyFile: string | undefined;
  /** Opens the page that gives the account its password; half an hour, once. */
  readonly setUpLink: { readonly token: string; readonly expiresAt: Date };
  /** Of the developers in the pool, the fictitious ones. */
  readonly demoDevelopers: number;
  readonly developers: number;
}

/** Loads nobody into a pool that has held anybody. */
export async function loadFirstPeople(
  { modules, judge }: Pick<DataFolder, "modules" | "judge">,
  config: Config,
  { step }: Pick<Dependencies, "step">,
): Promise<void> {
  const { accounts, pool } = modules;
  // Not on a later start either: who began with --no-demo meant it.
  if (!config.demo || (await pool.revision()) !== 0 || (await hasAdministrator(accounts))) return;
  step?.("First start: loading fictitious people to try Roster on ...");
  await loadDemo({ pool, judge: judge(demoAsOf) });
}

/** @returns `undefined` when there is an administrator already: the key is shown once. */
export async function createFirstAccount(
  { accounts, pool }: Pick<Modules, "accounts" | "pool">,
  config: Config,
): Promise<FirstStart | undefined> {
  if (await hasAdministrator(accounts)) return undefined;
  const file = config.adminKeyFile === undefined ? undefined : openKeyFile(config.adminKeyFile);
  const { account, key } = await accounts.create({
    email: administratorEmail,
    plan: "enterprise",
    administrator: true,
    ...(config.adminKey === undefined ? {} : { key: config.adminKey }),
  });
  if (file !== undefined) writeKey(file, key);
  const isShown = file === undefined && config.adminKey === undefined;
  return {
    email: account.email,
    key: isShown ? key : undefined,
    keyFile: config.adminKeyFile,
    setUpLink: await accounts.makeLink(account.email, "set-up"),
    // Asked of the pool: a start that failed before this one may have loaded them.
    demoDevelopers: (await pool.sources()).find(({ source }) => source === "demo")?.developers ?? 0,
    developers: await pool.size(),
  };
}

async function hasAdministrator(accounts: Modules["accounts"]): Promise<boolean> {
  return (await accounts.list()).some(({ administrator }) => administrator);
}

/** Through no link: the key goes into the file that the operator named. Windows has no such flag. */
const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
const replaced = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;

/** Opened before there is a key, so that none is made that cannot be handed over. */
function openKeyFile(path: string): number {
  try {
    const file = openSync(path, replaced, 0o600);
    // The mode above holds for a new file only.
    fchmodSync(file, 0o600);
    return file;
  } catch (error) {
    const reason = (error as Error).message;
    throw new Fault("store", `the key file ${path} cannot be written: ${reason}`, { cause: error });
  }
}

function writeKey(file: number, key: string): void {
  try {
    writeSync(file, `${key}\n`);
  } finally {
    closeSync(file);
  }
}
