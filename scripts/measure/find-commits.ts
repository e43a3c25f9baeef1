/** Finds the git commits behind the commits of a pool, which does not keep their hashes. */
import { spawnSync } from "node:child_process";
import type { FindAuthor } from "./blame.ts";
import type { ReviewedChange, ReviewedHistory } from "./review-methods.ts";

interface GitCommit {
  readonly hash: string;
  readonly author: string;
  readonly day: number;
  readonly paths: readonly string[];
}

export interface FoundCommit {
  readonly repository: string;
  readonly commit: string;
  /** As they were named then. */
  readonly paths: readonly string[];
}

/** Reads the last two years. @returns undefined where no single commit of that day and author has most of the files. */
export async function createCommitFinder(repository: string, findAuthor: FindAuthor) {
  const byKey = Map.groupBy(readCommits(repository, findAuthor), ({ day, author }) => {
    return `${day} ${author}`;
  });
  return ({ paths }: ReviewedHistory, change: ReviewedChange): FoundCommit | undefined => {
    const asked = new Set(change.files.map((file) => paths[file]));
    const fits = (byKey.get(`${change.day} ${change.author}`) ?? []).map((commit) => {
      const same = commit.paths.filter((path) => asked.has(path)).length;
      return { commit, fit: same / Math.max(asked.size, commit.paths.length) };
    });
    const [best, next] = fits.sort((a, b) => b.fit - a.fit);
    if (!best || best.fit < 0.5 || best.fit === next?.fit) return undefined;
    return { repository, commit: best.commit.hash, paths: best.commit.paths };
  };
}

function readCommits(repository: string, findAuthor: FindAuthor): GitCommit[] {
  const format = "%x01%H%x00%at%x00%aN%x00%aE";
  const args = ["log", "HEAD", "--no-merges", "--since=2 years ago", "--name-only", "-z"];
  const { stdout } = spawnSync(
    "git",
    ["-c", "safe.directory=*", "-C", repository, ...args, `--format=${format}`],
    { encoding: "utf8", maxBuffer: 2 ** 30 },
  );
  return stdout
    .split("\x01")
    .slice(1)
    .map((text) => {
      const [hash = "", seconds = "", name = "", address = "", ...paths] = text.split("\0");
      return {
        hash,
        author: findAuthor(name, address),
        day: Math.floor(Number(seconds) / 86_400),
        paths: paths.map((path) => path.trim()).filter((path) => path !== ""),
      };
    });
}
