/** Lists described by the keys that they are made of. Their people are read block by block. */

/** The developers with one key. */
export interface TermList {
  readonly kind: "term";
  readonly count: number;
  /** Number of a list of many; empty for a list that is not of one key. */
  readonly term: string;
  /** The people in a list of few. */
  readonly few: FewPeople | undefined;
}

/** As in memory: ascending ordinals, and strengths parallel to them. */
export interface FewPeople {
  readonly ordinals: Uint32Array;
  readonly strengths: Uint8Array | undefined;
}

export interface MadeList {
  /** `joined`: in any, with the greatest strength; `gathered`: in any, without strengths; `common`: in all, without strengths. */
  readonly kind: "joined" | "gathered" | "common";
  /** 0 if and only if the list is empty. */
  readonly count: number;
  readonly lists: readonly BlockList[];
}

export type BlockList = TermList | MadeList;

/** The list without developers. */
export const emptyList: BlockList = { kind: "gathered", count: 0, lists: [] };

/** The keys that a list is made of. */
export function* listTerms(list: BlockList): Generator<TermList> {
  if (list.kind === "term") yield list;
  else for (const part of list.lists) yield* listTerms(part);
}

/** The numbers of the lists of many that these are made of. */
export function listManyTerms(lists: readonly BlockList[]): ReadonlySet<string> {
  const terms = lists.flatMap((list) => [...listTerms(list)]);
  return new Set(terms.flatMap(({ few, term }) => (few ? [] : [term])));
}
