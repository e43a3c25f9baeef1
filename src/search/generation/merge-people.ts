import type { Generation } from "./generation.ts";
import type { GenerationSections } from "./layout.ts";
import { type MergedTexts, mergeTexts, type SortedTexts, writeTexts } from "./merge-texts.ts";

/** One of the generations to merge. */
export interface GenerationPart {
  readonly generation: Generation;
  /** By ordinal: 1 for a developer who is left out. When undefined, no developer is left out. */
  readonly gone?: Uint8Array | undefined;
}

/** In place of an ordinal or a rank: left out. @package */
export const leftOut = 0xffffffff;

/** The positions of all people of several generations in the merged one. @package */
export interface MergedPeople {
  readonly logins: MergedTexts;
  /** By part, and ordinal in it: the new ordinals, or `leftOut`; they ascend with the old ones. */
  readonly ordinals: readonly Uint32Array[];
  /** By part, and ordinal in it: the new ranks of the logins, or `leftOut`. */
  readonly loginRanks: readonly Uint32Array[];
}

/** @package */
export function mergePeople(parts: readonly GenerationPart[]): MergedPeople {
  const logins = mergeTexts(parts.map(loginsOf), createLoginFilter(parts));
  const loginRanks = rankLogins(parts, logins);
  return { logins, loginRanks, ordinals: mergeOrdinals(parts, loginRanks) };
}

function loginsOf({ generation: { columns } }: GenerationPart): SortedTexts {
  return { starts: columns.loginStarts, units: columns.loginUnits };
}

/** @returns whether the login of this rank is left out. */
function createLoginFilter(parts: readonly GenerationPart[]) {
  const goneByRank = parts.map(({ generation, gone }) => {
    const byRank = gone && new Uint8Array(gone.length);
    gone?.forEach((isGone, ordinal) => {
      if (byRank) byRank[generation.columns.loginRanks[ordinal] as number] = isGone;
    });
    return byRank;
  });
  return (part: number, rank: number) => goneByRank[part]?.[rank] === 1;
}

function rankLogins(parts: readonly GenerationPart[], logins: MergedTexts): Uint32Array[] {
  const newRanks = parts.map(({ generation }) =>
    new Uint32Array(generation.developers).fill(leftOut),
  );
  logins.positions.forEach((oldRank, rank) => {
    (newRanks[logins.parts[rank] as number] as Uint32Array)[oldRank] = rank;
  });
  return parts.map(({ generation }, part) => {
    const ranks = newRanks[part] as Uint32Array;
    return generation.columns.loginRanks.map((rank) => ranks[rank] as number);
  });
}

/** Everybody's place in the order by base, descending, then by login. */
function mergeOrdinals(
  parts: readonly GenerationPart[],
  loginRanks: readonly Uint32Array[],
): Uint32Array[] {
  const merged = parts.map(({ generation }) =>
    new Uint32Array(generation.developers).fill(leftOut),
  );
  const next = parts.map(() => 0);
  /** Lower for a developer who comes earlier; infinite at the end of the part. */
  const findKey = (part: number): number => {
    const { bases } = (parts[part] as GenerationPart).generation.columns;
    const ranks = loginRanks[part] as Uint32Array;
    let at = next[part] as number;
    while (at < ranks.length && ranks[at] === leftOut) at++;
    next[part] = at;
    if (at === ranks.length) return Number.POSITIVE_INFINITY;
    return (ranks[at] as number) - (bases[at] as number) * 0x1_0000_0000;
  };
  const keys = parts.map((_, part) => findKey(part));
  for (let ordinal = 0; ; ordinal++) {
    let first = 0;
    for (let part = 1; part < keys.length; part++) {
      if ((keys[part] as number) < (keys[first] as number)) first = part;
    }
    if (!Number.isFinite(keys[first])) return merged;
    const at = next[first] as number;
    (merged[first] as Uint32Array)[at] = ordinal;
    next[first] = at + 1;
    keys[first] = findKey(first);
  }
}

/** @package */
export function writePeople(
  parts: readonly GenerationPart[],
  people: MergedPeople,
  into: GenerationSections,
): void {
  const texts = { starts: into.loginStarts, units: into.loginUnits };
  writeTexts(parts.map(loginsOf), people.logins, texts);
  parts.forEach(({ generation: { columns: from, developers } }, part) => {
    const ordinals = people.ordinals[part] as Uint32Array;
    const loginRanks = people.loginRanks[part] as Uint32Array;
    for (let at = 0; at < developers; at++) {
      const ordinal = ordinals[at] as number;
      if (ordinal === leftOut) continue;
      into.rowIds[ordinal] = from.rowIds[at] as number;
      into.loginRanks[ordinal] = loginRanks[at] as number;
      into.experience[ordinal] = from.experience[at] as number;
      into.bases[ordinal] = from.bases[at] as number;
      into.profile[ordinal] = from.profile[at] as number;
      into.activity[ordinal] = from.activity[at] as number;
      into.techStack[ordinal] = from.techStack[at] as number;
    }
  });
}
