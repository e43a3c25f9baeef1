/**
 * The ledger, `ingest.db`: what was read of each repository, and what the stages keep. It is a file of its own, since writing it
 * must not hold the pool's lock. It can be deleted: the next run reads everything again, with the same result.
 */
import { isFault } from "../../../contract/fault.ts";
import {
  type Database,
  type DatabaseKind,
  openDatabase,
  rewritingMilliseconds,
} from "../../../sqlite/database.ts";
import { type FileState, readFileState } from "../../../sqlite/file-state.ts";
import { openInMemory } from "../../../sqlite/read-only.ts";
import { toStoreFault } from "../../../sqlite/store-fault.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import fileStateSql from "./migrations/0001_file_state.sql" with { type: "text" };
import counts from "./migrations/0002_counts.sql" with { type: "text" };
import notesSql from "./migrations/0003_notes.sql" with { type: "text" };
import leftOutSql from "./migrations/0004_left_out.sql" with { type: "text" };
import replacedNames from "./migrations/0005_replaced_names.sql" with { type: "text" };
import build from "./migrations/0006_build.sql" with { type: "text" };
import namesInPool from "./migrations/0007_names_in_pool.sql" with { type: "text" };

export interface Ledger extends Database {
  /** The version of this program and of its stored form. */
  readonly edition: string;
  readonly now: () => Date;
  /** Which ledger this is, and how often its histories have changed: an older copy has changed less often. */
  state(): FileState;
}

/** Describes ingest.db to `openDatabase`, backup and doctor. */
export const ledgerFile: DatabaseKind = {
  name: "ingest",
  // "RING" in ASCII.
  applicationId: 0x52494e47,
  migrations: [
    ...[first, fileStateSql, counts, notesSql, leftOutSql, replacedNames, build],
    namesInPool,
  ],
  busyMilliseconds: rewritingMilliseconds,
};

/** Increased when stored histories change their form or meaning; then everything is read again. */
const form = 9;

/** @param path a file, or ":memory:". @throws Fault when the file cannot be used. */
export function openLedger(
  path: string,
  {
    version,
    now,
    isReadOnly = false,
  }: { readonly version: string; readonly now: () => Date; readonly isReadOnly?: boolean },
): Ledger {
  // What was read may not be counted yet; what is counted of a file that stays as it is, is counted in memory.
  const store = isReadOnly ? openInMemory(path, ledgerFile) : openDatabase(path, ledgerFile);
  return { ...store, edition: `${version}/${form}`, now, state: () => readFileState(store) };
}

/** Whether a location was stored in a form that this version no longer counts. */
export function isOfOlderForm({ edition }: { readonly edition: string }): boolean {
  // An empty edition was not read in another form: it is to be read again.
  return edition !== "" && !edition.endsWith(`/${form}`);
}

/** Parses the JSON of a column. Earlier versions wrote a hash before it. */
export function parseColumn<Value>(text: string): Value {
  return JSON.parse(text.slice(text.indexOf("{")));
}

/** Reads something at once. @throws Fault that names the file, as `guardLedger` does. */
export function guardReading<Result>({ path }: Pick<Ledger, "path">, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw toStoreFault(error, path);
  }
}

/** Runs work on the ledger. @throws Fault that names the file, for an error of its disk, permissions or locks. */
export async function guardLedger<Result>(
  { path }: Pick<Ledger, "path">,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isFault(error) ? error : toStoreFault(error, path);
  }
}
