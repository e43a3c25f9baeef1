/** Reads a history in one pass of `git log`, and parses bytes as they arrive. Git applies the mailmap itself (%aN, %aE). */
import type { LoggedCommit } from "../commit/logged-commit.ts";
import { trailerKeys } from "../credit/trailers.ts";
import { composeInput, type Git } from "../git-command.ts";
import { listRevisions, type ReadRange } from "../repository/cut-history.ts";
import { parseLog } from "./parse-log.ts";

/** @throws Fault when git stops early. The caller must then discard the commits. */
export async function readLog(
  git: Git,
  range: ReadRange,
  onCommit: (commit: LoggedCommit) => void,
): Promise<void> {
  const options = ["--raw", "--numstat", "-M", ...listRevisions(range), "--"];
  await runLog(git, range.directory, { options }, (commit) => {
    const parents = range.cuts.get(commit.sha)?.length;
    // At the boundary of a shallow clone, a commit's parents are missing, so git cannot tell what the commit changed.
    const isCut = parents !== undefined;
    onCommit(isCut ? { ...commit, parents, files: [], isIncomplete: parents < 2 } : commit);
  });
}

const trailers = `%(trailers:${trailerKeys.map((key) => `key=${key}`).join()},separator=%x1f)`;
const format = `%H%x00%P%x00%at%x00%ct%x00%aN%x00%aE%x00%ae%x00%an%x00%cn%x00${trailers}%x00%B`;

const plain = ["--no-abbrev", "--no-color", "--no-ext-diff", "--no-textconv", "--no-notes"];
const gitLog = ["log", "-z", ...plain, "-O/dev/null", `--format=${format}`];

/**
 * Reads the commits that `options` name, newest first, or the commits `shas` in the given order. `settings` are flags that
 * precede the command of git.
 * @throws Fault when git stops early. The last commit is then not passed on.
 */
export async function runLog(
  git: Git,
  directory: string,
  {
    options,
    shas,
    settings = [],
  }: Record<"options", readonly string[]> & Partial<Record<"shas" | "settings", readonly string[]>>,
  onCommit: (commit: LoggedCommit) => void,
): Promise<void> {
  if (shas?.length === 0) return;
  const selected = shas ? ["--stdin", "--no-walk=unsorted"] : [];
  const command = [...settings, ...gitLog, ...options, ...selected];
  const parser = parseLog(onCommit);
  await git.stream(directory, command, parser.push, shas && composeInput(shas));
  parser.end();
}
