/** Describes lists of developers by their keys. The developers are read from the database block by block. */

/** The developers with one key. */
export interface TermList {
  readonly kind: "term";
  readonly count: number;
  /** The number of the list: a hash of its key. Empty for a combination of several short lists. */
  readonly term: string;
  /** The developers, if the list is short. */
  readonly few: FewPeople | undefined;
}

/** The developers of a short list: their ordinals in ascending order, and their strengths in the same order. */
export interface FewPeople {
  readonly ordinals: Uint32Array;
  readonly strengths: Uint8Array | undefined;
}

export interface MadeList {
  /**
   * `joined`: the developers in any list, with their greatest strength. `gathered`: the developers in any list, without
   * strengths. `common`: the developers in all lists, without strengths.
   */
  readonly kind: "joined" | "gathered" | "common";
  /** An estimate of the number of developers. Only an empty list has 0. */
  readonly count: number;
  readonly lists: readonly BlockList[];
}

export type BlockList = TermList | MadeList;

export const emptyList: BlockList = { kind: "gathered", count: 0, lists: [] };

/** Yields the lists of single keys that a combined list consists of. */
export function* listTerms(list: BlockList): Generator<TermList> {
  if (list.kind === "term") yield list;
  else for (const part of list.lists) yield* listTerms(part);
}

/** Returns the numbers of all long lists among these lists and their parts. */
export function listManyTerms(lists: readonly BlockList[]): ReadonlySet<string> {
  const terms = lists.flatMap((list) => [...listTerms(list)]);
  return new Set(terms.flatMap(({ few, term }) => (few ? [] : [term])));
}
