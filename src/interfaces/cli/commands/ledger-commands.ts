import { Command } from "commander";
import type { DataFolder } from "../../../appliance/appliance.ts";
import { Fault } from "../../../contract/fault.ts";
import { isGitAddress, parseGitAddress } from "../../../contract/git-address.ts";
import { formatReading, isStale } from "../../../contract/people/history-end.ts";
import {
  type GitIngest,
  type GitIngestReport,
  getAddressHome,
  ingestGit,
  type KnownClone,
  listAddressMirrors,
  listLocations,
  type RepositorySummary,
  readSummary,
  removeMirrors,
} from "../../../ingest/ingest.ts";
import type { CliContext } from "../cli-context.ts";
import { createIngest } from "../read-git.ts";
import { createRemovalsOption } from "../setting-options.ts";
import { printRows } from "../table.ts";
import { showIngest } from "./show-ingest.ts";

export function createListRepositoriesCommand(context: CliContext): Command {
  const command = new Command("list")
    .summary("Show the known repositories")
    .description(
      "Lists every known repository with its path or address, its last commit and the time of the last read. If the last run did not " +
        "read a repository, the list says why and since when. A star after the last commit means that the history ended " +
        "long ago, so Roster does not say who is active. The notes column counts the git-ai notes whose commit is in the repository.",
    );
  context.commonOptions(command);
  return context.readFolder(command, async ({ ledger }, flags) => {
    const today = context.wiring.now().toISOString().slice(0, 10);
    const known = ledger();
    const rows = listLocations(known).map((place) =>
      toRow(place, readSummary(known, place), today),
    );
    printRows(context.terminal, flags, rows, {
      empty: "no repository was read yet",
      columns: [
        ["name", ({ name }) => name],
        ["path or address", ({ path }) => path],
        ["tip", ({ tip }) => tip.slice(0, 12)],
        ["state", ({ leftOut }) => formatReading(leftOut)],
        ["read at", ({ readAt }) => readAt],
        [
          "newest commit",
          ({ lastCommit, isStale: old }) => `${lastCommit ?? ""}${old ? " *" : ""}`,
        ],
        ["commits", ({ commits }) => String(commits)],
        ["people", ({ people }) => String(people ?? "")],
        ["notes", ({ notes }) => (notes ? countNotes(notes) : "")],
      ],
    });
    for (const { path, leftOut } of flags["json"] ? [] : rows) {
      if (leftOut) context.terminal.note(`${path}: ${leftOut.reason} ${leftOut.remedy}`);
    }
  });
}

/** Formats the path of a repository: `/srv/tool`, or `/srv/tool (replaced)` if another repository is there now. */
function formatPath({ path, directory }: KnownClone): string {
  return directory === null ? `${path} (replaced)` : path;
}

function toRow(place: KnownClone, counted: RepositorySummary | undefined, today: string) {
  const { head, readAt, leftOut, commits } = place;
  const path = formatPath(place);
  // `counted` is undefined if the run ended before it counted the repository.
  const { name = place.name, people, lastCommit, notes } = counted ?? {};
  const isOld = lastCommit !== undefined && isStale(lastCommit, today);
  const reading = { state: leftOut?.state ?? "read", leftOut, tip: head, readAt };
  return { name, path, ...reading, lastCommit, isStale: isOld, commits, people, notes };
}

/** @returns `3 of 5` if 3 of 5 git-ai notes are believed, and `5` if all 5 notes are believed. */
function countNotes({
  assisted,
  unassisted,
  lines: _,
  ...others
}: NonNullable<RepositorySummary["notes"]>): string {
  const believed = assisted + unassisted;
  const all = Object.values(others).reduce((sum, some) => sum + some, believed);
  return believed === all ? String(all) : `${believed} of ${all}`;
}

export function createForgetRepositoryCommand(context: CliContext): Command {
  const command = new Command("forget")
    .summary("Remove a repository and all facts that came from it")
    .description(
      "Removes a repository's data and recalculates everyone who worked on it. People without another source leave the " +
        "pool. The repository itself does not change; the mirror of an address is removed.",
    )
    .argument("<repository>", "name, path or address as `ingest list` shows it");
  context.countingOptions(command.addOption(createRemovalsOption()));
  command.addHelpText("after", "\nExample:\n  roster ingest forget example/tool");
  return context.useFolder(command, async (folder, flags, repository) => {
    const { ledger, identityFiles } = folder;
    // Reads the identity files first, so that invalid files stop the command before it removes the repository.
    const files = identityFiles();
    const known = ledger();
    const home = getAddressHome(context.config(flags).data);
    const mirrors = listAddressMirrors(home);
    const address = isGitAddress(repository) && parseGitAddress(repository, ["http", "file"]);
    const mirror = mirrors.find((one) => address && one.address.place === address.place);
    const named = mirror?.path ?? repository;
    const clones = listLocations(known).filter((clone) => {
      const { name, directory } = clone;
      return [name, formatPath(clone), directory, readSummary(known, clone)?.name].includes(named);
    });
    const left = new Set([named, ...clones.map(({ directory }) => directory)]);
    const leaving = mirrors.filter(({ path }) => left.has(path));
    if (clones.length + leaving.length === 0) {
      const message = `no repository "${repository}" is known; \`roster ingest list\` shows all`;
      throw new Fault("not_found", message);
    }
    context.noteRun({ kind: "forgetRepository", what: repository });
    const report = await recountPeople(context, folder, context.asOf(flags), {
      files,
      forgetting: clones.map(({ id }) => id),
      canRemoveMany: Boolean(flags["allowRemovals"]),
    });
    const access = { onProgress: context.terminal.note, signal: context.signal };
    const paths = leaving.map(({ path }) => path);
    await removeMirrors(home, paths, access);
    const names = clones.length > 0 ? clones.map(formatPath) : [repository];
    context.terminal.note(`forgotten: ${names.join(", ")}`);
    context.noteReport(showIngest(context.terminal, report, Boolean(flags["json"])));
  });
}

/** Recounts people without reading repositories. */
export function recountPeople(
  context: CliContext,
  folder: DataFolder,
  asOf: string,
  options: Partial<Pick<GitIngest, "files" | "forgetting" | "canRemoveMany" | "lock">> = {},
): Promise<GitIngestReport> {
  const ingest = createIngest(context, folder, asOf);
  return ingestGit({ ...ingest, paths: [], canRemoveMany: true, ...options });
}
