/** Reads the files and authors of a change from the output of git, or from a list of paths. */
import { readFile } from "node:fs/promises";
import { Option } from "commander";
import { readChangeAuthors } from "../../contract/diff-authors.ts";
import { readChangedPaths } from "../../contract/diff-paths.ts";
import { Fault } from "../../contract/fault.ts";
import { formatCounted } from "../../contract/format.ts";
import { limits } from "../../contract/limits.ts";
import { findEncoding } from "../../contract/marked-text.ts";
import { findCutPath } from "../../contract/path-list.ts";
import { readStandardInput } from "../../contract/standard-input.ts";
import { readBranchChange } from "../../ingest/ingest.ts";
import type { AnswerSource } from "./answer-source.ts";
import { type CliContext, createUsageFault } from "./cli-context.ts";
import { toRepositoryPath } from "./clone/find-clone.ts";

type Input = Record<string, unknown>;

/** The option and the arguments of the command `who` that are not fields of its operation. */
export const changeOptions = {
  argument: {
    name: "[paths...]",
    about: "a file or folder of this clone; several paths are the files of a change",
    /** @returns the changed input. @throws Fault `usage` for wrong arguments. */
    read(given: readonly string[], raw: Input, cwd: string, source: AnswerSource): Input {
      const paths = given.map((path) =>
        source.kind === "clone" ? toRepositoryPath(path, cwd, source.clone) : path,
      );
      const [path, ...others] = paths;
      if (path === undefined) return raw;
      if (raw["path"] !== undefined || raw["paths"] !== undefined)
        throw createUsageFault("paths are given twice: as arguments, and by --path or --paths");
      if (others.length > 0) return { ...raw, paths };
      return path === "" ? raw : { ...raw, path };
    },
  },
  option: new Option(
    "--diff [file]",
    "The change to review: the output of git diff, or paths, one a line; - is standard input. Without a file, in a clone: " +
      "the commits of its branch that the upstream or the default branch lacks.",
  ),
  /** @returns the changed input. @throws Fault `usage` for wrong input; Fault `interrupted` when the signal is aborted. */
  async read(file: string | true, raw: Input, source: AnswerSource, context: Reading) {
    const { signal } = context;
    const change = file === true ? await readOwnChange(source, context) : undefined;
    const text = change?.diff ?? (await readText(file as string, signal));
    const read = readChangedPaths(text);
    const paths = [...listStated(raw["paths"]), ...read];
    const cut = findCutPath(read);
    if (cut) throw createUsageFault(`--diff: ${cut}`);
    const most = limits.pathsMax;
    if (paths.length > most) {
      throw createUsageFault(`--diff has ${paths.length} files, and the limit is ${most}`);
    }
    // A change without files needs no reviewer.
    if (paths.length === 0) return { paths };
    const authors = [
      ...listStated(raw["authors"]),
      ...(change?.authors ?? readChangeAuthors(text)),
    ].slice(0, limits.withoutMax);
    return { ...raw, paths, ...(authors.length > 0 && { authors }) };
  },
};

type Reading = Pick<CliContext, "terminal" | "signal">;

/** Reads the commits of the clone's branch that are not upstream. @throws Fault `usage` outside of a clone. */
async function readOwnChange(source: AnswerSource, { terminal, signal }: Reading) {
  if (source.kind !== "clone")
    throw createUsageFault("--diff without a file works only in a clone: name a file here");
  const change = await readBranchChange(source.clone.top, signal);
  terminal.note(`Change: ${formatCounted(change.commits, "commit")} since ${change.base}`);
  return change;
}

function listStated(paths: unknown): readonly unknown[] {
  return Array.isArray(paths) ? paths : [];
}

/** Decodes UTF-8 or UTF-16. PowerShell writes UTF-16. */
const decode = (bytes: Uint8Array) => new TextDecoder(findEncoding(bytes)).decode(bytes);

async function readText(file: string, signal: AbortSignal): Promise<string> {
  if (file === "-") {
    const text = await new Response(readStandardInput(signal)).bytes();
    if (signal.aborted) throw new Fault("interrupted", "Stopped while reading the change.");
    return decode(text);
  }
  try {
    return decode(await readFile(file, { signal }));
  } catch (error) {
    if (signal.aborted) throw new Fault("interrupted", "Stopped while reading the change.");
    throw createUsageFault(`--diff: ${(error as Error).message}`);
  }
}
