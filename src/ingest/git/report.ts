/**
 * Who committed how often, before any identity merging: for one repository line for line what
 * `git shortlog -sne --no-merges HEAD` prints, so that anybody can check the reading.
 */
import type { RepositoryDigest } from "./commits/digest-repository.ts";

/**
 * @returns `commits TAB name <email>`, most commits first, then by the bytes of the name as git does;
 *   as Latin-1 text of the repository's own bytes. Several repositories are summed by pair.
 */
export function formatAuthorsReport(
  digests: readonly Pick<RepositoryDigest, "authors">[],
): string[] {
  const sums = new Map<string, number>();
  for (const { authors } of digests) {
    for (const [line, commits] of authors) sums.set(line, (sums.get(line) ?? 0) + commits);
  }
  return [...sums]
    .sort(([a, most], [b, less]) => less - most || (a < b ? -1 : 1))
    .map(([line, commits]) => `${commits}\t${line}`);
}
