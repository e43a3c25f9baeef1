import type { Generation } from "./generation/generation.ts";
import { type Postings, seekOrdinal } from "./generation/postings.ts";

/**
 * The part of a request that changes tech-stack scores.
 *
 * @package
 */
export interface RankingColumns<List = Postings> {
  /** One list for each different skill requested, also for those that no developer has. */
  readonly skills: readonly List[];
  readonly role: List | undefined;
}

/** @package */
export interface Placing {
  readonly ordinal: number;
  readonly techStack: number;
}

/** Our choice (docs/scoring.md, "Scores"): a word is weaker evidence than a known skill, but it is evidence. */
export const wordStrength = 30;

/** @package Every point of the tech stack adds as much to the score in tenths; both are whole numbers. */
export const tenthsPerTechPoint = 5;

/**
 * Ranks one page of the selected developers: by shown score, descending, then by lower-cased login in code-unit order
 * (decision 16). They are scored in chunks in the order of ordinals, which is that of what profile and activity give
 * them, until the best tech stack could not bring the next one among the best `offset + size`.
 *
 * @package
 */
export function rankPage(
  selected: Postings,
  ranking: RankingColumns,
  { columns }: Generation,
  page: { readonly offset: number; readonly size: number },
): readonly Placing[] {
  const { bases, loginRanks } = columns;
  const best = new BestPlacings(Math.min(page.offset + page.size, selected.count));
  const { score, techMax } = createTechStackScoring(ranking, columns.techStack);
  for (const chunk of listChunks(selected)) {
    const highest = (bases[chunk[0] as number] as number) + tenthsPerTechPoint * techMax;
    if (highest < best.threshold) break;
    const techs = score(chunk);
    for (let at = 0; at < chunk.length; at++) {
      const ordinal = chunk[at] as number;
      const tech = techs[at] as number;
      const tenths = (bases[ordinal] as number) + tenthsPerTechPoint * tech;
      if (tenths >= best.threshold) {
        best.offer(tenths, loginRanks[ordinal] as number, ordinal, tech);
      }
    }
  }
  return best.sorted().slice(page.offset);
}

const chunkLength = 256;

/** @package The selected ordinals, ascending; the array of a chunk is valid until the next. */
export function* listChunks({ ordinals, bits }: Postings): Generator<Uint32Array> {
  if (ordinals) {
    for (let at = 0; at < ordinals.length; at += chunkLength) {
      yield ordinals.subarray(at, at + chunkLength);
    }
    return;
  }
  const chunk = new Uint32Array(chunkLength + 32);
  let word = 0;
  while (word < bits.length) {
    let length = 0;
    for (; word < bits.length && length < chunkLength; word++) {
      for (let rest = bits[word] as number; rest !== 0; rest &= rest - 1) {
        chunk[length++] = word * 32 + 31 - Math.clz32(rest & -rest);
      }
    }
    if (length > 0) yield chunk.subarray(0, length);
  }
}

interface TechStackScoring {
  /** For ascending chunks; the array is valid until the next. */
  readonly score: (chunk: Uint32Array) => Uint16Array;
  /** No developer has a higher tech stack for this query. */
  readonly techMax: number;
}

/**
 * Computes tech-stack components: for the requested role and skills, otherwise for the best role.
 * `x + 0.5 | 0` rounds like Math.round for numbers that are never negative, at a third of the cost.
 *
 * @package
 */
export function createTechStackScoring(
  { skills, role }: RankingColumns,
  ofBestRole: Uint8Array,
): TechStackScoring {
  const techs = new Uint16Array(chunkLength + 32);
  const ofRole = new Uint16Array(chunkLength + 32);
  const addSkills = skills.map(strengthsOf);
  const addRole = role ? strengthsOf(role) : addColumn(ofBestRole);
  const mean = (sum: number) => (sum / skills.length + 0.5) | 0;
  const blend = (skill: number, role: number) => (0.6 * skill + 0.4 * role + 0.5) | 0;
  const skillsMax = mean(
    skills.reduce((sum, { strengths }) => sum + (strengths ? 100 : wordStrength), 0),
  );
  return {
    techMax: skills.length === 0 ? 100 : role ? blend(skillsMax, 100) : skillsMax,
    score(chunk) {
      techs.fill(0);
      if (skills.length === 0) {
        addRole(chunk, techs);
        return techs;
      }
      for (const add of addSkills) add(chunk, techs);
      if (role) {
        ofRole.fill(0);
        addRole(chunk, ofRole);
      }
      for (let at = 0; at < chunk.length; at++) {
        const skill = mean(techs[at] as number);
        techs[at] = role ? blend(skill, ofRole[at] as number) : skill;
      }
      return techs;
    },
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
