/** Combines a person's recent commits and surviving lines into their knowledge of files. */
import type { Model } from "../analysis/analysis.ts";

/**
 * Combines the shares of recent commits and of surviving lines by their quadratic mean. With fewer recent commits in all, lines
 * count more.
 * @param all everyone's sums: weighted recent commits and weighted lines.
 * @returns a function that gives one person's knowledge.
 */
export function createMix(
  all: { readonly recent: number; readonly lines: number },
  { recentShare, quietCommits }: Model["knowledge"],
): (recent: number, lines: number) => number {
  const ofRecent = all.lines > 0 ? (recentShare * all.recent) / (all.recent + quietCommits) : 1;
  return (recent, lines) =>
    Math.sqrt(
      ofRecent * computeShare(recent, all.recent) ** 2 +
        (1 - ofRecent) * computeShare(lines, all.lines) ** 2,
    );
}

export function computeShare(part: number, all: number): number {
  return all > 0 ? part / all : 0;
}
