import { Fault } from "../../../contract/fault.ts";
import { checkStructure, runCheck } from "../../../sqlite/check-database.ts";
import { type Database, type DatabaseKind, openDatabase } from "../../../sqlite/database.ts";
import { readFileState } from "../../../sqlite/file-state.ts";
import { openInMemory } from "../../../sqlite/read-only.ts";
import { guardMethods } from "../../../sqlite/to-promises.ts";
import { readApplied } from "./applied.ts";
import { checkLedgerContent } from "./check-content.ts";
import { openCommitIndex } from "./commit-index.ts";
import { openCountedRepositories } from "./counted-repositories.ts";
import { createLedgerErasure } from "./erase-people.ts";
import { openIdentityRows } from "./identity-state.ts";
import { openKnownPeople } from "./known-people.ts";
import type { Ledger } from "./ledger.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import fileStateSql from "./migrations/0001_file_state.sql" with { type: "text" };
import counts from "./migrations/0002_counts.sql" with { type: "text" };
import notesSql from "./migrations/0003_notes.sql" with { type: "text" };
import leftOutSql from "./migrations/0004_left_out.sql" with { type: "text" };
import replacedNames from "./migrations/0005_replaced_names.sql" with { type: "text" };
import { openNoteRows } from "./note-rows.ts";
import { createCloneRows, readHistories } from "./rows.ts";
import { openSpellings } from "./spellings.ts";

/** Describes ingest.db to `openDatabase`, backup and doctor. */
export const ledgerFile: DatabaseKind = {
  name: "ingest",
  // "RING" in ASCII.
  applicationId: 0x52494e47,
  migrations: [first, fileStateSql, counts, notesSql, leftOutSql, replacedNames],
  // Commits by number: whose they are is told by other tables.
  impersonal: ["segment", "note", "commit_holder", "shared_commit", "kin"],
};

/** Increased when stored histories change their form or meaning; then everything is read again. */
const form = 9;

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
  // What was read may not be counted yet; what is counted of a file that stays as it is, is counted in memory.
  const store = isReadOnly ? openInMemory(path, ledgerFile) : openDatabase(path, ledgerFile);
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
  const applied = readApplied(store, edition);
  const histories = readHistories(store);
  const spellings = openSpellings(store);
  const { unindex, ...commits } = openCommitIndex(store);
  const places = createCloneRows(store, { edition, now, histories, unindex, spellings });
  const erasure = createLedgerErasure(store, { kind: ledgerFile, histories, spellings });
  const { history, metadata, segments } = histories;
  const close = () => store.close();
  const state = () => readFileState(store);
  const requireIntact = () => {
    const checks = [checkStructure(store), checkLedgerContent(store)];
    const [found] = checks.flatMap((check) => [...runCheck(check)]);
    if (found) throw new Fault("damaged_ledger", `${path} is damaged: ${found}.`);
  };
  const own = { state, requireIntact, history, metadata, segments };
  const methods = { ...own, ...places, ...erasure, ...applied };
  const parts = {
    commits: guardMethods(path, commits),
    notes: guardMethods(path, openNoteRows(store)),
    repositories: guardMethods(path, openCountedRepositories(store, spellings)),
    spellings: guardMethods(path, spellings),
    people: guardMethods(path, openKnownPeople(store)),
    identity: guardMethods(path, openIdentityRows(store)),
  };
  // An empty edition was not read in another form: it is to be read again.
  const isOfOlderForm: Ledger["isOfOlderForm"] = (place) =>
    place.edition !== "" && !place.edition.endsWith(`/${form}`);
  return { edition, isOfOlderForm, ...guardMethods(path, methods), ...parts, close };
}
