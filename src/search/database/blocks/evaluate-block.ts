/** Turns lists into those of one block, whose developers are numbered from 0: what is asked of them, is asked as in memory. */
import {
  countBits,
  countWord,
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

/** Most lists are only looked into, and need no strengths by ordinal. */
function toPostings({ bits, strengths }: ListPart): Postings {
  let spreadOut: Uint8Array | undefined;
  return {
    count: countBits(bits),
    bits,
    get strengths() {
      spreadOut ??= strengths && spread(bits, strengths);
      return spreadOut;
    },
  };
}

/** The people of a list of many among these, who are few: so not all strengths need be spread out. */
export function selectAmong({ bits, strengths }: ListPart, among: Uint32Array): Postings {
  const ordinals = new Uint32Array(among.length);
  const picked = strengths && new Uint8Array(among.length);
  let [count, word, before] = [0, 0, 0];
  for (let at = 0; at < among.length; at++) {
    const ordinal = among[at] as number;
    while (word < ordinal >>> 5) before += countWord(bits[word++] as number);
    const own = bits[word] as number;
    const bit = 1 << (ordinal & 31);
    if ((own & bit) === 0) continue;
    if (picked) picked[count] = strengths[before + countWord(own & (bit - 1))] as number;
    ordinals[count++] = ordinal;
  }
  return { count, ordinals: ordinals.subarray(0, count), strengths: picked?.subarray(0, count) };
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
