/** Follows one file through its changes: counts each author's surviving lines and recent work. */
import type { Model } from "../analysis/analysis.ts";
import { commitFlags, type PathBlock, pathFlags } from "../pool/pool.ts";
import { type CommitView, findOnlyWriter, listParticipants } from "./commit-view.ts";

type Constants = Model["knowledge"];

/** The share of one person, or of `nobody`, in the file. */
export interface FileShare {
  number: number;
  lines: number;
  /** Surviving lines, weighted. */
  weight: number;
  /** Recent commits, weighted by age and kind. */
  recent: number;
  /** Day of the latest change, in UTC days since 1970. */
  last: number;
}

/** Sums of one file. The object is reused for the next file. */
export interface FileSums {
  /** The position in `all` plus one, by person number plus one. 0 means that the person is not in `all`. */
  readonly slots: Int32Array;
  /** In order of first appearance. */
  readonly all: FileShare[];
  /** Whether the file came from elsewhere: all its changes are imports or reformatting. */
  isImported: boolean;
  /** A factor for all lines, so that a deletion changes one number instead of every share. */
  scale: number;
}

/**
 * Visits the changes of a file, oldest first, and credits their authors. Deleted lines are taken from everyone in proportion to
 * their lines, because the history does not tell whose lines were deleted.
 * @returns whether any change of the file counts.
 */
export function walkFile(
  view: CommitView,
  { block, file }: { readonly block: PathBlock; readonly file: number },
  { sums, asOfDay, constants }: { sums: FileSums; asOfDay: number; constants: Constants },
): boolean {
  const { day, flags } = view.head.columns;
  empty(sums);
  const isRoutine = ((block.flags[file] ?? 0) & pathFlags.isRoutine) !== 0;
  const kindWeight = isRoutine ? constants.weights.routine : 1;
  const end = block.starts[file + 1] ?? 0;
  let [total, changes] = [0, 0];
  for (let at = block.starts[file] ?? 0; at < end; at++) {
    const commit = block.commit[at] ?? 0;
    const on = day[commit] ?? 0;
    const [added, deleted] = [block.added[at] ?? 0, block.deleted[at] ?? 0];
    const bits = flags[commit] ?? 0;
    if (on > asOfDay || added + deleted === 0 || (bits & view.leftOut) !== 0) continue;
    changes += 1;
    const isMechanical = (bits & commitFlags.isMechanical) !== 0;
    const isImport = (bits & commitFlags.isImport) !== 0;
    if (!isMechanical && !isImport) sums.isImported = false;
    if (!isMechanical && total > 0 && deleted > 0) {
      const remaining = Math.max(0, 1 - deleted / total);
      sums.scale *= remaining;
      if (sums.scale < scaleMin) applyScale(sums);
      total *= remaining;
    }
    const own = isMechanical ? 0 : added;
    total += own;
    const recent =
      findFocus(view, commit, constants) *
      findKindWeight(bits, constants) *
      findDecay(constants, asOfDay - on);
    const weight =
      kindWeight *
      (isImport ? constants.weights.import : 1) *
      Math.min(1, constants.linesMax / Math.max(1, own));
    const change = { own, recent, weight, on };
    const only = findOnlyWriter(view, commit);
    if (only !== undefined) credit(sums, only, 1, change);
    else {
      const { writers } = listParticipants(view, commit);
      const sharers = 1 + constants.weights.coAuthor * (writers.length - 1);
      for (const [rank, person] of writers.entries()) {
        credit(sums, person, (rank === 0 ? 1 : constants.weights.coAuthor) / sharers, change);
      }
    }
  }
  applyScale(sums);
  return changes > 0;
}

/** Returns the weight of a commit for these files. A commit that mostly changes other files has little weight. */
export function findFocus(
  { head, inside }: CommitView,
  commit: number,
  { focusExponent }: Constants,
): number {
  const ratio = (inside[commit] ?? 0) / Math.max(1, head.columns.files[commit] ?? 0);
  return ratio >= 1 ? 1 : ratio ** focusExponent;
}

/** @param bits bits of `commitFlags`. */
export function findKindWeight(bits: number, { weights }: Constants): number {
  if (bits & commitFlags.isMechanical) return weights.mechanical;
  return bits & commitFlags.isImport ? weights.import : 1;
}

/** The smallest scale. With a smaller scale, divisions would lose precision. */
const scaleMin = 1e-6;

function applyScale(sums: FileSums): void {
  for (const share of sums.all) {
    share.lines *= sums.scale;
    share.weight *= sums.scale;
  }
  sums.scale = 1;
}

interface Change {
  /** Lines added by the person. */
  readonly own: number;
  /** The weight as a recent commit. */
  readonly recent: number;
  /** The weight of the lines. */
  readonly weight: number;
  readonly on: number;
}

function credit(sums: FileSums, number: number, part: number, change: Change): void {
  const share = shareOf(sums, number);
  const lines = (change.own * part) / sums.scale;
  share.lines += lines;
  share.recent += change.recent * part;
  share.weight += lines * change.weight;
  // Commits come oldest first.
  share.last = change.on;
}

function shareOf({ slots, all }: FileSums, number: number): FileShare {
  const slot = slots[number + 1] ?? 0;
  // Reading index -1 of an array is slow.
  const known = slot === 0 ? undefined : all[slot - 1];
  if (known) return known;
  const share = { number, lines: 0, weight: 0, recent: 0, last: 0 };
  slots[number + 1] = all.push(share);
  return share;
}

function empty(sums: FileSums): void {
  const { slots, all } = sums;
  for (const { number } of all) slots[number + 1] = 0;
  all.length = 0;
  sums.scale = 1;
  sums.isImported = true;
}

const daysPerMonth = 30.4375;
let decays: { readonly halfLifeMonths: number; readonly byAge: Float64Array } | undefined;

/** @param age in days. */
export function findDecay({ halfLifeMonths }: Constants, age: number): number {
  if (decays?.halfLifeMonths !== halfLifeMonths) {
    const halfLife = halfLifeMonths * daysPerMonth;
    const byAge = Float64Array.from({ length: 2 ** 16 }, (_, age) => 2 ** (-age / halfLife));
    decays = { halfLifeMonths, byAge };
  }
  return decays.byAge[age] ?? 0;
}
