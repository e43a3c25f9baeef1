import type { SearchQuery } from "../../../src/search/search-index.ts";
import type { Person } from "../synthetic-people.ts";

/** Something else that one would search people with. */
export interface Rival {
  /** Finds a page, as a caller wants it, and counts all. */
  total(query: SearchQuery): number | Promise<number>;
  close?(): Promise<void>;
}

/** @returns a word on why it is not on this machine, in place of a rival. */
export type BuildRival = (people: Iterable<Person>) => Rival | Promise<Rival | string>;
