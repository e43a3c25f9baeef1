/** Reads which files a change touches: the output of `git diff`, or of anything that lists paths, one a line. */
import { readFile } from "node:fs/promises";
import { Option } from "commander";
import { Fault } from "../../contract/fault.ts";
import { limits } from "../../contract/limits.ts";
import { readStandardInput } from "../../contract/standard-input.ts";
import { createUsageFault } from "./cli-context.ts";
import { decodeQuoted, readDiffPaths } from "./diff-paths.ts";
import type { ExtraOption } from "./operation-command.ts";

/** What the command `who` takes besides the fields of its operation. */
export const diffOption: ExtraOption = {
  option: new Option(
    "--diff <file>",
    "The change to review: git diff's output, or paths, one a line; - reads standard input.",
  ),
  async read(file, raw, signal) {
    const paths = [...listStated(raw["paths"]), ...readChangedPaths(await readText(file, signal))];
    if (paths.length === 0) throw createUsageFault("--diff: no file is changed in it");
    const most = limits.pathsMax;
    if (paths.length > most) {
      throw createUsageFault(`--diff: ${paths.length} files; at most ${most} can be asked for`);
    }
    return { ...raw, paths };
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

/** @returns the paths before and after the change, each once: people who know a moved file by its old path can review it. */
export function readChangedPaths(text: string): readonly string[] {
  const paths = readDiffPaths(text) ?? readList(text);
  return [...new Set(paths)].filter((path) => path !== "");
}

/** As `git diff --name-only` lists them, which quotes some; with -z they stand as they are. */
function readList(text: string): readonly string[] {
  if (text.includes("\0")) return text.split("\0");
  return text.split("\n").map((line) => decodeQuoted(line.trim()));
}
