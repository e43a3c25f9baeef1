/**
 * Finds commits that change only white space. Git compares candidates again without white space. A candidate changes files in
 * place, and adds about as many lines as it deletes, except for blank lines.
 */
import type { FileChange, LoggedCommit } from "../commit/logged-commit.ts";
import { composeInput, type Git } from "../git-command.ts";
import { readBlobSizes } from "../repository/objects.ts";

const batchMax = 1000;

export function createWhitespaceCheck(git: Git, directory: string) {
  const found: string[] = [];
  let waiting: Candidate[] = [];
  let working = Promise.resolve();
  const compareWaiting = (): void => {
    const batch = waiting;
    waiting = [];
    working = working.then(async () => {
      found.push(...(await compare(git, directory, batch)));
    });
    // Marks the error as handled, because nobody calls `end` if reading the log fails first.
    working.catch(() => undefined);
  };
  return {
    look(commit: LoggedCommit): void {
      const candidate = toCandidate(commit);
      if (!candidate) return;
      waiting.push(candidate);
      if (waiting.length >= batchMax) compareWaiting();
    },
    /** @returns ids of the commits that change only white space. @throws Fault when git could not compare them. */
    async end(): Promise<readonly string[]> {
      compareWaiting();
      await working;
      return found.sort();
    },
  };
}

interface Candidate {
  readonly sha: string;
  readonly isIndented: boolean;
  /** Files in which lines were only added, or only deleted. */
  readonly oneSided: readonly FileChange[];
}

/** Languages with significant indentation, where only blank lines and line ends count as white space. */
const indentationMatters =
  /\.(py[iwx]?|pxd|ya?ml|md|markdown|rst|haml|slim|pug|jade|sass|styl|coffee|litcoffee|nims?|l?hs|elm|fsx?|gd|mk)$|(^|\/)(GNU)?[Mm]akefile[^/]*$/;

/** How much the numbers of added and deleted lines may differ, as a share of their sum. */
const unevenShare = 0.2;

/** In a file with at most this many changed lines, the numbers of added and deleted lines may differ by any amount. */
const fewLines = 5;

function toCandidate({ sha, parents, files }: LoggedCommit): Candidate | undefined {
  if (parents !== 1 || files.length === 0) return undefined;
  const oneSided: FileChange[] = [];
  for (const file of files) {
    const { isEdited, isRegular, added, deleted } = file;
    const lines = added + deleted;
    // A change without lines is a binary file.
    if (!isEdited || !isRegular || lines === 0) return undefined;
    if (added === 0 || deleted === 0) oneSided.push(file);
    else if (lines > fewLines && Math.abs(added - deleted) > lines * unevenShare) return undefined;
  }
  const isIndented = files.some(({ path }) => indentationMatters.test(path));
  return { sha, isIndented, oneSided };
}

async function compare(git: Git, directory: string, candidates: readonly Candidate[]) {
  const possible = await ruleOut(git, directory, candidates);
  const whitespaceOnly = async (isIndented: boolean, ignoring: string): Promise<string[]> => {
    const shas = possible.filter((each) => each.isIndented === isIndented).map(({ sha }) => sha);
    if (shas.length === 0) return [];
    const output = await git.read(directory, [...diffTree, ignoring], composeInput(shas));
    const changed = parseChanged(output.toString("latin1"));
    return shas.filter((sha) => !changed.has(sha));
  };
  const loose = await whitespaceOnly(false, "-w");
  return [...loose, ...(await whitespaceOnly(true, "--ignore-space-at-eol"))];
}

const plain = ["--no-renames", "--no-ext-diff", "--no-textconv"];
const diffTree = ["diff-tree", "--stdin", "-r", "--numstat", ...plain, "--ignore-blank-lines"];

/** The most bytes of a blank line on average: a line end and some spaces. */
const blankBytesMax = 4;

/** Drops a candidate if the lines that a file gained or lost are too long to be blank. */
async function ruleOut(git: Git, directory: string, candidates: readonly Candidate[]) {
  const files = candidates.flatMap(({ oneSided }) => oneSided);
  const blobs = new Set(files.flatMap(({ before, after }) => [before, after]));
  const sizes = await readBlobSizes(git, directory, blobs);
  return candidates.filter(({ oneSided }) =>
    oneSided.every(({ before, after, added, deleted }) => {
      const bytes = Math.abs((sizes.get(after) ?? 0) - (sizes.get(before) ?? 0));
      return bytes <= (added + deleted) * blankBytesMax;
    }),
  );
}

/** Parses git's output: the id of each commit on a line, then a line for each file with a remaining change. */
function parseChanged(output: string): ReadonlySet<string> {
  const changed = new Set<string>();
  let sha = "";
  for (const line of output.split("\n")) {
    if (line.includes("\t")) changed.add(sha);
    else sha = line;
  }
  return changed;
}
