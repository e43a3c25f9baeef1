/** The tables that a data folder and a database have in common, and a row format that both sides read and write. */
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

/** The values of the columns, in order: bytes in hexadecimal, booleans as 0 and 1. @package */
export type Row = readonly (string | number | null)[];

/** For each table with generated numbers, the highest number ever used, by `store.table`. @package */
export type Numbers = ReadonlyMap<string, number>;

/** The name of the pool and the number of its changes, which the two sides store in different tables. @package */
export interface PoolState {
  readonly name: string;
  readonly revision: number;
  readonly changes: number;
}

/** @package The source of the rows. It shows one state, whatever happens meanwhile. */
export interface Giver {
  readonly place: string;
  count(table: Table): Promise<number>;
  read(table: Table): AsyncIterable<readonly Row[]>;
  numbers(): Promise<Numbers>;
  poolState(): Promise<PoolState>;
  /** Records the target in the source before the target goes into use: the two must never both be in use. */
  leave(to: string): Promise<void>;
}

/** @package The target of the rows, which becomes visible only when it is complete. */
export interface Taker extends Pick<Giver, "place" | "read"> {
  write(table: Table, rows: readonly Row[]): Promise<void>;
  finish(numbers: Numbers, state: PoolState): Promise<void>;
}

/** @package Counts rows and sums up their hashes, independent of their order. */
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
