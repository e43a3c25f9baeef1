/** Combines a person's recent commits and surviving lines into their knowledge of files. */
import type { Model } from "../analysis/analysis.ts";

/**
 * Combines the shares of recent commits and of lines by their quadratic mean, so that a person who leads in one of them
 * ranks high. Few recent commits have little weight, so in quiet files the lines decide. Without surviving lines,
 * recent commits decide alone.
 *
 * @param all everyone's sums: weighted recent commits and weighted lines.
 * @returns a function that gives one person's knowledge, for comparison with others.
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
