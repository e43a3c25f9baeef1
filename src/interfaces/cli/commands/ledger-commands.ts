import { Command } from "commander";
import type { DataFolder } from "../../../appliance/appliance.ts";
import { Fault } from "../../../contract/fault.ts";
import { formatReading, isStale } from "../../../contract/people/history-end.ts";
import {
  type GitIngest,
  type GitIngestReport,
  ingestGit,
  type KnownClone,
  listLocations,
  type RepositorySummary,
  readSummary,
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
      "Lists every known repository with its path, its last commit and the time of the last read. If the last run did not " +
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
        ["path", ({ path }) => path],
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
        "pool. The repository itself does not change.",
    )
    .argument("<repository>", "name or path as `ingest list` shows it");
  context.countingOptions(command.addOption(createRemovalsOption()));
  command.addHelpText("after", "\nExample:\n  roster ingest forget example/tool");
  return context.useFolder(command, async (folder, flags, repository) => {
    const { ledger, identityFiles } = folder;
    // Reads the identity files first, so that invalid files stop the command before it removes the repository.
    const files = identityFiles();
    const known = ledger();
    const clones = listLocations(known).filter((place) =>
      [place.name, formatPath(place), readSummary(known, place)?.name].includes(repository),
    );
    if (clones.length === 0) {
      const message = `no repository "${repository}" is known; \`roster ingest list\` shows all`;
      throw new Fault("not_found", message);
    }
    const report = await recountPeople(context, folder, context.asOf(flags), {
      files,
      forgetting: clones.map(({ id }) => id),
      canRemoveMany: Boolean(flags["allowRemovals"]),
    });
    context.terminal.note(`forgotten: ${clones.map(formatPath).join(", ")}`);
    showIngest(context.terminal, report, Boolean(flags["json"]));
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
