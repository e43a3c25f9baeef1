/**
 * Compares merges with all their parents. What none of them has is the work of who merged, as `git log -c` and `git blame` see it; a
 * tree that came into a folder stays the work of its own authors (`merged-folders.ts`).
 */
import { composeInput, decodeGitText, type Git } from "../git-command.ts";
import { isUnreadable } from "../repository/missing-objects.ts";
import type { FileChange, LoggedCommit } from "./logged-commit.ts";
import {
  createPlacing,
  findBrought,
  findFolderJoints,
  type ListedMerge,
  type MergedFile,
} from "./merged-folders.ts";

interface ReadRange {
  readonly directory: string;
  readonly head: string;
  readonly since?: string;
}

interface MergeReading {
  /** Gives the files of a commit the paths that they have since a merge put them into a folder. */
  readonly place: (commit: LoggedCommit) => LoggedCommit;
  /** Whether the merge may have work of its own, which `own` tells. */
  readonly isOpen: (sha: string) => boolean;
  /** What merges changed themselves, by id. */
  readonly own: Promise<ReadonlyMap<string, readonly FileChange[]>>;
}

/** Starts comparing, which goes on while the log is read. Where objects are missing, merges are without files. */
export async function readMerges(git: Git, range: ReadRange): Promise<MergeReading> {
  const { directory } = range;
  const merges: ListedMerge[] = [];
  await orMissing(listMerges(git, range, (merge) => merges.push(merge)));
  const joints = (await orMissing(findFolderJoints(git, directory, merges))) ?? [];
  const brought = (await orMissing(findBrought(git, directory, joints))) ?? new Set();
  const open = new Map(
    merges
      .map((merge) => ({ ...merge, files: merge.files.filter((file) => !brought.has(file)) }))
      .filter(({ files }) => files.length > 0)
      .map((merge) => [merge.sha, merge] as const),
  );
  const place = await createPlacing(git, range, joints);
  const own = countOwn(git, directory, open);
  // The log may fail first, and then nobody asks.
  own.catch(() => undefined);
  return { place, isOpen: (sha) => open.has(sha), own };
}

async function orMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return work.catch((error: unknown) => {
    if (isUnreadable(error)) return undefined;
    throw error;
  });
}

/** Limit on the files of all merges; further ones are not compared. */
const filesMax = 500_000;

/** Passes on merges with files that differ from all parents. */
async function listMerges(
  git: Git,
  { directory, head, since }: ReadRange,
  onMerge: (merge: ListedMerge) => void,
): Promise<void> {
  const log = git.stream(directory, [
    ...["log", "--min-parents=2", "-z", "--diff-merges=combined", "--raw", "--no-renames"],
    ...["--no-abbrev", "--no-color", "-O/dev/null", "--format=%H %P"],
    ...[head, ...(since ? ["--not", since] : []), "--"],
  ]);
  let merge: (ListedMerge & { files: MergedFile[] }) | undefined;
  let change: readonly string[] | undefined;
  let left = filesMax;
  const finish = () => {
    if (merge && merge.files.length > 0) onMerge(merge);
    merge = undefined;
  };
  const take = (token: Buffer): void => {
    if (change) {
      const [content = "", ids] = [change.at(-2), change.slice(change.length / 2, -2)];
      const isRegular = change[Math.floor(change.length / 2) - 1]?.startsWith("100");
      const absent = ids.flatMap((id, at) => (isZero(id) ? [at] : []));
      if (isRegular && !isZero(content) && --left >= 0) {
        merge?.files.push({ path: decodeGitText(token), content, absent });
      }
      change = undefined;
    } else if (token[0] === colon) change = token.toString("latin1").replace(/^:+/, "").split(" ");
    else if (token.length > 1) {
      finish();
      const [sha = "", ...parents] = token.toString("latin1").split(" ");
      merge = { sha, parents, files: [] };
    }
  };
  await splitStream(log, 0, take);
  finish();
}

const colon = 58;

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}

/** Bytes of a token that matter; only contents of files are longer. */
const tokenMax = 16 * 1024;

/** Passes on what is between two bytes of this kind. */
async function splitStream(
  { chunks, ended, stop }: ReturnType<Git["stream"]>,
  separator: number,
  onToken: (token: Buffer) => void,
): Promise<void> {
  let pending = Buffer.alloc(0);
  try {
    for await (const { buffer, byteOffset, byteLength } of chunks) {
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      let from = 0;
      for (let end = bytes.indexOf(separator); end !== -1; end = bytes.indexOf(separator, from)) {
        const rest = bytes.subarray(from, Math.min(end, from + tokenMax));
        onToken(pending.length > 0 ? Buffer.concat([pending, rest]) : rest);
        pending = Buffer.alloc(0);
        from = end + 1;
      }
      if (from < bytes.length && pending.length < tokenMax) {
        pending = Buffer.concat([pending, bytes.subarray(from, from + tokenMax)]);
      }
    }
  } catch (error) {
    stop();
    await ended().catch(() => undefined);
    throw error;
  }
  await ended();
}

/** Counts the lines that differ from all parents. Where a parent has no such file, it may have had another name there. */
async function countOwn(
  git: Git,
  directory: string,
  open: ReadonlyMap<string, ListedMerge>,
): Promise<ReadonlyMap<string, readonly FileChange[]>> {
  const own = new Map<string, readonly FileChange[]>();
  const mayBeRenamed = ({ files }: ListedMerge) => files.some(({ absent }) => absent.length > 0);
  for (const [isRenamed, options] of [
    [false, ["--no-renames"]],
    // More pairs would take long; whole folders came by then.
    [true, ["-M", "-l200"]],
  ] as const) {
    const some = [...open.values()].filter((merge) => mayBeRenamed(merge) === isRenamed);
    if (some.length === 0) continue;
    const diff = git.stream(
      directory,
      [...denseDiff, ...options],
      composeInput(some.map(({ sha }) => sha)),
    );
    const counter = createLineCounter(open, own);
    await orMissing(splitStream(diff, newline, counter.line));
    counter.end();
  }
  return own;
}

const newline = 10;
const denseDiff = [
  ...["diff-tree", "--stdin", "-r", "--cc", "-U0", "--full-index", "--no-color"],
  ...["--no-ext-diff", "--no-textconv"],
];

/** Parses combined diffs: a column for each parent, with a plus for what it lacks and a minus for what only it has. */
function createLineCounter(
  open: ReadonlyMap<string, ListedMerge>,
  own: Map<string, readonly FileChange[]>,
) {
  let merge: ListedMerge | undefined;
  let files: FileChange[] = [];
  let file: MergedFile | undefined;
  let [isHunk, added, deleted, columns, named] = [false, 0, 0, 0, ""];
  const endFile = (): void => {
    if (merge && file && added + deleted > 0) {
      const { path, absent } = file;
      const isNew = absent.length === merge.parents.length;
      files.push({ ...ofMerge, path, isNew, added, deleted });
    }
    file = undefined;
    [isHunk, added, deleted] = [false, 0, 0];
  };
  const endMerge = (): void => {
    endFile();
    if (merge && files.length > 0) own.set(merge.sha, files);
    files = [];
  };
  const takeLine = (token: Buffer): void => {
    if (token[0] === at) return;
    let [plus, minus] = [true, true];
    for (let column = 0; column < columns; column++) {
      if (token[column] !== 43) plus = false;
      if (token[column] !== 45 && !file?.absent.includes(column)) minus = false;
    }
    if (plus) added += 1;
    else if (minus) deleted += 1;
  };
  return {
    line(token: Buffer): void {
      const first = token[0];
      if (isHunk && (first === 32 || first === 43 || first === 45 || first === at)) {
        takeLine(token);
        return;
      }
      const text = token.toString("latin1");
      if (text.startsWith(header)) {
        endFile();
        named = decodeGitText(token.subarray(header.length));
      } else if (text.startsWith("index ")) {
        const [, content = ""] = text.slice(6).split("..");
        columns = merge?.parents.length ?? 0;
        const same = (merge?.files ?? []).filter((one) => content.startsWith(one.content));
        // Git writes some paths in quotes.
        file = same.find((one) => one.path === named) ?? same[0];
      } else if (text.startsWith("@@@")) isHunk = true;
      else if (isId.test(text)) {
        endMerge();
        merge = open.get(text);
      }
    },
    end: endMerge,
  };
}

const at = 64;
const header = "diff --cc ";
const isId = /^[0-9a-f]{40,64}$/;
const ofMerge = {
  ...{ from: undefined, isEdited: false, isRegular: true, before: "", after: "" },
} as const;
