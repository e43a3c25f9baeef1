import { Command, Option } from "commander";
import {
  type DataFolder,
  getSourceAddress,
  openSourceBook,
  refreshSources,
  removeSourceWithData,
  type SourceEntry,
} from "../../../appliance/appliance.ts";
import { Fault, isFault } from "../../../contract/fault.ts";
import { chooseJobs, type KnownSource, listSources } from "../../../ingest/ingest.ts";
import { type CliContext, createUsageFault, type Flags } from "../cli-context.ts";
import { toStep } from "../read-git.ts";
import { addSettings, createRemovalsOption, readingSettings } from "../setting-options.ts";
import { printRows } from "../table.ts";
import { printResult } from "../terminal.ts";
import { createWalkDisplay, noteUnfinished, showForge } from "./forge-command.ts";
import { showIngest } from "./show-ingest.ts";

export function createSourcesCommand(context: CliContext): Command {
  return new Command("sources")
    .summary("Show, refresh and remove what Roster reads by itself")
    .addCommand(createListCommand(context))
    .addCommand(createRefreshCommand(context))
    .addCommand(createForgetCommand(context));
}

function createListCommand(context: CliContext): Command {
  const command = new Command("list")
    .summary("List the sources, and when each was read")
    .description(
      "Lists the sources of the settings file and of the page, and all forges that were read before: the time of the last " +
        "complete read, the number of people and repositories, and the last fault.",
    );
  context.commonOptions(command);
  command.addHelpText("after", "\nExample:\n  roster sources list");
  return context.readFolder(command, async (folder, flags) => {
    const book = openSourceBook(context.config(flags), folder.control);
    const known = listSources(folder.findForges());
    const listed = (await book.list()).map((source) => toRow(source, known));
    const left = known.filter(({ id }) => !listed.some((one) => one.id === id));
    const rows = [...listed, ...left.map(({ selections: _, openSteps: __, ...one }) => one)];
    printRows(context.terminal, flags, rows, {
      empty:
        "there is no source: add one under [[sources]] in the settings file, or on the page /admin/sources",
      columns: [
        ["id", ({ id }) => id],
        ["kind", ({ kind }) => kind],
        ["address", ({ url }) => url],
        ["read whole", ({ completedAt }) => completedAt ?? "never"],
        ["people", ({ people }) => String(people)],
        ["repositories", ({ repositories }) => String(repositories)],
        ["state", describeState],
      ],
    });
  });
}

type RowFields = "id" | "url" | "people" | "repositories";

interface SourceRow
  extends Partial<Omit<KnownSource, RowFields | "kind">>,
    Pick<KnownSource, RowFields> {
  readonly kind: string;
  readonly reader?: string | undefined;
  readonly fault?: string | undefined;
}

function toRow(
  { id, settings, stored, reader }: SourceEntry,
  known: readonly KnownSource[],
): SourceRow {
  const { selections: _, openSteps: __, ...found } = known.find((one) => one.id === id) ?? {};
  return {
    ...{ id, kind: settings.kind, url: getSourceAddress(settings), people: 0, repositories: 0 },
    ...{ ...stored?.state, ...found, reader },
  };
}

function describeState({ pausedUntil, lastRun, fault, reader }: SourceRow): string {
  if (pausedUntil !== undefined) return `waits until ${pausedUntil}`;
  const state = lastRun?.fault ?? fault ?? "";
  return reader === undefined ? state : `read by ${reader}${state && `: ${state}`}`;
}

function createRefreshCommand(context: CliContext): Command {
  const several = (value: string, before: readonly string[] = []) => [...before, value];
  const command = new Command("refresh")
    .summary("Read sources now")
    .description(
      "Reads one source, or all of them at the same time. A server does this by itself. Unchanged people are not recalculated.",
    )
    .argument("[id]", "id of the source (default: all sources)")
    .option(
      "--repository <NAME>",
      "read only this repository of the source, whose lists are not read",
      several,
    )
    .addOption(createRemovalsOption());
  addSettings(context.quietOption(context.countingOptions(command)), readingSettings);
  command.addHelpText(
    "after",
    "\nExamples:\n  roster sources refresh corp\n  roster sources refresh corp --repository acme/tool",
  );
  return command.action(async (id: string | undefined, flags: Flags) => {
    const config = context.config(flags);
    const repositories = flags["repository"] as readonly string[] | undefined;
    if (id === undefined && repositories) {
      throw createUsageFault("--repository needs the id of its source");
    }
    const refresh = async (folder: DataFolder) => {
      const book = openSourceBook(config, folder.control);
      const sources = id === undefined ? await book.listOwn() : [await book.find(id)];
      if (sources.length === 0) {
        throw new Fault("not_found", "There is no source that this data folder reads.");
      }
      const what = sources.map((source) => source.id).join(", ");
      context.noteRun({ kind: "refresh", what, ...(id !== undefined && { source: id }) });
      const jobs = chooseJobs();
      const refreshed = await context.withProgress(
        (show) =>
          refreshSources(folder, sources, {
            ...{ config, repositories, onWalk: createWalkDisplay(show, sources.length) },
            onRead: (at) => show(toStep(at, jobs)),
            ...{ now: context.wiring.now, asOf: context.asOf(flags) },
            ...{ canRemoveMany: Boolean(flags["allowRemovals"]), signal: context.signal },
          }),
        folder.modules.pool,
      );
      showRefreshed(context, flags, refreshed);
    };
    await context.withModules(flags, refresh, { create: true });
  });
}

/** Shows the results of all sources, and then throws the first fault. */
function showRefreshed(
  context: CliContext,
  flags: Flags,
  { outcomes, unfinished }: Awaited<ReturnType<typeof refreshSources>>,
): void {
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") continue;
    if ("isComplete" in outcome.value) showForge(context, flags, outcome.value);
    else context.noteReport(showIngest(context.terminal, outcome.value, Boolean(flags["json"])));
  }
  if (outcomes.length > 1) context.noteReport({ sources: outcomes.length });
  noteUnfinished(context, unfinished);
  const [fault, ...others] = outcomes.flatMap((one) =>
    one.status === "rejected" ? [one.reason] : [],
  );
  for (const other of context.signal.aborted ? [] : others) {
    context.terminal.note(`roster: ${isFault(other) ? other.message : String(other)}`);
  }
  if (fault !== undefined) throw fault;
}

function createForgetCommand(context: CliContext): Command {
  const command = new Command("forget")
    .summary("Remove a source and all facts that came from it")
    .description(
      "Removes the data of a source, and recalculates the people it described. People without another source leave the pool. " +
        "No server is contacted. A source of the page is removed with its token. Remove one of the settings file from " +
        "[[sources]] as well: otherwise it is read again.",
    )
    .argument("<id>", "id of the source")
    .addOption(new Option("--by <ACCOUNT>").hideHelp())
    .addOption(createRemovalsOption());
  context.countingOptions(command);
  command.addHelpText("after", "\nExample:\n  roster sources forget corp");
  return context.useFolder(command, async (folder, flags, id = "") => {
    context.noteRun({ kind: "forgetSource", source: id });
    const imported = await removeSourceWithData(folder, id, {
      ...{ config: context.config(flags), now: context.wiring.now, asOf: context.asOf(flags) },
      ...{ signal: context.signal, canRemoveMany: Boolean(flags["allowRemovals"]) },
      by: String(flags["by"] ?? "operator"),
    });
    const { replaced, removed } = imported;
    context.noteReport(imported);
    printResult(context.terminal, flags, { source: id, ...imported }, () =>
      context.terminal.result(`${id} is forgotten: ${replaced} replaced, ${removed} removed`),
    );
  });
}
