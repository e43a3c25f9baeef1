/** Reads which files a change touches: the output of `git diff`, or of anything that lists paths, one a line. */
import { readFileSync } from "node:fs";
import { Option } from "commander";
import parseDiff from "parse-diff";
import { limits } from "../../contract/limits.ts";
import { createUsageFault } from "./cli-context.ts";
import type { ExtraOption } from "./operation-command.ts";

/** What the command `who` takes besides the fields of its operation. */
export const diffOption: ExtraOption = {
  option: new Option(
    "--diff <file>",
    "The change to review: git diff's output, or paths, one a line; - reads standard input.",
  ),
  read(file, raw) {
    const paths = [...listStated(raw["paths"]), ...readChangedPaths(readText(file))];
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

function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw createUsageFault(`--diff: ${(error as Error).message}`);
  }
}

/** @returns the paths before and after, each once: whoever knows a file that moves can review it. */
export function readChangedPaths(text: string): readonly string[] {
  const isDiff = /^(diff --git |--- |\+\+\+ )/m.test(text);
  const paths = isDiff
    ? parseDiff(text).flatMap(({ from = "", to = "" }) => [from, to].map(unquote))
    : text.split(/[\n\0]/).map((line) => line.trim());
  return [...new Set(paths)].filter((path) => path !== "" && path !== "/dev/null");
}

/** Git writes bytes outside ASCII, quotes and strokes of paths as C does. */
function unquote(path: string): string {
  if (!path.includes("\\")) return path;
  const bytes: number[] = [];
  const pattern = /\\([0-7]{3}|[abtnvfr"\\])|[^\\]|\\/gu;
  for (const [whole, code] of path.matchAll(pattern)) {
    if (code === undefined) bytes.push(...new TextEncoder().encode(whole));
    else if (code.length === 3) bytes.push(Number.parseInt(code, 8));
    else bytes.push("abtnvfr".includes(code) ? 7 + "abtnvfr".indexOf(code) : code.charCodeAt(0));
  }
  return Buffer.from(bytes).toString("utf8");
}
