/** Opens the stores of accounts and people. They are files of the data folder, or they are in a database that nodes share. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { Fault } from "../../contract/fault.ts";
import type { ControlEvents, ControlStore } from "../../control/control-store.ts";
import { databaseNames } from "../../data-files/file-names.ts";
import type { Pool, PoolDatabase } from "../../pool/pool.ts";
import { openSqlitePool, type PoolOptions } from "../../pool/sqlite/sqlite-pool.ts";
import { describeMove, readMoveNote } from "../../sqlite/folder/move-note.ts";

/** Whether accounts and people are in a database that nodes share. */
export function isShared({ database }: Pick<Config, "database">): boolean {
  return database.url !== undefined;
}

export function getSharedDatabase({
  database: { url, connections },
  secretFiles,
}: Pick<Config, "database" | "secretFiles">): PoolDatabase | undefined {
  if (url === undefined) return undefined;
  return { url, urlFile: secretFiles["database.url"], connectionsMax: connections };
}

/** @throws Fault `configuration` if a node's folder itself contains accounts or people. */
export function refuseOwnData(data: string): void {
  const found = [databaseNames.control, databaseNames.pool].find((name) =>
    existsSync(join(data, name)),
  );
  if (found === undefined) return;
  const note = readMoveNote(data);
  const what = note ? `${describeMove("it", note)};` : "move its data, or";
  const text = `${data} has data of its own (${found}), and database.url names a database: ${what} use another folder for this node.`;
  throw new Fault("configuration", text);
}

/** Opens the shared control store. Its code is loaded only here, so that other starts are faster. */
export async function openSharedControl(
  shared: PoolDatabase,
  data: string,
  events: ControlEvents,
): Promise<ControlStore> {
  const { openPostgresControlStore } = await import(
    "../../control/postgres/postgres-control-store.ts"
  );
  // Only tests have a node in memory. They set the clock themselves.
  const clock = data === ":memory:" ? "caller" : "database";
  return openPostgresControlStore({ ...shared, clock }, events);
}

export async function openPool(
  config: Pick<Config, "database" | "secretFiles">,
  path: string,
  { now, isReadOnly = false, onDamage = () => {} }: Omit<PoolOptions, "random">,
): Promise<Pool> {
  const shared = getSharedDatabase(config);
  if (!shared) return openSqlitePool(path, { now, isReadOnly, onDamage });
  const { openPostgresPool } = await import("../../pool/postgres/postgres-pool.ts");
  return openPostgresPool(shared, { now, onDamage });
}
