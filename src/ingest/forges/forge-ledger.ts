/** Opens forges.db, which stores accounts, public repositories and reviews of forges, and the progress of each walk. */
import { requireClean } from "../../sqlite/clean-file.ts";
import {
  type Database,
  type DatabaseKind,
  openDatabase,
  rewritingMilliseconds,
} from "../../sqlite/database.ts";
import { type FileState, readFileState } from "../../sqlite/file-state.ts";
import { openReadOnly } from "../../sqlite/read-only.ts";
import { toStoreFault } from "../../sqlite/store-fault.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import reviewsSql from "./migrations/0001_reviews.sql" with { type: "text" };

/** Describes forges.db to `openDatabase`, backup and doctor. */
export const forgesFile: DatabaseKind = {
  name: "forges",
  // The number is "RFRG" in ASCII.
  applicationId: 0x52465247,
  migrations: [first, reviewsSql],
  busyMilliseconds: rewritingMilliseconds,
};

/** The open forges.db. The modules sources.ts, accounts.ts, reviews.ts and walks.ts read and write it. */
export type ForgeLedger = Database;

/** @param path a file, or ":memory:" for a temporary ledger. @throws Fault when the file cannot be used. */
export function openForgeLedger(path: string, { isReadOnly = false } = {}): ForgeLedger {
  return isReadOnly ? openReadOnly(path, forgesFile) : openDatabase(path, forgesFile);
}

/** Reads the identity of the file, and how often it has changed. */
export function readForgesState(ledger: ForgeLedger): FileState {
  return readForges(ledger, () => readFileState(ledger));
}

type Act<Result> = (sqlite: ForgeLedger["sqlite"]) => Result;

/** @package Reads in one transaction. @throws Fault, which names the file. */
export function readForges<Result>({ sqlite, path }: ForgeLedger, read: Act<Result>): Result {
  return nameFile(path, () => sqlite.transaction(read).deferred(sqlite));
}

/** @package Writes in one transaction, or inside the caller's. @throws Fault, which names the file. */
export function writeForges<Result>({ sqlite, path }: ForgeLedger, write: Act<Result>): Result {
  return nameFile(path, () => sqlite.transaction(write).immediate(sqlite));
}

/** @package Removes deleted content from the free pages and the log of the file. */
export function cleanForges(ledger: ForgeLedger): void {
  nameFile(ledger.path, () => requireClean(ledger, forgesFile));
}

function nameFile<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw toStoreFault(error, path);
  }
}
