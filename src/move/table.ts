/** The tables that data folders and databases have in common, and a row format for both. */
import { createHash } from "node:crypto";

/** @package */
export interface Table {
  readonly store: StoreName;
  readonly name: string;
  readonly columns: readonly MovedColumn[];
}

/** @package */
export type StoreName = "control" | "pool";

/** @package */
export interface MovedColumn {
  readonly name: string;
  readonly type: "bytes" | "boolean" | "number" | "text";
}

/** A row's values in the order of the columns. Bytes are hexadecimal text, and booleans are 0 and 1. @package */
export type Row = readonly (string | number | null)[];

/** The highest number ever generated in each table. The key is `store.table`. @package */
export type Numbers = ReadonlyMap<string, number>;

/** The pool's name, revision and number of changes. @package */
export interface PoolState {
  readonly name: string;
  readonly revision: number;
  readonly changes: number;
}

/** @package The source of the rows. All its methods read the same state, even if others write meanwhile. */
export interface Giver {
  readonly place: string;
  count(table: Table): Promise<number>;
  read(table: Table): AsyncIterable<readonly Row[]>;
  numbers(): Promise<Numbers>;
  poolState(): Promise<PoolState>;
  /** Records the move in the source. This happens before the target can be used, because only one of the two may be in use. */
  leave(to: string): Promise<void>;
}

/** @package The target of the rows, which becomes visible only when it is complete. */
export interface Taker extends Pick<Giver, "place" | "read"> {
  write(table: Table, rows: readonly Row[]): Promise<void>;
  finish(numbers: Numbers, state: PoolState): Promise<void>;
}

/** @package Counts rows and adds up their hashes. The order of the rows does not matter. */
export class Digest {
  rows = 0;
  #sum = 0n;

  add(rows: readonly Row[]): void {
    this.rows += rows.length;
    for (const row of rows) {
      const hash = createHash("sha256").update(JSON.stringify(row)).digest("hex");
      this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash}`));
    }
  }

  get text(): string {
    return this.#sum.toString(16).padStart(64, "0");
  }
}
