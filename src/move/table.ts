/** What moves: the tables that a data folder and a database both have, and their rows in a form that both give and take. */
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

/** Of the columns in order: bytes in hexadecimal, booleans as 0 and 1. @package */
export type Row = readonly (string | number | null)[];

/** The highest number that each table with numbers of its own has ever given, by `store.table`. @package */
export type Numbers = ReadonlyMap<string, number>;

/** Which pool it is, and how often it has changed: kept in tables that differ. @package */
export interface PoolState {
  readonly name: string;
  readonly revision: number;
  readonly changes: number;
}

/** @package Where rows come from: one state of it, whatever happens meanwhile. */
export interface Giver {
  readonly place: string;
  count(table: Table): Promise<number>;
  read(table: Table): AsyncIterable<readonly Row[]>;
  numbers(): Promise<Numbers>;
  poolState(): Promise<PoolState>;
  /** Notes where everything goes on, before it does: there must never be two of it. */
  leave(to: string): Promise<void>;
}

/** @package Where they go. Nothing of it is there before it is complete. */
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
