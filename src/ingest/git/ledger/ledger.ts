/**
 * The ledger, `ingest.db`: what was read of each repository, and the results of the stages. It is a separate file, so that
 * writing it does not lock the pool. It can be deleted: the next run then reads everything again, with the same result.
 */
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
import elsewhere from "./migrations/0008_elsewhere.sql" with { type: "text" };

export interface Ledger extends Database {
  /** The version of this program and of the form in which it stores histories. */
  readonly edition: string;
  readonly now: () => Date;
  /** Identity of the file, and how often its histories have changed. */
  state(): FileState;
}

/** Describes ingest.db to `openDatabase`, backup and doctor. */
export const ledgerFile: DatabaseKind = {
  name: "ingest",
  // The number is "RING" in ASCII.
  applicationId: 0x52494e47,
  migrations: [
    ...[first, fileStateSql, counts, notesSql, leftOutSql, replacedNames, build],
    ...[namesInPool, elsewhere],
  ],
  busyMilliseconds: rewritingMilliseconds,
};

/** The version of stored histories. Increase it when the form or its meaning changes. Everything is then read again. */
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
  // A read-only file may contain histories that are not counted yet, so a copy in memory is counted.
  const store = isReadOnly ? openInMemory(path, ledgerFile) : openDatabase(path, ledgerFile);
  return { ...store, edition: `${version}/${form}`, now, state: () => readFileState(store) };
}

/** Whether an older Roster stored the location in an older form. */
export function isOfOlderForm({ edition }: { readonly edition: string }): boolean {
  // An empty edition only marks a location that is to be read again.
  return edition !== "" && !edition.endsWith(`/${form}`);
}

/** Parses the JSON in a column. Earlier versions put a hash before it. */
export function parseColumn<Value>(text: string): Value {
  return JSON.parse(text.slice(text.indexOf("{")));
}

/** Does the same as `guardLedger` for a synchronous read. */
export function guardReading<Result>({ path }: Pick<Ledger, "path">, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw toStoreFault(error, path);
  }
}

/** Runs work on the ledger. @throws Fault that names the file if its disk, permissions or locks cause an error. */
export async function guardLedger<Result>(
  { path }: Pick<Ledger, "path">,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toStoreFault(error, path);
  }
}
