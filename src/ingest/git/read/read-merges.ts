/** Compares merges with all their parents. Lines that no parent has are the work of the person who merged. */
import { isFault } from "../../../contract/fault.ts";
import { splitBatches } from "../../../contract/split-batches.ts";
import type { FileChange } from "../commit/logged-commit.ts";
import { composeInput, decodeGitText, type Git } from "../git-command.ts";
import { listRevisions, type ReadRange } from "../repository/cut-history.ts";
import {
  createPlacing,
  findBrought,
  findFolderJoints,
  type ListedMerge,
  type MergedFile,
} from "./merged-folders.ts";

/** Starts comparing merges while the log is read. If objects are missing, merges have no files. */
export async function readMerges(git: Git, range: ReadRange) {
  const { directory } = range;
  const merges = await listMerges(git, range);
  const joints = await findFolderJoints(git, directory, merges);
  const brought = await findBrought(git, directory, joints);
  const open = merges
    .map((merge) => ({ ...merge, files: merge.files.filter((file) => !brought.has(file)) }))
    .filter(({ files }) => files.length > 0);
  const place = await createPlacing(git, range, joints);
  const own = countOwn(git, directory, open);
  // Marks the error as handled, because nobody awaits `own` if reading the log fails first.
  own.catch(() => undefined);
  const shas = new Set(open.map(({ sha }) => sha));
  return {
    /** Changes the paths of a commit's files to the paths after merges into folders. */
    place,
    /** Whether a merge may have changes of its own; `own` lists them. */
    isOpen: (sha: string) => shas.has(sha),
    /** The changes that merges made themselves, by commit id. */
    own,
  };
}

const batchMax = 500;
/** The most files over all merges; further merges are not compared. */
const filesMax = 500_000;

/** @returns merges with files that differ from all parents. */
async function listMerges(git: Git, range: ReadRange): Promise<readonly ListedMerge[]> {
  const { directory } = range;
  const list = ["rev-list", "--parents", "--min-parents=2", ...listRevisions(range)];
  const lines = (await git.read(directory, list)).toString("latin1").split("\n").filter(Boolean);
  const found: ListedMerge[] = [];
  let left = filesMax;
  for (const some of splitBatches(lines, batchMax)) {
    const merges = some.map((line) => line.split(" "));
    const shas = merges.map(([sha = ""]) => sha);
    const filesOf = parseRaw(await compare(git, directory, shas, ["-c", "-z", "--no-renames"]));
    for (const [sha = "", ...parents] of merges) {
      const files = filesOf.get(sha) ?? [];
      left -= files.length;
      if (files.length > 0 && left >= 0) found.push({ sha, parents, files });
    }
  }
  return found;
}

/** @returns combined diffs, one character per byte; empty if git cannot read an object. */
async function compare(
  git: Git,
  directory: string,
  shas: readonly string[],
  options: readonly string[],
): Promise<string> {
  const command = ["diff-tree", "--stdin", "-r", "--no-color", "--no-ext-diff", "--no-textconv"];
  const output = git.read(directory, [...command, ...options], composeInput(shas));
  const bytes = await output.catch((error: unknown) => {
    if (isFault(error, "git")) return Buffer.alloc(0);
    throw error;
  });
  return bytes.toString("latin1");
}

/** Parses the id of each merge, then `::modes ids status` and the path of each file, all between NULs. */
function parseRaw(output: string): ReadonlyMap<string, readonly MergedFile[]> {
  const found = new Map<string, MergedFile[]>();
  let files: MergedFile[] = [];
  const tokens = output.split("\0").values();
  for (const token of tokens) {
    if (token[0] !== ":") {
      files = [];
      found.set(token, files);
      continue;
    }
    const path = toText(tokens.next().value ?? "");
    const words = token.replace(/^:+/, "").split(" ");
    const [mode = "", ...ids] = words.slice(words.length / 2 - 1, -1);
    const content = ids.pop() ?? "";
    const absent = ids.flatMap((id, at) => (isZero(id) ? [at] : []));
    if (mode.startsWith("100") && !isZero(content)) files.push({ path, content, absent });
  }
  return found;
}

function toText(bytes: string): string {
  return decodeGitText(Buffer.from(bytes, "latin1"));
}

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}

/** Counts the lines that differ from all parents. */
async function countOwn(git: Git, directory: string, open: readonly ListedMerge[]) {
  const own = new Map<string, readonly FileChange[]>();
  const mayBeRenamed = ({ files }: ListedMerge) => files.some(({ absent }) => absent.length > 0);
  const bySha = new Map(open.map((merge) => [merge.sha, merge]));
  for (const [isRenamed, options] of [
    [false, ["--no-renames"]],
    // Looks for renames only among up to 200 files, because more files take long.
    [true, ["-M", "-l200"]],
  ] as const) {
    const shas = open.filter((one) => mayBeRenamed(one) === isRenamed).map(({ sha }) => sha);
    for (const some of splitBatches(shas, batchMax)) {
      const dense = ["--cc", "-U0", "--full-index", ...options];
      const output = await compare(git, directory, some, dense);
      for (const part of output.split(/^(?=[0-9a-f]{40,64}$)/m)) {
        const merge = bySha.get(part.slice(0, part.indexOf("\n")));
        const files = merge ? countFiles(merge, part) : [];
        if (merge && files.length > 0) own.set(merge.sha, files);
      }
    }
  }
  return own;
}

const fileHeader = "diff --cc ";

/** Parses a combined diff. Each parent has a column: plus for a line that it lacks, minus for a line that only it has. */
function countFiles({ parents, files }: ListedMerge, diff: string): readonly FileChange[] {
  const [, ...sections] = diff.split(/^(?=diff --cc )/m);
  return sections.flatMap((section) => {
    const lines = section.split("\n");
    const [, content = ""] = lines.find((line) => line.startsWith("index "))?.split("..") ?? [];
    const same = files.filter((one) => content.startsWith(one.content));
    const named = toText(lines[0]?.slice(fileHeader.length) ?? "");
    // Finds the file by content, because git quotes some paths. The path decides between files of equal content.
    const file = same.find(({ path }) => path === named) ?? same[0];
    if (!file) return [];
    const { path, absent } = file;
    let [added, deleted] = [0, 0];
    const start = lines.findIndex((line) => line.startsWith("@@@"));
    for (const line of start < 0 ? [] : lines.slice(start)) {
      if (line === "" || line[0] === "@") continue;
      if (parents.every((_, at) => line[at] === "+")) added += 1;
      else if (parents.every((_, at) => line[at] === "-" || absent.includes(at))) deleted += 1;
    }
    const isNew = absent.length === parents.length;
    return added + deleted > 0 ? [{ ...ofMerge, path, isNew, added, deleted }] : [];
  });
}

const ofMerge = { from: undefined, isEdited: false, isRegular: true, before: "", after: "" };
