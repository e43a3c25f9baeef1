/** Who did something lately that counts as no work on files: who merged or committed for others, and who became an owner. */
import { decodeGitText, type Git } from "../git-command.ts";

const ownersFiles = ["CODEOWNERS", "OWNERS", "OWNERS_ALIASES", "component_owners.y*ml"];

/** @param since ISO day. */
export async function readRecentNames(
  git: Git,
  { directory, head }: { readonly directory: string; readonly head: string },
  since: string,
): Promise<ReadonlySet<string>> {
  const read = async (...rest: readonly string[]) =>
    decodeGitText(await git.read(directory, ["log", `--since=${since}`, ...rest]));
  const people = await read("--use-mailmap", "--format=%an%n%aN%n%ae%n%cN%n%ce", head);
  const paths = ownersFiles.map((name) => `:(glob)**/${name}`);
  const changes = ["-p", "-U0", "--no-ext-diff", "--no-textconv", "--format=%x00"];
  const commits = (await read(...changes, head, "--", ...paths)).split("\0");
  return new Set([...people.toLowerCase().split("\n"), ...commits.flatMap(listAdded)]);
}

/** @returns the words that a diff adds more often than it takes them away. */
function listAdded(diff: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const [, sign, line = ""] of diff.matchAll(/^([+-])(.*)/gm)) {
    for (const word of line.toLowerCase().match(/[\w.+-]+(?:[@/][\w.+-]+)*/g) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + (sign === "+" ? 1 : -1));
  }
  return [...counts].flatMap(([word, count]) => (count > 0 ? word : []));
}
