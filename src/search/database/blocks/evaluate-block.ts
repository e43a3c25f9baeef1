/** Cuts lists down to one block, with ordinals from 0, so that they can be evaluated like lists in memory. */
import { wordStrength } from "../../../contract/people/profile-analysis.ts";
import {
  countWord,
  emptyPostings,
  gatherPostings,
  joinPostings,
  type Postings,
  seekOrdinal,
} from "../../generation/postings.ts";
import { type Clause, selectByClauses } from "../../select.ts";
import type { BlockList, FewPeople, TermList } from "./block-list.ts";
import type { BlockParts, PackedPart } from "./read-blocks.ts";

/** Returns the part of a list that is in the block. Each list is evaluated once. */
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
    if (!part) return emptyPostings;
    return part.ordinals ? part : unpack(part);
  };
  const evaluate = (list: BlockList) => made.getOrInsertComputed(list, make);
  return evaluate;
}

/** Selects the developers of a block that fulfill all clauses. */
export function selectInBlock(
  clauses: readonly Clause<BlockList>[],
  evaluate: BlockEvaluator,
  blockSize: number,
): Postings {
  const lists = clauses.map((clause) => clause.map(evaluate));
  return selectByClauses(lists, { developers: blockSize });
}

/** Returns the part of a short list that is in the block. */
function cut({ ordinals, strengths }: FewPeople, first: number, blockSize: number): Postings {
  const from = seekOrdinal(ordinals, 0, first);
  const to = seekOrdinal(ordinals, from, first + blockSize);
  const own = ordinals.slice(from, to).map((ordinal) => ordinal - first);
  return { count: own.length, ordinals: own, strengths: strengths?.subarray(from, to) };
}

/** Unpacks the part of a long list. Its strengths are computed on first use, because most lists only filter. */
function unpack({ count, bits, packed }: PackedPart): Postings {
  let byOrdinal: Uint8Array | undefined;
  return {
    count,
    bits,
    get strengths() {
      byOrdinal ??= packed && spread(bits, packed);
      return byOrdinal;
    },
  };
}

/** Selects the developers of a long list who are in `among`, without unpacking all strengths. */
export function selectAmong({ bits, packed }: PackedPart, among: Uint32Array): Postings {
  const ordinals = new Uint32Array(among.length);
  const strengths = packed && new Uint8Array(among.length);
  let [count, counted, before] = [0, 0, 0];
  for (let at = 0; at < among.length; at++) {
    const ordinal = among[at] as number;
    const word = ordinal >>> 5;
    const own = bits[word] as number;
    const bit = 1 << (ordinal & 31);
    if ((own & bit) === 0) continue;
    if (strengths) {
      while (counted < word) before += countWord(bits[counted++] as number);
      strengths[count] = packed[before + countWord(own & (bit - 1))] as number;
    }
    ordinals[count++] = ordinal;
  }
  return { count, ordinals: ordinals.subarray(0, count), strengths: strengths?.subarray(0, count) };
}

/** Unpacks strengths into an array by ordinal. */
function spread(bits: Uint32Array, packed: Uint8Array): Uint8Array {
  const byOrdinal = new Uint8Array(32 * bits.length);
  let at = 0;
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word] as number; rest !== 0; rest &= rest - 1) {
      byOrdinal[word * 32 + 31 - Math.clz32(rest & -rest)] = packed[at++] as number;
    }
  }
  return byOrdinal;
}
