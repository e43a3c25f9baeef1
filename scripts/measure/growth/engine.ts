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

/** What an engine is built of and where it keeps that: a folder of its own. */
export interface EnginePlace {
  readonly developers: number;
  readonly folder: string;
}

export interface EngineKind {
  /** @returns what it takes on disk, in bytes. */
  build(place: EnginePlace): Promise<number>;
  open(place: EnginePlace): Promise<Engine>;
}

/** For parts that want one. */
export const silentLog = { debug() {}, info() {}, warn() {}, error() {} };
