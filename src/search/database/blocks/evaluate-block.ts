/** Turns lists into those of one block, whose developers are numbered from 0: what is asked of them, is asked as in memory. */
import {
  countBits,
  emptyPostings,
  gatherPostings,
  joinPostings,
  type Postings,
  seekOrdinal,
} from "../../generation/postings.ts";
import { wordStrength } from "../../rank-page.ts";
import { selectByClauses } from "../../select.ts";
import type { BlockList, FewPeople, TermList } from "./block-list.ts";
import type { BlockParts, ListPart } from "./read-blocks.ts";

/** Makes each list once. */
export type BlockEvaluator = (list: BlockList) => Postings;

export function createBlockEvaluator(parts: BlockParts, blockSize: number): BlockEvaluator {
  const made = new Map<BlockList, Postings>();
  const make = (list: BlockList): Postings => {
    switch (list.kind) {
      case "term":
        return list.few ? cut(list.few, parts.block * blockSize, blockSize) : readTerm(list);
      case "joined":
        return joinPostings(list.lists.map(evaluate), wordStrength);
      case "gathered":
        return gatherPostings(list.lists.map(evaluate));
      case "common":
        return selectByClauses(
          list.lists.map((part) => [evaluate(part)]),
          { developers: blockSize },
        );
    }
  };
  const readTerm = ({ term }: TermList) => {
    const part = parts.lists.get(term);
    return part ? toPostings(part) : emptyPostings;
  };
  const evaluate = (list: BlockList) => made.getOrInsertComputed(list, make);
  return evaluate;
}

/** The part of a list of few that is in the block. */
function cut({ ordinals, strengths }: FewPeople, first: number, blockSize: number): Postings {
  const from = seekOrdinal(ordinals, 0, first);
  const to = seekOrdinal(ordinals, from, first + blockSize);
  const own = ordinals.slice(from, to).map((ordinal) => ordinal - first);
  return { count: own.length, ordinals: own, strengths: strengths?.subarray(from, to) };
}

function toPostings({ bits, strengths }: ListPart): Postings {
  const count = countBits(bits);
  return { count, bits, strengths: strengths && spread(bits, strengths) };
}

/** Strengths by ordinal. */
function spread(bits: Uint32Array, strengths: Uint8Array): Uint8Array {
  const byOrdinal = new Uint8Array(32 * bits.length);
  let at = 0;
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word] as number; rest !== 0; rest &= rest - 1) {
      byOrdinal[word * 32 + 31 - Math.clz32(rest & -rest)] = strengths[at++] as number;
    }
  }
  return byOrdinal;
}
