/** Computes the tech-stack components of a query, a chunk of developers at a time. */
import { askedShares } from "../contract/people/developer.ts";
import { wordStrength } from "../contract/people/profile-analysis.ts";
import { type Postings, seekOrdinal } from "./generation/postings.ts";

/** @package The index lists of the requested skills and role, which a tech-stack score depends on. */
export interface RankingColumns<List = Postings> {
  /** One list for each distinct skill requested, including skills that no developer has. */
  readonly skills: readonly List[];
  readonly role: List | undefined;
}

const chunkLength = 256;

/** @package Yields the selected ordinals in ascending chunks. The array of a chunk is valid until the next chunk. */
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
  /** Scores a chunk. Chunks must be ascending. The array is valid until the next call. */
  readonly score: (chunk: Uint32Array) => Uint16Array;
  /** The highest possible tech stack for this query. */
  readonly techMax: number;
}

/**
 * Computes tech-stack components for the requested role and skills. Without a role or skills, computes them for the best role.
 * `x + 0.5 | 0` rounds like `Math.round`, but faster.
 * @package
 */
export function createTechStackScoring(
  { skills, role }: RankingColumns,
  ofBestRole: ArrayLike<number>,
): TechStackScoring {
  const techs = new Uint16Array(chunkLength + 32);
  const ofRole = new Uint16Array(chunkLength + 32);
  const addSkills = skills.map(strengthsOf);
  const addRole = role ? strengthsOf(role) : addColumn(ofBestRole);
  const mean = (sum: number) => (sum / skills.length + 0.5) | 0;
  const blend = (skill: number, role: number) =>
    (askedShares.skills * skill + askedShares.role * role + 0.5) | 0;
  const sumMax = skills.reduce((sum, { strengths }) => sum + (strengths ? 100 : wordStrength), 0);
  const techOfSkills = role ? blend(mean(sumMax), 100) : mean(sumMax);
  return {
    techMax: skills.length === 0 ? 100 : techOfSkills,
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

/** Returns a function that adds each developer's strength in the list to the sums. */
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

function addColumn(strengths: ArrayLike<number>): (chunk: Uint32Array, sums: Uint16Array) => void {
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
