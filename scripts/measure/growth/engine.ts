import type { SearchQuery } from "../../../src/search/search-index.ts";

/** One way to search the same people. */
export interface Engine {
  find(query: SearchQuery): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  readonly total: number;
  /** Row ids and shown scores in order; absent where the engine orders by something else. */
  readonly page?: readonly (readonly [rowId: number, score: number])[];
}

/** Where an engine keeps what it has built. */
export interface EnginePlace {
  readonly developers: number;
  /** Kept, and readable for the server. */
  readonly folder: string;
  /** Of a database of its own. */
  readonly url: string;
}

export interface EngineKind {
  build(place: EnginePlace): Promise<void>;
  /** What it takes on disk, in bytes. */
  measureDisk(place: EnginePlace): Promise<number>;
  open(place: EnginePlace): Promise<Engine>;
}

/** For parts that want one. */
export const silentLog = { debug() {}, info() {}, warn() {}, error() {} };
