/**
 * One pass of `git log` over everything HEAD reaches, parsed from bytes as they come: a commit is
 * handed on and forgotten. Mailmap is git's own business (%aN, %aE), so the figures agree with git's.
 */
import { decodeGitText, type Git } from "../git-command.ts";
import { parseLog } from "./parse-log.ts";

/** An author as the log spells it; one object per spelling and pass, so it can be a key. */
export interface Signature {
  /** After the mailmap. */
  readonly name: string;
  readonly email: string;
  /** As the commit says. */
  readonly rawEmail: string;
  /** `name <email>` after the mailmap, one character per byte: what `git shortlog -se` groups by. */
  readonly line: string;
}

export interface LoggedCommit {
  readonly sha: string;
  readonly parents: number;
  /** Author date in seconds since 1970; NaN when git could not read one. */
  readonly seconds: number;
  /** Committer date, likewise. */
  readonly committedSeconds: number;
  readonly author: Signature;
  /** Values of Co-authored-by trailers, as written. */
  readonly coAuthors: readonly string[];
  readonly message: string;
  readonly files: readonly FileChange[];
}

export interface FileChange {
  readonly path: string;
  /** Where it was before, when renamed or copied. */
  readonly from: string | undefined;
  readonly added: number;
  readonly deleted: number;
  readonly isNew: boolean;
  /** Only its content changed: not new, gone, renamed, or of another mode. */
  readonly edited: boolean;
  /** A regular file: no link and no submodule. */
  readonly regular: boolean;
  /** Names of its contents; empty where there is none. */
  readonly before: string;
  readonly after: string;
}

const trailers = "%(trailers:key=Co-authored-by,valueonly,separator=%x1f)";
const format = `%H%x00%P%x00%at%x00%ct%x00%aN%x00%aE%x00%ae%x00${trailers}%x00%B`;

/**
 * Reads the history of `head`, newest first, and calls `onCommit` for each commit.
 *
 * @param repository.since only what `head` has and this commit has not.
 * @throws Fault when git stops before the end; what was handed on must then be thrown away.
 */
export async function readLog(
  git: Git,
  repository: { readonly directory: string; readonly head: string; readonly since?: string },
  onCommit: (commit: LoggedCommit) => void,
): Promise<void> {
  const log = git.stream(repository.directory, [
    "log",
    "-z",
    "--raw",
    "--numstat",
    "-M",
    "--no-abbrev",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-notes",
    "-O/dev/null",
    `--format=${format}`,
    repository.head,
    ...(repository.since ? ["--not", repository.since] : []),
    "--",
  ]);
  const parser = parseLog(decodeGitText, onCommit);
  try {
    for await (const chunk of log.chunks) {
      parser.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    }
  } catch (error) {
    log.stop();
    await log.ended().catch(() => undefined);
    throw error;
  }
  await log.ended();
  parser.end();
}
