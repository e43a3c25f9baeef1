/** Reads which files a change touches and who made it: the output of git, or of anything that lists paths, one a line. */
import { readFile } from "node:fs/promises";
import { Option } from "commander";
import { readChangeAuthors } from "../../contract/diff-authors.ts";
import { readChangedPaths } from "../../contract/diff-paths.ts";
import { Fault } from "../../contract/fault.ts";
import { limits } from "../../contract/limits.ts";
import { readStandardInput } from "../../contract/standard-input.ts";
import { createUsageFault } from "./cli-context.ts";
import type { ExtraOption } from "./operation-command.ts";

/** What the command `who` takes besides the fields of its operation. */
export const diffOption: ExtraOption = {
  option: new Option(
    "--diff <file>",
    "The change to review: git diff's output, or paths, one a line; - reads standard input.",
  ),
  async read(file, raw, signal) {
    const text = await readText(file, signal);
    const paths = [...listStated(raw["paths"]), ...readChangedPaths(text)];
    const most = limits.pathsMax;
    if (paths.length > most) {
      throw createUsageFault(`--diff: ${paths.length} files; at most ${most} can be asked for`);
    }
    // Nobody has to look at a change of nothing, wherever it is.
    if (paths.length === 0) return { paths };
    const stated = listStated(raw["exclude"]);
    const left = Math.max(0, limits.withoutMax - stated.length);
    const exclude = [...stated, ...readChangeAuthors(text).slice(0, left)];
    return { ...raw, paths, ...(exclude.length > 0 && { exclude }) };
  },
};

function listStated(paths: unknown): readonly unknown[] {
  return Array.isArray(paths) ? paths : [];
}

async function readText(file: string, signal: AbortSignal): Promise<string> {
  if (file === "-") {
    const text = await new Response(readStandardInput(signal)).text();
    if (signal.aborted) throw new Fault("interrupted", "Stopped while reading the change.");
    return text;
  }
  try {
    return await readFile(file, { encoding: "utf8", signal });
  } catch (error) {
    if (signal.aborted) throw new Fault("interrupted", "Stopped while reading the change.");
    throw createUsageFault(`--diff: ${(error as Error).message}`);
  }
}
