/** Finds people with recent activity that is not work on files: merging or committing for others, or becoming an owner. */
import { decodeGitText, type Git } from "../git-command.ts";
import type { FoundRepository } from "../repository/view.ts";

const files = ["CODEOWNERS", "OWNERS", "OWNERS_ALIASES"];

/**
 * @param since ISO day.
 * @returns addresses in lower case, and new owners in ownership files, such as `@ada`; undefined for a shallow clone.
 */
export async function readRecentNames(
  git: Git,
  { directory, head, cuts }: Pick<FoundRepository, "directory" | "head" | "cuts">,
  since: string,
): Promise<readonly string[] | undefined> {
  if (cuts.size > 0) return undefined;
  const read = async (...rest: readonly string[]) =>
    decodeGitText(await git.read(directory, ["log", `--since=${since}`, ...rest])).toLowerCase();
  const changes = ["-p", "-U0", "--no-ext-diff", "--no-textconv", "--format=%x00", head, "--"];
  const addresses = (await read("--format=%ae%n%ce", head)).split("\n");
  const diffs = await read(...changes, ...files.map((name) => `:(glob)**/${name}`));
  return [...new Set([...addresses, ...diffs.split("\0").flatMap(listAdded)])];
}

/** @returns the words that a diff adds more often than it removes them. */
function listAdded(diff: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const [, sign, line = ""] of diff.matchAll(/^([+-])(.*)/gm))
    for (const word of line.match(/[\w.+-]+(?:[@/][\w.+-]+)*/g) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + (sign === "+" ? 1 : -1));
  return [...counts].flatMap(([word, count]) => (count > 0 ? `@${word}` : []));
}
