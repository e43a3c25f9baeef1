import type { LoggedCommit } from "../../../src/ingest/git/commit/logged-commit.ts";
import { decodeGitText, openGit } from "../../../src/ingest/git/git-command.ts";
import { mapCoAuthors } from "../../../src/ingest/git/read/map-co-authors.ts";
import { readLog } from "../../../src/ingest/git/read/read-log.ts";
import { Agreement } from "./agreement.ts";
import { askGit } from "./ask-git.ts";

/**
 * Compares the co-authors of all non-merge commits, after the mailmap, with git's own count by trailer. A trailer without
 * an address identifies no person, and is left out on both sides.
 */
export async function compareCoAuthors(
  directory: string,
): Promise<{ agreement: Agreement; misses: string[] }> {
  const agreement = new Agreement("git.coauthors.agreement", 1);
  const truth = decodeGitText(
    askGit(directory, [
      "shortlog",
      "-sne",
      "--group=trailer:co-authored-by",
      "--no-merges",
      "HEAD",
    ]),
  );
  const theirs = truth.split("\n").map((line) => line.trim());
  const ours = await countCoAuthors(directory);
  const misses = agreement.compareSets(
    ours,
    theirs.filter((line) => /<[^<>]+>$/.test(line)),
  );
  return { agreement, misses };
}

async function countCoAuthors(directory: string): Promise<string[]> {
  const git = openGit();
  const trailersOf: (readonly string[])[] = [];
  const takeTrailers = ({ parents, coAuthors }: LoggedCommit): void => {
    if (parents < 2 && coAuthors.length > 0) trailersOf.push(coAuthors);
  };
  await readLog(git, { directory, head: "HEAD", cuts: new Map() }, takeTrailers);
  const people = await mapCoAuthors(git, { directory }, new Set(trailersOf.flat()));
  const commits = new Map<string, number>();
  for (const trailers of trailersOf) {
    const named = trailers.flatMap((trailer) => {
      const found = people.get(trailer);
      return found ? [`${found.name} <${found.email}>`.trim()] : [];
    });
    for (const line of new Set(named)) commits.set(line, (commits.get(line) ?? 0) + 1);
  }
  return [...commits].map(([line, count]) => `${count}\t${line}`);
}
