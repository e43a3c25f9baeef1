import type { KnownFile } from "./measure-knowledge.ts";

/**
 * Finds people whose departure would leave less than `coverage` of the files known. Starts with those who know the most files.
 * @param coverage a share of the files, 0 to 1.
 * @returns the numbers of the people; empty if less is known already.
 */
export function findTruckFactor(files: readonly KnownFile[], coverage: number): readonly number[] {
  const filesOf = new Map<number, number[]>();
  const left = files.map(({ knownBy }) => knownBy.length);
  for (const [file, { knownBy }] of files.entries()) {
    for (const person of knownBy) filesOf.getOrInsertComputed(person, () => []).push(file);
  }
  let covered = left.filter((count) => count > 0).length;
  const leaving: number[] = [];
  const order = [...filesOf].sort(([a, x], [b, y]) => y.length - x.length || a - b);
  for (const [person, known] of order) {
    if (covered === 0 || covered < files.length * coverage) break;
    leaving.push(person);
    for (const file of known) {
      left[file] = (left[file] ?? 0) - 1;
      if (left[file] === 0) covered -= 1;
    }
  }
  return leaving;
}
