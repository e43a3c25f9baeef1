/** The lists of developers that the words of a request resolve to, in memory or in PostgreSQL. */
import { wordStrength } from "../../contract/people/profile-analysis.ts";
import { selectByClauses } from "../select.ts";
import type { Generation, PostingsKey } from "./generation.ts";
import { emptyPostings, joinPostings, type Postings } from "./postings.ts";
import { findByRepository } from "./repositories.ts";

export interface Lists<List extends { readonly count: number }> {
  readonly empty: List;
  postings(key: PostingsKey): List;
  /**
   * Returns all developers in any of the lists, with their greatest strength. In a list without strengths, each developer has the
   * strength of a word.
   */
  join(lists: readonly List[]): List;
  /** Returns the developers in all of the lists, without strengths. Empty if no lists are given. */
  intersect(lists: readonly List[]): List;
  /** Returns the developers with own work in a repository of this name. */
  repository(text: string): List;
  /** The number of people in each place, by place id. Places without people are absent. */
  readonly peopleByPlace: ReadonlyMap<string, number>;
}

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
