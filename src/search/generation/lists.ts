/** What the words of a request are resolved to: lists of developers, whichever engine has them. */
import { wordStrength } from "../../contract/people/profile-analysis.ts";
import { selectByClauses } from "../select.ts";
import type { Generation, PostingsKey } from "./generation.ts";
import { emptyPostings, joinPostings, type Postings } from "./postings.ts";
import { findByRepository } from "./repositories.ts";

/** The lists of one generation. */
export interface Lists<List extends { readonly count: number }> {
  /** The list without developers. */
  readonly empty: List;
  /** The developers with this key. */
  postings(key: PostingsKey): List;
  /** Everybody in any of the lists, with the greatest strength; in a list without strengths with that of a word. */
  join(lists: readonly List[]): List;
  /** The developers in all of the lists, without strengths; empty when there is no list. */
  intersect(lists: readonly List[]): List;
  /** The developers with own work in a repository of this name. */
  repository(text: string): List;
  /** How many people are in each place that has any, by its id. */
  readonly peopleByPlace: ReadonlyMap<string, number>;
}

/** The lists of a generation in memory. */
export function getLists(generation: Generation): Lists<Postings> {
  return {
    empty: emptyPostings,
    postings: generation.postings,
    join: (lists) => joinPostings(lists, wordStrength),
    intersect(lists) {
      const [only] = lists;
      if (!only || lists.some(({ count }) => count === 0)) return emptyPostings;
      if (lists.length === 1) return only;
      return selectByClauses(
        lists.map((list) => [list]),
        generation,
      );
    },
    repository: (text) => findByRepository(text, generation),
    get peopleByPlace() {
      return generation.peopleByPlace;
    },
  };
}
