import { type Database, type DatabaseKind, openDatabase } from "../../../sqlite/database.ts";
import { readFileState } from "../../../sqlite/file-state.ts";
import { openReadOnly } from "../../../sqlite/read-only.ts";
import { guardMethods } from "../../../sqlite/to-promises.ts";
import { createLedgerErasure, readApplied } from "./applied.ts";
import type { Ledger } from "./ledger.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import fileStateSql from "./migrations/0001_file_state.sql" with { type: "text" };
import { createCloneRows, readHistories } from "./rows.ts";

/** Describes ingest.db to `openDatabase`, backup and doctor. */
export const ledgerFile: DatabaseKind = {
  name: "ingest",
  // "RING" in ASCII.
  applicationId: 0x52494e47,
  migrations: [first, fileStateSql],
};

/** Increased when stored histories change their form or meaning; then everything is read again. */
const form = 6;

/**
 * @param path a file, or ":memory:" for a temporary ledger.
 * @param options.version version of this program.
 * @throws Fault when the file cannot be used.
 */
export function openLedger(
  path: string,
  {
    version,
    now,
    isReadOnly = false,
  }: { readonly version: string; readonly now: () => Date; readonly isReadOnly?: boolean },
): Ledger & { close(): void } {
  const store = isReadOnly ? openReadOnly(path, ledgerFile) : openDatabase(path, ledgerFile);
  try {
    return createLedger(store, { path, edition: `${version}/${form}`, now });
  } catch (error) {
    store.close();
    throw error;
  }
}

function createLedger(
  store: Database,
  {
    path,
    edition,
    now,
  }: { readonly path: string; readonly edition: string; readonly now: () => Date },
): Ledger & { close(): void } {
  const { change, ...applied } = readApplied(store, edition);
  const histories = readHistories(store);
  const places = createCloneRows(store, { edition, now, change, histories });
  const erasure = createLedgerErasure(store, histories);
  const { history, metadata, segments } = histories;
  const close = () => store.close();
  const state = () => readFileState(store);
  const methods = { state, ...places, ...erasure, history, metadata, segments, ...applied };
  // An empty edition was not read in another form: it is to be read again.
  const isOfOlderForm: Ledger["isOfOlderForm"] = (place) =>
    place.edition !== "" && !place.edition.endsWith(`/${form}`);
  return { edition, isOfOlderForm, ...guardMethods(path, methods), close };
}
