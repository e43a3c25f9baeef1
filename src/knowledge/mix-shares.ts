/** What somebody knows of files, from what they did lately and the lines of theirs that stand. */
import type { Model } from "../analysis/analysis.ts";

/**
 * Mixes the shares of recent commits and of lines by their quadratic mean, so that whoever leads by one of the two stands
 * near the top. Few recent commits say little, so in quiet files the lines decide; where no line stands any more, what was
 * done lately decides alone.
 \*
 * @param all sums of everybody: recent commits, and lines, by their weights.
 * @returns what says how much one person knows, to compare with others.
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
