import { computeOverallScore } from "../contract/people/developer.ts";
import type { Generation } from "./generation/generation.ts";
import { countBits, type Postings, seekOrdinal } from "./generation/postings.ts";

/**
 * The part of a request that changes tech-stack scores.
 *
 * @package
 */
export interface RankingColumns {
  /** One list for each different skill requested, also for those that nobody has. */
  readonly skills: readonly Postings[];
  readonly role: Postings | undefined;
}

/** @package */
export interface Placing {
  readonly ordinal: number;
  readonly techStack: number;
}

/** Ours (docs/scoring.md, "Scores"): a word is weaker evidence than a known skill, but it is evidence. */
export const wordStrength = 30;

/**
 * Ranks one page of the selected developers: by shown score, descending, then by lower-cased login in
 * code-unit order (decision 16). Without role and skills that is the order of the ordinals. Otherwise
 * everyone who could still be among the best `offset + size` is scored, in chunks, and only the best
 * are kept.
 *
 * @package
 */
export function rankPage(
  selected: Postings,
  ranking: RankingColumns,
  generation: Generation,
  page: { readonly offset: number; readonly size: number },
): readonly Placing[] {
  const { columns } = generation;
  if (ranking.skills.length === 0 && !ranking.role) {
    return sliceOrdinals(selected, page).map((ordinal) => ({
      ordinal,
      techStack: columns.techStack[ordinal] as number,
    }));
  }
  const best = new BestPlacings(Math.min(page.offset + page.size, selected.count));
  const techStack = techStackFor(ranking, Math.min(selected.count, chunkLength + 32));
  forEachChunk(selected, columns.ceilings, best, (chunk) => {
    const techs = techStack(chunk);
    for (let at = 0; at < chunk.length; at++) {
      const ordinal = chunk[at] as number;
      const tech = techs[at] as number;
      const profile = columns.profile[ordinal] as number;
      const score = computeOverallScore(profile, tech, columns.activity[ordinal] as number);
      const tenths = Math.round(10 * score);
      if (tenths >= best.threshold) {
        best.offer(tenths, columns.loginRanks[ordinal] as number, ordinal, tech);
      }
    }
  });
  return best.sorted().slice(page.offset);
}

/** The ordinals of one page of the selection, ascending. */
function sliceOrdinals(
  selected: Postings,
  { offset, size }: { readonly offset: number; readonly size: number },
): number[] {
  if (selected.ordinals) return [...selected.ordinals.subarray(offset, offset + size)];
  const { bits } = selected;
  const found: number[] = [];
  let skip = offset;
  for (let word = 0; word < bits.length && found.length < size; word++) {
    let rest = bits[word] as number;
    const here = countBits(rest);
    if (here <= skip) {
      skip -= here;
      continue;
    }
    for (; rest !== 0 && found.length < size; rest &= rest - 1) {
      if (skip > 0) skip--;
      else found.push(word * 32 + 31 - Math.clz32(rest & -rest));
    }
  }
  return found;
}

const chunkLength = 256;

/**
 * Visits the selected ordinals in ascending chunks, without those whose highest possible score is below the
 * worst that is kept: in a large selection most developers need no scoring. The chunk array is reused.
 */
function forEachChunk(
  selected: Postings,
  ceilings: Uint16Array,
  best: BestPlacings,
  visit: (chunk: Uint32Array) => void,
): void {
  const chunk = new Uint32Array(Math.min(selected.count, chunkLength) + 32);
  let length = 0;
  const { bits, ordinals } = selected;
  const steps = bits ? bits.length : ordinals.length;
  for (let step = 0; step < steps; step++) {
    if (bits) {
      for (let rest = bits[step] as number; rest !== 0; rest &= rest - 1) {
        const ordinal = step * 32 + 31 - Math.clz32(rest & -rest);
        if ((ceilings[ordinal] as number) >= best.threshold) chunk[length++] = ordinal;
      }
    } else {
      const ordinal = ordinals[step] as number;
      if ((ceilings[ordinal] as number) >= best.threshold) chunk[length++] = ordinal;
    }
    if (length >= chunkLength) {
      visit(chunk.subarray(0, length));
      length = 0;
    }
  }
  visit(chunk.subarray(0, length));
}

/**
 * Computes tech-stack components for the requested role and skills; chunks must come in ascending order.
 * `x + 0.5 | 0` rounds like Math.round for numbers that are never negative, at a third of the cost.
 */
function techStackFor(
  ranking: RankingColumns,
  length: number,
): (chunk: Uint32Array) => Uint16Array {
  const { skills, role } = ranking;
  const techs = new Uint16Array(length);
  const ofRole = role && new Uint16Array(length);
  const adders = skills.map((list) => strengthsOf(list));
  const addRole = role && strengthsOf(role);
  return (chunk) => {
    techs.fill(0);
    for (const add of adders) add(chunk, techs);
    if (adders.length > 1) {
      for (let at = 0; at < chunk.length; at++) {
        techs[at] = ((techs[at] as number) / adders.length + 0.5) | 0;
      }
    }
    if (!addRole || !ofRole) return techs;
    if (adders.length === 0) addRole(chunk, techs);
    else {
      ofRole.fill(0);
      addRole(chunk, ofRole);
      for (let at = 0; at < chunk.length; at++) {
        techs[at] = (0.6 * (techs[at] as number) + 0.4 * (ofRole[at] as number) + 0.5) | 0;
      }
    }
    return techs;
  };
}

/** Returns a function that adds each developer's strength in the list to the sums: 0 outside the list. */
function strengthsOf(list: Postings): (chunk: Uint32Array, sums: Uint16Array) => void {
  const { strengths } = list;
  if (list.bits) return strengths ? addColumn(strengths) : addWord(list.bits);
  const { ordinals } = list;
  let position = 0;
  return (chunk, sums) => {
    for (let at = 0; at < chunk.length; at++) {
      const ordinal = chunk[at] as number;
      position = seekOrdinal(ordinals, position, ordinal);
      if (ordinals[position] === ordinal) {
        sums[at] =
          (sums[at] as number) + (strengths ? (strengths[position] as number) : wordStrength);
      }
    }
  };
}

function addColumn(strengths: Uint8Array): (chunk: Uint32Array, sums: Uint16Array) => void {
  return (chunk, sums) => {
    for (let at = 0; at < chunk.length; at++) {
      sums[at] = (sums[at] as number) + (strengths[chunk[at] as number] as number);
    }
  };
}

function addWord(bits: Uint32Array): (chunk: Uint32Array, sums: Uint16Array) => void {
  return (chunk, sums) => {
    for (let at = 0; at < chunk.length; at++) {
      const ordinal = chunk[at] as number;
      const bit = ((bits[ordinal >>> 5] as number) >>> (ordinal & 31)) & 1;
      sums[at] = (sums[at] as number) + bit * wordStrength;
    }
  };
}

/** The best `size` placings: a binary heap with the worst on top, so that most developers cost one comparison. */
class BestPlacings {
  /** In tenths: a lower score can no longer be among the best. */
  threshold = -1;
  private readonly size: number;
  private length = 0;
  /** Score in tenths x 2^32, minus the rank of the login: one exact number gives the whole order. */
  private readonly keys: Float64Array;
  private readonly ordinals: Uint32Array;
  private readonly techs: Uint8Array;

  constructor(size: number) {
    this.size = size;
    this.keys = new Float64Array(size);
    this.ordinals = new Uint32Array(size);
    this.techs = new Uint8Array(size);
  }

  offer(tenths: number, loginRank: number, ordinal: number, tech: number): void {
    const key = tenths * 0x1_0000_0000 - loginRank;
    if (this.length < this.size) {
      this.up(this.length++, key, ordinal, tech);
      if (this.length === this.size) this.threshold = this.lowest();
    } else if (this.size > 0 && key > (this.keys[0] as number)) {
      this.down(key, ordinal, tech);
      this.threshold = this.lowest();
    }
  }

  sorted(): Placing[] {
    const { keys, ordinals, techs } = this;
    return Array.from({ length: this.length }, (_, at) => at)
      .sort((a, b) => (keys[b] as number) - (keys[a] as number))
      .map((at) => ({ ordinal: ordinals[at] as number, techStack: techs[at] as number }));
  }

  private lowest(): number {
    return Math.ceil((this.keys[0] as number) / 0x1_0000_0000);
  }

  private up(from: number, key: number, ordinal: number, tech: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if ((this.keys[parent] as number) <= key) break;
      this.move(parent, at);
      at = parent;
    }
    this.set(at, key, ordinal, tech);
  }

  private down(key: number, ordinal: number, tech: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.length) break;
      if (
        child + 1 < this.length &&
        (this.keys[child + 1] as number) < (this.keys[child] as number)
      ) {
        child++;
      }
      if ((this.keys[child] as number) >= key) break;
      this.move(child, at);
      at = child;
    }
    this.set(at, key, ordinal, tech);
  }

  private move(from: number, to: number): void {
    this.set(
      to,
      this.keys[from] as number,
      this.ordinals[from] as number,
      this.techs[from] as number,
    );
  }

  private set(at: number, key: number, ordinal: number, tech: number): void {
    this.keys[at] = key;
    this.ordinals[at] = ordinal;
    this.techs[at] = tech;
  }
}
