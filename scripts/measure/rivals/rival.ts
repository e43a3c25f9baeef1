import type { SearchQuery } from "../../../src/search/search-index.ts";
import type { Person } from "../synthetic-people.ts";

/** Another engine that could search people. */
export interface Rival {
  /** Finds a page, as for a caller, and counts all matches. */
  total(query: SearchQuery): number | Promise<number>;
  close?(): Promise<void>;
}

/** @returns the rival, or why it is not available on this machine. */
export type BuildRival = (people: Iterable<Person>) => Rival | Promise<Rival | string>;
