/**
 * One pass of `git log` over everything HEAD reaches, parsed from bytes as they come: a commit is
 * handed on and forgotten. Mailmap is git's own business (%aN, %aE), so the figures agree with git's.
 */
import { decodeGitText, type Git } from "../git-command.ts";
import type { LoggedCommit } from "./logged-commit.ts";
import { parseLog } from "./parse-log.ts";

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
