/**
 * Runs `git log` and parses the bytes as they arrive; commits are passed on and not kept. Git applies the mailmap itself
 * (%aN, %aE), so the figures agree with git's.
 */
import { trailerKeys } from "../credit/trailers.ts";
import { decodeGitText, type Git } from "../git-command.ts";
import type { LoggedCommit } from "./logged-commit.ts";
import { parseLog } from "./parse-log.ts";

const trailers = `%(trailers:${trailerKeys.map((key) => `key=${key}`).join()},separator=%x1f)`;
const format = `%H%x00%P%x00%at%x00%ct%x00%aN%x00%aE%x00%ae%x00%cn%x00${trailers}%x00%B`;

/**
 * Reads the commits of a range, newest first, or these commits in their order.
 *
 * @throws Fault when git stops early; the last commit that it wrote is then not passed on.
 */
export async function runLog(
  git: Git,
  directory: string,
  what: { readonly options: readonly string[] } & (
    | { readonly range: readonly string[] }
    | { readonly shas: readonly string[] }
  ),
  onCommit: (commit: LoggedCommit) => void,
): Promise<void> {
  const isRange = "range" in what;
  if (!isRange && what.shas.length === 0) return;
  const log = git.stream(
    directory,
    [
      "log",
      "-z",
      "--no-abbrev",
      "--no-color",
      "--no-ext-diff",
      "--no-textconv",
      "--no-notes",
      "-O/dev/null",
      `--format=${format}`,
      ...what.options,
      ...(isRange ? [...what.range, "--"] : ["--stdin", "--no-walk=unsorted"]),
    ],
    isRange ? undefined : what.shas.map((sha) => `${sha}\n`).join(""),
  );
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
