/**
 * Chooses the source of a command's data, in this order: a service or data folder that the user names, the data folder in the
 * current folder, the index of the git clone around the current folder.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DataFolder } from "../../appliance/appliance.ts";
import { isFolderNamed, isServiceNamed, readServiceAccess } from "../../config/config.ts";
import { Fault, isFault } from "../../contract/fault.ts";
import { listLocations } from "../../ingest/ingest.ts";
import type { CliContext, CommandResult, Flags } from "./cli-context.ts";
import { keepForgotten, openCloneCache } from "./clone/clone-cache.ts";
import { type FoundClone, findClone } from "./clone/find-clone.ts";
import { readGit } from "./read-git.ts";

export type AnswerSource =
  | { readonly kind: "service" | "folder"; readonly name: string }
  | { readonly kind: "clone"; readonly clone: FoundClone };

/** Chooses the source and prints its name. @throws Fault `nothing_here` if there is no source. */
export async function chooseSource(
  context: Pick<CliContext, "wiring" | "config" | "terminal">,
  flags: Flags,
): Promise<AnswerSource> {
  const source = await findSource(context, flags);
  const name = source.kind === "clone" ? `this clone, ${source.clone.top}` : source.name;
  context.terminal.note(`Source: ${name}`);
  return source;
}

async function findSource(
  { wiring, config }: Pick<CliContext, "wiring" | "config">,
  flags: Flags,
): Promise<AnswerSource> {
  const url = typeof flags["url"] === "string" ? flags["url"] : undefined;
  const isNamed = Boolean(flags["data"] || flags["config"]);
  if (url !== undefined || (!isNamed && isServiceNamed()))
    return {
      kind: "service",
      name: `the service ${readServiceAccess(url === undefined ? {} : { url }).url}`,
    };
  const cwd = wiring.cwd();
  const { data, database } = config(flags);
  const name = database.url === undefined ? `the data folder ${data}` : "the nodes' database";
  if (isNamed || isFolderNamed() || existsSync(join(cwd, data))) return { kind: "folder", name };
  const clone = await findClone(cwd);
  if (clone) return { kind: "clone", clone };
  throw new Fault("nothing_here", `${cwd} is not inside a git clone, and has no ${data}.`);
}

/** In a clone, adds the clone's repository to an input that names no repository, path or package. @returns the input. */
export function addRepository<Input extends object>(
  input: Input,
  { kind }: AnswerSource,
  { ledger }: Pick<DataFolder, "ledger">,
): Input {
  const isElse = ["repository", "path", "paths", "package"].some((field) => field in input);
  const [own] = kind === "clone" && !isElse ? listLocations(ledger()) : [];
  return own ? { ...input, repository: own.name } : input;
}

export async function openAnswers(
  context: CliContext,
  { flags, source }: { readonly flags: Flags; readonly source: AnswerSource },
  use: (folder: DataFolder) => CommandResult,
  { search, isReading = true }: { readonly search: boolean; readonly isReading?: boolean },
): Promise<void> {
  if (source.kind !== "clone") return context.withModules(flags, use, { search, isReading });
  const { clone } = source;
  const data = openCloneCache(clone, context.wiring.now());
  const own = { ...flags, data };
  const answer = async (folder: DataFolder) => {
    await readClone(context, folder, own, clone);
    if (search) await folder.modules.search.start();
    const receipts = async () => (await folder.modules.pool.erasing.receipts()).length;
    const before = isReading ? 0 : await receipts();
    const ended = await use(folder);
    if (!isReading && (await receipts()) > before) keepForgotten(data);
    return ended;
  };
  await context.withModules(own, answer, { create: true });
}

/** Reads new commits into the index of a clone. If another command is reading them, this function does not wait. */
async function readClone(
  context: CliContext,
  folder: DataFolder,
  flags: Flags,
  { repository }: FoundClone,
): Promise<void> {
  const { terminal } = context;
  try {
    const paths = [repository];
    const report = await readGit(context, folder, flags, {
      ...{ paths, canRemoveMany: true, keepsBranches: true },
    });
    const [refused] = report.refused;
    const isKnown = listLocations(folder.ledger()).length > 0;
    if (refused && !isKnown) throw new Fault("refused", `${refused.reason} ${refused.remedy}`);
    if (refused)
      terminal.note(`New commits could not be read: ${refused.reason} ${refused.remedy}`);
    const lacks = report.summaries[0]?.lacks;
    if (lacks) terminal.note(`${lacks.reason} ${lacks.remedy}`);
  } catch (error) {
    if (!isFault(error, "import_running") || listLocations(folder.ledger()).length === 0)
      throw error;
    terminal.note("Another command is reading new commits. This answer does not include them yet.");
  }
}
