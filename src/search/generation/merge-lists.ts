import type { Generation } from "./generation.ts";
import { type GenerationSections, noStrengths } from "./layout.ts";
import { type GenerationPart, leftOut } from "./merge-people.ts";
import { type MergedTexts, mergeTexts, type SortedTexts, writeTexts } from "./merge-texts.ts";
import { countBitsetWords, isDense } from "./postings.ts";

/** @package The lists of several generations by their common keys. */
export interface MergedLists {
  readonly keys: MergedTexts;
  /** By list. */
  readonly counts: Uint32Array;
  /** By list: 1 for lists with strengths. */
  readonly isStrong: Uint8Array;
}

function keysOf({ generation: { columns } }: GenerationPart): SortedTexts {
  return { starts: columns.keyStarts, units: columns.keyUnits };
}

/** Lists that leftOut is left in are left out. @package */
export function mergeLists(parts: readonly GenerationPart[]): MergedLists {
  const counts = parts.map(countKept);
  const keys = mergeTexts(parts.map(keysOf), (part, list) => counts[part]?.[list] === 0);
  const lists = keys.groupStarts.length - 1;
  const merged = { keys, counts: new Uint32Array(lists), isStrong: new Uint8Array(lists) };
  for (let list = 0; list < lists; list++) {
    const end = keys.groupStarts[list + 1] as number;
    let count = 0;
    for (let source = keys.groupStarts[list] as number; source < end; source++) {
      const part = keys.parts[source] as number;
      const position = keys.positions[source] as number;
      const { strengthStarts } = (parts[part] as GenerationPart).generation.columns;
      count += (counts[part] as Uint32Array)[position] as number;
      merged.isStrong[list] = strengthStarts[position] === noStrengths ? 0 : 1;
    }
    merged.counts[list] = count;
  }
  return merged;
}

/** By list: how many are not left out. */
function countKept({ generation, gone }: GenerationPart): Uint32Array {
  const { developers, columns } = generation;
  if (!gone) return columns.counts;
  const { ordinals, ordinalStarts } = columns;
  const goneOrdinals = [...gone.keys()].filter((ordinal) => gone[ordinal] === 1);
  return columns.counts.map((count, list) => {
    const start = ordinalStarts[list] as number;
    let left = count;
    if (isDense(count, developers)) {
      for (const at of goneOrdinals) {
        left -= ((ordinals[start + (at >>> 5)] as number) >>> (at & 31)) & 1;
      }
    } else {
      for (let at = start; at < start + count; at++) {
        left -= gone[ordinals[at] as number] as number;
      }
    }
    return left;
  });
}

/**
 * @package
 * @param newOrdinals by part, and ordinal in it.
 * @param into has its spans of lists already.
 */
export function writeLists(
  sources: readonly GenerationPart[],
  { keys, counts }: MergedLists,
  newOrdinals: readonly Uint32Array[],
  into: GenerationSections,
): void {
  writeTexts(sources.map(keysOf), keys, { starts: into.keyStarts, units: into.keyUnits });
  into.counts.set(counts);
  const { groupStarts, parts, positions } = keys;
  const runs = sources.map(() => new Run());
  for (let list = 0; list < counts.length; list++) {
    const target = toTarget(into, list);
    const [first, end] = [groupStarts[list] as number, groupStarts[list + 1] as number];
    for (let source = first; source < end; source++) {
      const part = parts[source] as number;
      const { generation } = sources[part] as GenerationPart;
      const run = runs[source - first] as Run;
      run.read(generation, positions[source] as number, newOrdinals[part] as Uint32Array);
      if (target.isDense) setBits(run, target);
    }
    if (!target.isDense) writeInOrder(runs, end - first, target);
  }
}

interface Target {
  readonly isDense: boolean;
  readonly start: number;
  readonly ordinals: Uint32Array;
  /** `noStrengths` for a list without. */
  readonly strengthStart: number;
  readonly strengths: Uint8Array;
}

function toTarget(into: GenerationSections, list: number): Target {
  return {
    isDense: isDense(into.counts[list] as number, into.rowIds.length),
    start: into.ordinalStarts[list] as number,
    ordinals: into.ordinals,
    strengthStart: into.strengthStarts[list] as number,
    strengths: into.strengths,
  };
}

/** One source's developers of a list by their new ordinals, ascending; used again for the next list. */
class Run {
  length = 0;
  at = 0;
  ordinals = new Uint32Array(1024);
  strengths = new Uint8Array(1024);

  /** Reads the columns themselves: most lists have one developer, and cost less than a view of them would. */
  read({ columns, developers }: Generation, list: number, toNew: Uint32Array): void {
    const { ordinals } = columns;
    const count = columns.counts[list] as number;
    const start = columns.ordinalStarts[list] as number;
    const strengthStart = columns.strengthStarts[list] as number;
    const strengths = strengthStart === noStrengths ? undefined : columns.strengths;
    if (count > this.ordinals.length) {
      this.ordinals = new Uint32Array(count * 2);
      this.strengths = new Uint8Array(count * 2);
    }
    this.length = 0;
    this.at = 0;
    if (!isDense(count, developers)) {
      for (let at = 0; at < count; at++) {
        const ordinal = toNew[ordinals[start + at] as number] as number;
        this.add(ordinal, strengths ? (strengths[strengthStart + at] as number) : 0);
      }
      return;
    }
    const words = countBitsetWords(developers);
    for (let word = 0; word < words; word++) {
      for (let rest = ordinals[start + word] as number; rest !== 0; rest &= rest - 1) {
        const at = word * 32 + 31 - Math.clz32(rest & -rest);
        this.add(toNew[at] as number, strengths ? (strengths[strengthStart + at] as number) : 0);
      }
    }
  }

  private add(ordinal: number, strength: number): void {
    if (ordinal === leftOut) return;
    this.ordinals[this.length] = ordinal;
    this.strengths[this.length++] = strength;
  }
}

function setBits({ ordinals, strengths, length }: Run, target: Target): void {
  const hasStrengths = target.strengthStart !== noStrengths;
  for (let at = 0; at < length; at++) {
    const ordinal = ordinals[at] as number;
    const word = target.start + (ordinal >>> 5);
    target.ordinals[word] = (target.ordinals[word] as number) | (1 << (ordinal & 31));
    if (hasStrengths) target.strengths[target.strengthStart + ordinal] = strengths[at] as number;
  }
}

/** @param sources how many of the runs are of this list. */
function writeInOrder(runs: readonly Run[], sources: number, target: Target): void {
  const hasStrengths = target.strengthStart !== noStrengths;
  let total = 0;
  for (let source = 0; source < sources; source++) total += (runs[source] as Run).length;
  for (let at = 0; at < total; at++) {
    const run = sources === 1 ? (runs[0] as Run) : findLowest(runs, sources);
    target.ordinals[target.start + at] = run.ordinals[run.at] as number;
    if (hasStrengths) {
      target.strengths[target.strengthStart + at] = run.strengths[run.at] as number;
    }
    run.at++;
  }
}

/** The run with the lowest next ordinal; at least one run is not at its end. */
function findLowest(runs: readonly Run[], sources: number): Run {
  let lowest: Run | undefined;
  for (let source = 0; source < sources; source++) {
    const run = runs[source] as Run;
    if (run.at === run.length) continue;
    const isLower =
      !lowest || (run.ordinals[run.at] as number) < (lowest.ordinals[lowest.at] as number);
    if (isLower) lowest = run;
  }
  if (!lowest) throw new Error("All lists to merge are at their end.");
  return lowest;
}
