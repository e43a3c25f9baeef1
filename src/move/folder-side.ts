/** A data folder as the source or the target of a move. */
import { existsSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { closeAtEnd } from "../contract/close-at-end.ts";
import { Fault } from "../contract/fault.ts";
import { splitBatches } from "../contract/split-batches.ts";
import {
  controlFile,
  openControlSnapshot,
  openSqliteControlStore,
} from "../control/sqlite/sqlite-control-store.ts";
import { databaseNames } from "../data-files/file-names.ts";
import { poolFile } from "../pool/sqlite/sqlite-pool.ts";
import { type Database, type DatabaseKind, openDatabase } from "../sqlite/database.ts";
import { lockFolder } from "../sqlite/folder/folder-lock.ts";
import { removeDatabase, renameFiles } from "../sqlite/folder/move-files.ts";
import { writeMoveNote } from "../sqlite/folder/move-note.ts";
import { createTemporaryCopies } from "../sqlite/folder/temporary-copies.ts";
import { prepareForReading } from "../sqlite/read-only.ts";
import type { Giver, Numbers, PoolState, Row, StoreName, Table, Taker } from "./table.ts";

const stores = [
  ["control", controlFile],
  ["pool", poolFile],
] as const;
const rowsPerStep = 500;
const noState: PoolState = { name: "", revision: 0, changes: 0 };

/**
 * Reads a folder that no server uses. Files of older versions are migrated in a copy.
 * @package
 * @throws Fault if a server uses the folder, or something in it is missing, damaged or lost.
 */
export async function readFolder<Result>(
  folder: string,
  use: (source: Giver) => Promise<Result>,
): Promise<Result> {
  for (const [name] of stores) {
    if (existsSync(join(folder, `${name}.db`))) continue;
    throw new Fault("no_data", `${folder} holds no Roster data.`);
  }
  using _lock = lockFolder(folder);
  using copies = createTemporaryCopies();
  const openCopy = (name: string, kind: DatabaseKind) =>
    openDatabase(prepareForReading(join(folder, `${name}.db`), kind, copies.folder), kind);
  using control = openCopy("control", controlFile);
  using pool = openCopy("pool", poolFile);
  await refuseLosses(control.path, folder);
  for (const { sqlite } of [control, pool]) sqlite.run("BEGIN");
  return await use({
    place: folder,
    ...readRows({ control, pool }),
    poolState: async () =>
      pool.sqlite.readRow<PoolState>`
        SELECT name, revision, changes FROM pool_state JOIN file_state` ?? noState,
    leave: async (to) => writeMoveNote(folder, { to, at: new Date().toISOString() }),
  });
}

/** Refuses a folder that has lost data since its high-water mark. */
async function refuseLosses(path: string, folder: string): Promise<void> {
  await using control = closeAtEnd(
    openControlSnapshot(path, {}, join(folder, databaseNames.control)),
  );
  const [loss] = await control.folder.losses();
  if (loss !== undefined) throw new Fault("data_lost", `${folder} is incomplete: ${loss}.`);
}

function readRows(files: Readonly<Record<StoreName, Database>>) {
  return {
    async count({ store, name }: Table) {
      const { sqlite } = files[store];
      return sqlite.readValue<number>(`SELECT count(*) FROM "${name}"`) ?? 0;
    },
    async *read({ store, name, columns }: Table) {
      const selected = columns.map(({ name: column, type }) =>
        type === "bytes"
          ? `iif("${column}" IS NULL, NULL, lower(hex("${column}"))) AS "${column}"`
          : `"${column}"`,
      );
      const query = `SELECT ${selected.join(", ")} FROM "${name}"`;
      const statement = files[store].sqlite.prepare<Record<string, Row[number]>, []>(query);
      try {
        for (const rows of splitBatches(statement.iterate(), rowsPerStep)) {
          yield rows.map((row) => columns.map((column) => row[column.name] ?? null));
        }
      } finally {
        statement.finalize();
      }
    },
    async numbers(): Promise<Numbers> {
      const found = stores.flatMap(([store]) =>
        files[store].sqlite.readRows<{
          name: string;
          seq: number;
        }>`SELECT name, seq FROM sqlite_sequence`.map(
          ({ name, seq }) => [`${store}.${name}`, seq] as const,
        ),
      );
      return new Map(found);
    },
  };
}

/**
 * Fills a new folder next to the target. Renames the folder to the target when it is complete.
 * @package
 * @throws Fault if the target folder is not empty.
 */
export async function writeFolder<Result>(
  given: string,
  use: (target: Taker) => Promise<Result>,
): Promise<Result> {
  const folder = resolve(given);
  refuseContent(folder);
  const draft = `${folder}.moving`;
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const lock = lockFolder(draft);
  const open: Database[] = [];
  try {
    for (const [name] of stores) removeDatabase(join(draft, `${name}.db`));
    const [control, pool] = stores.map(([name, kind]) => {
      const file = openDatabase(join(draft, `${name}.db`), kind);
      open.push(file);
      file.sqlite.run("PRAGMA foreign_keys = OFF");
      file.sqlite.run("BEGIN IMMEDIATE");
      return file;
    }) as [Database, Database];
    const files = { control, pool };
    const result = await use({
      place: folder,
      read: readRows(files).read,
      write: async ({ store, name, columns }, rows) => {
        const list = columns.map((column) => `"${column.name}"`).join(", ");
        const values = columns.map(({ type }, at) =>
          type === "bytes" ? `unhex(?${at + 1})` : `?${at + 1}`,
        );
        const query = `INSERT INTO "${name}" (${list}) VALUES (${values.join(", ")})`;
        const statement = files[store].sqlite.query(query);
        for (const row of rows) statement.run(...row);
      },
      finish: async (numbers, state) => finish(files, numbers, state),
    });
    for (const file of open.splice(0)) file.close();
    // Opening the store creates its high-water mark, and fails if the file cannot be opened.
    await openSqliteControlStore(join(draft, databaseNames.control)).close();
    lock.release();
    renameOver(draft, folder);
    return result;
  } catch (error) {
    for (const file of open) file.close();
    lock.release();
    throw error;
  }
}

function finish(
  files: Readonly<Record<StoreName, Database>>,
  numbers: Numbers,
  { name, revision, changes }: PoolState,
): void {
  for (const [key, number] of numbers) {
    const [store, table] = key.split(".") as [StoreName, string];
    const { sqlite } = files[store];
    sqlite.execute`DELETE FROM sqlite_sequence WHERE name = ${table}`;
    sqlite.execute`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${number})`;
  }
  const { sqlite } = files.pool;
  sqlite.execute`DELETE FROM pool_state`;
  sqlite.execute`INSERT INTO pool_state (id, revision) VALUES (1, ${revision})`;
  // The changes are written last, because triggers count the inserted rows as changes.
  sqlite.execute`UPDATE file_state SET name = ${name}, changes = ${changes}`;
  for (const file of [files.control, files.pool]) {
    const [wrong] = file.sqlite.readRows`PRAGMA foreign_key_check`;
    if (wrong) throw new Error(`a row has lost what it belongs to: ${JSON.stringify(wrong)}`);
    file.sqlite.run("COMMIT");
  }
}

function refuseContent(folder: string): void {
  if (!existsSync(folder)) return;
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const text = `${folder} cannot be read as a folder: ${(error as Error).message}`;
    throw new Fault("store", text, { cause: error });
  }
  if (names.length === 0) return;
  throw new Fault("target_not_empty", `${folder} is not empty: it has ${names[0]}.`);
}

function renameOver(draft: string, folder: string): void {
  try {
    if (existsSync(folder)) rmdirSync(folder);
    renameFiles(draft, folder);
  } catch (error) {
    const text = `${draft} is complete, but could not be renamed to ${folder}: ${(error as Error).message}`;
    throw new Fault("store", text, { cause: error });
  }
}
