/** The tables that a data folder and a database have in common, and a form of their rows that both sides read and write. */
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

/** The highest number that each table with generated numbers has ever used, by `store.table`. @package */
export type Numbers = ReadonlyMap<string, number>;

/** The name of the pool and the number of its changes, which the two sides keep in different tables. @package */
export interface PoolState {
  readonly name: string;
  readonly revision: number;
  readonly changes: number;
}

/** @package The source of the rows: one state of it, whatever happens meanwhile. */
export interface Giver {
  readonly place: string;
  count(table: Table): Promise<number>;
  read(table: Table): AsyncIterable<readonly Row[]>;
  numbers(): Promise<Numbers>;
  poolState(): Promise<PoolState>;
  /** Notes the target before it goes into use: source and target must never both be in use. */
  leave(to: string): Promise<void>;
}

/** @package The target of the rows, which appears only when it is complete. */
export interface Taker extends Pick<Giver, "place" | "read"> {
  write(table: Table, rows: readonly Row[]): Promise<void>;
  finish(numbers: Numbers, state: PoolState): Promise<void>;
}

/** @package Counts rows and adds up their hashes, whatever order they come in. */
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
