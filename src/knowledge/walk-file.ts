/** Follows one file through its changes: which author wrote its lines, and who worked on it lately. */
import type { Model } from "../analysis/analysis.ts";
import { commitFlags, type PathBlock, pathFlags } from "../pool/pool.ts";
import { type CommitView, findOnlyWriter, listParticipants } from "./commit-view.ts";
import { nobody } from "./head-index.ts";

type Constants = Model["knowledge"];

/** @package The share of one person in the file, or of `nobody`. */
export interface FileShare {
  number: number;
  lines: number;
  recent: number;
  focused: number;
  /** Day of the latest change, in UTC days since 1970. */
  last: number;
}

/** @package Sums of one file; kept and emptied, since there are many files. */
export interface FileSums {
  /** By number of the person and one: their place in `all` and one; 0 for none. */
  readonly slots: Int32Array;
  /** In the order in which they came. */
  readonly all: FileShare[];
  /** What lines are multiplied with while the file is walked, so that a deletion touches no share. */
  scale: number;
}

/**
 * Deleted lines are taken from everybody in proportion to what each has, which is an honest guess at what blame would say,
 * without reading a diff.
 *
 * @package @returns whether any of its changes counts.
 */
export function walkFile(
  view: CommitView,
  { block, file }: { readonly block: PathBlock; readonly file: number },
  { sums, asOfDay, constants }: { sums: FileSums; asOfDay: number; constants: Constants },
): boolean {
  const { day, files, flags } = view.head.columns;
  empty(sums);
  const isRoutine = ((block.flags[file] ?? 0) & pathFlags.isRoutine) !== 0;
  const kindWeight = isRoutine ? constants.weights.routine : 1;
  const end = block.starts[file + 1] ?? 0;
  let [total, changes] = [0, 0];
  for (let at = block.starts[file] ?? 0; at < end; at++) {
    const commit = block.commit[at] ?? 0;
    const on = day[commit] ?? 0;
    const [added, deleted] = [block.added[at] ?? 0, block.deleted[at] ?? 0];
    if (on > asOfDay || added + deleted === 0) continue;
    changes += 1;
    const bits = flags[commit] ?? 0;
    const isMechanical = (bits & commitFlags.isMechanical) !== 0;
    if (!isMechanical && total > 0 && deleted > 0) {
      const kept = Math.max(0, 1 - deleted / total);
      sums.scale *= kept;
      if (sums.scale < scaleMin) applyScale(sums);
      total *= kept;
    }
    const own = isMechanical ? 0 : Math.min(added, constants.linesMax);
    total += own;
    const ratio = (view.inside[commit] ?? 0) / Math.max(1, files[commit] ?? 0);
    const focus = ratio >= 1 ? 1 : ratio ** constants.focusExponent;
    const decay =
      findDecay(constants, asOfDay - on) * (isMechanical ? constants.weights.mechanical : 1);
    const change = { own, decay, weight: kindWeight * focus, on };
    const only = findOnlyWriter(view, commit);
    if (bits & commitFlags.isUnowned) credit(sums, nobody, 1, change);
    else if (only !== undefined) credit(sums, only, 1, change);
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

/** Below it, quotients would lose their last digits. */
const scaleMin = 1e-6;

function applyScale(sums: FileSums): void {
  for (const share of sums.all) {
    share.lines *= sums.scale;
    share.focused *= sums.scale;
  }
  sums.scale = 1;
}

interface Change {
  /** Lines added that count. */
  readonly own: number;
  readonly decay: number;
  readonly weight: number;
  readonly on: number;
}

function credit(sums: FileSums, number: number, part: number, change: Change): void {
  const share = shareOf(sums, number);
  const lines = (change.own * part) / sums.scale;
  share.lines += lines;
  share.recent += change.decay * part;
  share.focused += lines * change.weight;
  // Commits come oldest first.
  share.last = change.on;
}

function shareOf({ slots, all }: FileSums, number: number): FileShare {
  const slot = slots[number + 1] ?? 0;
  // There is nothing before the first, and asking an array for it is slow.
  const known = slot === 0 ? undefined : all[slot - 1];
  if (known) return known;
  const share = { number, lines: 0, recent: 0, focused: 0, last: 0 };
  slots[number + 1] = all.push(share);
  return share;
}

function empty(sums: FileSums): void {
  const { slots, all } = sums;
  for (const { number } of all) slots[number + 1] = 0;
  all.length = 0;
  sums.scale = 1;
}

const daysPerMonth = 30.4375;
let decays: { readonly halfLifeMonths: number; readonly byAge: Float64Array } | undefined;

/** @package @param age days; the same for every question, so each is computed once. */
export function findDecay({ halfLifeMonths }: Constants, age: number): number {
  if (decays?.halfLifeMonths !== halfLifeMonths) {
    const halfLife = halfLifeMonths * daysPerMonth;
    const byAge = Float64Array.from({ length: 2 ** 16 }, (_, age) => 2 ** (-age / halfLife));
    decays = { halfLifeMonths, byAge };
  }
  return decays.byAge[age] ?? 0;
}
