/**
 * Reads everything reachable from HEAD in one pass of `git log`, and parses the bytes as they arrive; commits are passed on
 * and not kept. Git applies the mailmap itself (%aN, %aE), so the figures agree with git's.
 */

import { splitBatches } from "../../split-batches.ts";
import type { LoggedCommit } from "../commit/logged-commit.ts";
import { trailerKeys } from "../credit/trailers.ts";
import { composeInput, type Git } from "../git-command.ts";
import { type Cuts, listRevisions, type ReadRange } from "../repository/cut-history.ts";
import { findMissing, findUnreadable } from "../repository/missing-objects.ts";
import { parseLog } from "./parse-log.ts";

/**
 * Reads the history of `head`, newest first, and calls `onCommit` for each commit. Where objects are missing, git stops:
 * the commits from there on are then read in a way that leaves out only what cannot be known (`readChunk`).
 *
 * @returns ids of missing objects.
 * @throws Fault when git stops early for another reason; the commits passed on must then be discarded.
 */
export async function readLog(
  git: Git,
  range: ReadRange,
  onCommit: (commit: LoggedCommit) => void,
): Promise<ReadonlySet<string>> {
  const { directory, cuts } = range;
  const revisions = listRevisions(range);
  const missing = new Set<string>();
  let done = 0;
  const take = (commit: LoggedCommit): void => {
    done += 1;
    onCommit(restoreParents(commit, cuts));
  };
  try {
    const options = ["--raw", "--numstat", "-M", ...revisions, "--"];
    await runLog(git, directory, { options }, take);
  } catch (error) {
    noteUnreadable(error, missing);
    const order = (await git.read(directory, ["rev-list", ...revisions, "--"])).toString("latin1");
    const rest = order.split("\n").filter(Boolean).slice(done);
    const reading = { git, directory, onCommit: take, missing };
    for (const shas of splitBatches(rest, chunkSize)) await readChunk(reading, shas);
  }
  return missing;
}

/** Restores the number of parents of a cut commit. Its changes are not known, since git has nothing to compare it with. */
function restoreParents(commit: LoggedCommit, cuts: Cuts): LoggedCommit {
  const parents = cuts.get(commit.sha)?.length;
  if (parents === undefined) return commit;
  return { ...commit, parents, files: [], isIncomplete: parents < 2 };
}

interface ReadOn {
  readonly git: Git;
  readonly directory: string;
  readonly onCommit: (commit: LoggedCommit) => void;
  /** Receives ids of missing objects. */
  readonly missing: Set<string>;
}

/** Limit on the commits whose files are in memory. */
const chunkSize = 1000;

/**
 * Passes on each of these commits; those that cannot be compared have only paths, or not even these. All are listed without
 * comparing contents, which needs only trees, and commits with all their contents are then read as usual.
 */
async function readChunk(reading: ReadOn, shas: readonly string[]): Promise<void> {
  const { git, directory, onCommit, missing } = reading;
  const treeOf = (sha: string) => `${sha}^{tree}`;
  // In a clone without trees these are the trees of all commits.
  const lostTrees = await findMissing(git, directory, shas.map(treeOf));
  for (const tree of lostTrees) missing.add(tree);
  const { treeless = [], others = [] } = Object.groupBy(shas, (sha) =>
    lostTrees.has(treeOf(sha)) ? "treeless" : "others",
  );
  const listed = new Map<string, LoggedCommit>();
  const unlisted = await readEach(reading, others, ["--raw", "-M100%"], (commit) =>
    listed.set(commit.sha, commit),
  );
  const lost = await findMissing(git, directory, [...listed.values()].flatMap(contentsOf));
  for (const id of lost) missing.add(id);
  const isWhole = (commit: LoggedCommit) => !contentsOf(commit).some((id) => lost.has(id));
  const whole = [...listed.values()].filter(isWhole).map(({ sha }) => sha);
  await readEach(reading, whole, ["--raw", "--numstat", "-M"], (commit) => {
    listed.delete(commit.sha);
    onCommit(commit);
  });
  for (const commit of listed.values()) onCommit({ ...commit, isIncomplete: true });
  await runLog(git, directory, { options: ["-s"], shas: [...treeless, ...unlisted] }, (commit) =>
    onCommit({ ...commit, isIncomplete: commit.parents < 2 }),
  );
}

function contentsOf({ files }: LoggedCommit): string[] {
  return files.flatMap(({ before, after }) => [before, after]).filter(Boolean);
}

/** Runs of git that may fail in one chunk; then its other commits are taken as unreadable too. */
const failuresMax = 50;

/** Runs git again after each commit at which it fails. @returns the ids of those commits. */
async function readEach(
  { git, directory, missing }: ReadOn,
  shas: readonly string[],
  options: readonly string[],
  onCommit: (commit: LoggedCommit) => void,
): Promise<readonly string[]> {
  const unreadable: string[] = [];
  let rest = shas;
  const read = async (some: readonly string[]): Promise<boolean> => {
    let done = 0;
    try {
      await runLog(git, directory, { options, shas: some }, (commit) => {
        done += 1;
        onCommit(commit);
      });
    } catch (error) {
      noteUnreadable(error, missing);
    }
    rest = rest.slice(done);
    return done === some.length;
  };
  while (!(await read(rest))) {
    // The first of the rest may have been written whole, before git failed at the next one.
    const [suspect] = rest;
    if (suspect === undefined || (await read([suspect]))) continue;
    unreadable.push(suspect);
    rest = rest.slice(1);
    if (unreadable.length >= failuresMax) return [...unreadable, ...rest];
  }
  return unreadable;
}

/** Notes which objects git failed to read. @throws the error itself where it names none. */
function noteUnreadable(error: unknown, missing: Set<string>): void {
  const named = findUnreadable(error);
  if (named.length === 0) throw error;
  for (const id of named) missing.add(id);
}

const trailers = `%(trailers:${trailerKeys.map((key) => `key=${key}`).join()},separator=%x1f)`;
const format = `%H%x00%P%x00%at%x00%ct%x00%aN%x00%aE%x00%ae%x00%an%x00%cn%x00${trailers}%x00%B`;

const plain = ["--no-abbrev", "--no-color", "--no-ext-diff", "--no-textconv", "--no-notes"];
const gitLog = ["log", "-z", ...plain, "-O/dev/null", `--format=${format}`];

/**
 * Reads the commits of a range that the options name, newest first, or these commits in their order.
 *
 * @param what.settings flags of git itself, before the command.
 * @throws Fault when git stops early; the last commit that it wrote is then not passed on.
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
