/**
 * Reads everything reachable from HEAD in one pass of `git log`, parsing the bytes as they arrive; commits are passed
 * on and not kept. Git applies the mailmap itself (%aN, %aE), so the figures agree with git's.
 */
import { decodeGitText, type Git } from "../git-command.ts";
import type { LoggedCommit } from "./logged-commit.ts";
import { parseLog } from "./parse-log.ts";

const trailers = "%(trailers:key=Co-authored-by,valueonly,separator=%x1f)";
const format = `%H%x00%P%x00%at%x00%ct%x00%aN%x00%aE%x00%ae%x00${trailers}%x00%B`;

/**
 * Reads the history of `head`, newest first, and calls `onCommit` for each commit.
 *
 * @param repository.since leaves out this commit and everything reachable from it.
 * @throws Fault when git stops early; the commits passed on must then be discarded.
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
