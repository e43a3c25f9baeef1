import { distance } from "fastest-levenshtein";

/**
 * The candidate that a misspelt name most likely meant, without regard to case.
 *
 * @returns `undefined` when none is within a third of the name's length (at least 2 edits), so that an
 *   error text never suggests something unrelated.
 */
export function findNearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = distance(wanted, candidate.toLowerCase());
    if (edits < bestDistance) {
      best = candidate;
      bestDistance = edits;
    }
  }
  return best;
}
