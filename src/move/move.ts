/** Moves data from a data folder to a PostgreSQL database, or back. Then compares both sides. */
import { Fault } from "../contract/fault.ts";
import { refuseMoved } from "../sqlite/folder/move-note.ts";
import { runOnDatabase } from "./database-side.ts";
import { readFolder, writeFolder } from "./folder-side.ts";
import { Digest, type Giver, type Table, type Taker } from "./table.ts";

export interface MoveRequest {
  /** The database's address, which contains its password. Never show it. */
  readonly url: string;
  readonly folder: string;
  readonly direction: "to database" | "to folder";
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: MoveProgress) => void;
}

export interface MoveProgress {
  readonly rows: number;
  readonly rowsTotal: number;
  /** The table being moved. */
  readonly label: string;
}

export interface MoveReceipt {
  /** A data folder, or the address of a database without user and password. */
  readonly from: string;
  readonly to: string;
  readonly tables: readonly MovedTable[];
}

export interface MovedTable {
  /** Store and table, such as `control.account`. */
  readonly table: string;
  readonly rows: number;
  /** The sum of the SHA-256 of all rows, which is equal on both sides. */
  readonly digest: string;
}

/**
 * Copies everything into an empty target. If that fails, the target stays empty. The source gets only a note of the move.
 * @throws Fault `target_not_empty`, `folder_moved`, `folder_in_use`, `nodes_connected` or `interrupted`. Also throws the faults
 * of opening a side.
 */
export function copyStores(request: MoveRequest): Promise<MoveReceipt> {
  const { url, folder, direction } = request;
  if (direction === "to database") {
    return readFolder(folder, (source) =>
      runOnDatabase(url, "write", (target, tables) => {
        refuseMoved(folder, target.place);
        return copy(source, target, tables, request);
      }),
    );
  }
  return runOnDatabase(url, "read", (source, tables) =>
    writeFolder(folder, (target) => copy(source, target, tables, request)),
  );
}

async function copy(
  source: Giver,
  target: Taker,
  tables: readonly Table[],
  { signal, onProgress = () => {} }: MoveRequest,
): Promise<MoveReceipt> {
  let [rows, rowsTotal] = [0, 0];
  for (const table of tables) rowsTotal += await source.count(table);
  const moved: MovedTable[] = [];
  for (const table of tables) {
    const label = `${table.store}.${table.name}`;
    const given = new Digest();
    for await (const batch of source.read(table)) {
      if (signal?.aborted) throw new Fault("interrupted", "Interrupted: nothing was moved.");
      await target.write(table, batch);
      given.add(batch);
      rows += batch.length;
      onProgress({ rows, rowsTotal, label });
    }
    const taken = new Digest();
    for await (const batch of target.read(table)) taken.add(batch);
    if (taken.rows !== given.rows || taken.text !== given.text) {
      const counts = `${given.rows} rows there, ${taken.rows} here`;
      throw new Fault(
        "store",
        `${target.place}: after copying, ${label} differs from the source (${counts}).`,
      );
    }
    moved.push({ table: label, rows: given.rows, digest: given.text });
  }
  await target.finish(await source.numbers(), await source.poolState());
  await source.leave(target.place);
  return { from: source.place, to: target.place, tables: moved };
}
