import { Command } from "commander";
import {
  type DataFolder,
  findConfiguredSource,
  refreshSources,
} from "../../../appliance/appliance.ts";
import { Fault, isFault } from "../../../contract/fault.ts";
import { forgetForge, type KnownSource, listSources } from "../../../ingest/ingest.ts";
import type { CliContext, Flags } from "../cli-context.ts";
import { createIngest } from "../read-git.ts";
import { addReadingLimits, createRemovalsOption } from "../setting-options.ts";
import { printRows } from "../table.ts";
import { printResult } from "../terminal.ts";
import { createWalkDisplay, noteUnfinished, showForge } from "./forge-command.ts";

export function createSourcesCommand(context: CliContext): Command {
  return new Command("sources")
    .summary("Show, refresh and remove forges that are read")
    .addCommand(createListCommand(context))
    .addCommand(createRefreshCommand(context))
    .addCommand(createForgetCommand(context));
}

function createListCommand(context: CliContext): Command {
  const command = new Command("list")
    .summary("List the forges, and when each was read")
    .description(
      "Lists the forges that the settings name under [[sources]], and all that were read before: the time of the last complete " +
        "read, the number of people and repositories, and the last fault.",
    );
  context.commonOptions(command);
  command.addHelpText("after", "\nExample:\n  roster sources list");
  return context.readFolder(command, async ({ findForges }, flags) => {
    const { sources } = context.config(flags);
    const known = listSources(findForges());
    const unasked = sources.filter(({ id }) => !known.some((one) => one.id === id));
    const rows = [...known, ...unasked.map(({ id, kind, url }) => ({ id, kind, url }))].map(toRow);
    printRows(context.terminal, flags, rows, {
      empty: "no forge is named in the settings, and none was ever read",
      columns: [
        ["id", ({ id }) => id],
        ["kind", ({ kind }) => kind],
        ["url", ({ url }) => url],
        ["read whole", ({ completedAt }) => completedAt ?? "never"],
        ["people", ({ people }) => String(people)],
        ["repositories", ({ repositories }) => String(repositories)],
        ["state", describeState],
      ],
    });
  });
}

type SourceRow = Pick<KnownSource, "id" | "kind" | "url"> & Partial<KnownSource>;

function toRow({ selections: _, openSteps: __, ...source }: SourceRow) {
  return { people: 0, repositories: 0, ...source };
}

function describeState({ pausedUntil, lastRun }: ReturnType<typeof toRow>): string {
  if (pausedUntil !== undefined) return `waits until ${pausedUntil}`;
  return lastRun?.fault ?? "";
}

function createRefreshCommand(context: CliContext): Command {
  const command = new Command("refresh")
    .summary("Read the forges of the settings now")
    .description(
      "Reads one source of [[sources]], or all of them at the same time. A server does this by itself. Unchanged people are " +
        "not recalculated.",
    )
    .argument("[id]", "id of the source (default: all sources)")
    .addOption(createRemovalsOption());
  addReadingLimits(context.quietOption(context.countingOptions(command)));
  command.addHelpText("after", "\nExample:\n  roster sources refresh corp");
  return command.action(async (id: string | undefined, flags: Flags) => {
    const config = context.config(flags);
    const ids = id === undefined ? config.sources.map((source) => source.id) : [id];
    if (ids.length === 0) {
      throw new Fault("not_found", "The settings file names no forge under [[sources]].");
    }
    const sources = ids.map((one) => findConfiguredSource(config, one));
    const refresh = async (folder: DataFolder) => {
      const refreshed = await context.withProgress((show) => {
        const showWalk = createWalkDisplay(show, ids.length);
        const { timeoutMs, gitMemoryMiB: memoryMiB } = config.ingest;
        const requests = sources.map(({ source, access }) => ({
          ...{ source, access, timeoutMs, memoryMiB, onProgress: showWalk },
          ...{ now: context.wiring.now, asOf: context.asOf(flags) },
          ...{ canRemoveMany: Boolean(flags["allowRemovals"]), signal: context.signal },
        }));
        return refreshSources(folder, requests);
      }, folder.modules.pool);
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
    if (outcome.status === "fulfilled") showForge(context, flags, outcome.value);
  }
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
    .summary("Remove a forge and all facts that came from it")
    .description(
      "Removes a forge's data and recalculates the people it described. People without another source leave the pool. The " +
        "forge is not contacted. Remove it from [[sources]] as well: otherwise it is read again.",
    )
    .argument("<id>", "id of the source")
    .addOption(createRemovalsOption());
  context.countingOptions(command);
  command.addHelpText("after", "\nExample:\n  roster sources forget corp");
  return context.useFolder(command, async (folder, flags, id = "") => {
    const asOf = context.asOf(flags);
    const imported = await forgetForge({
      ...createIngest(context, folder, asOf),
      ...{ id, forges: folder.findForges(), now: context.wiring.now },
      canRemoveMany: Boolean(flags["allowRemovals"]),
    });
    const { replaced, removed } = imported;
    printResult(context.terminal, flags, { source: id, ...imported }, () =>
      context.terminal.result(`${id} is forgotten: ${replaced} replaced, ${removed} removed`),
    );
  });
}
