/** The commands `cache` and `cache clear` list and remove the indexes of clones. */
import { Command } from "commander";
import { Fault } from "../../../contract/fault.ts";
import type { CliContext, Flags } from "../cli-context.ts";
import { type CloneIndex, listCloneIndexes, removeCloneIndex } from "../clone/clone-cache.ts";
import { findClone } from "../clone/find-clone.ts";
import { printTable } from "../table.ts";
import { printResult } from "../terminal.ts";

export function createCacheCommand(context: CliContext): Command {
  const command = new Command("cache")
    .summary("Show or clear the indexes that Roster made of clones")
    .description(
      "Lists the indexes that commands made for clones, in your cache folder. Roster removes an index after 90 days without " +
        "use, and the oldest ones when all take more than 4 GB. The next command in that clone makes it again.",
    )
    .option("--json", "machine-readable output");
  command.addCommand(createClearCommand(context));
  return command.action((flags: Flags) => {
    const indexes = listCloneIndexes();
    printResult(context.terminal, flags, { indexes: indexes.map(toShown) }, () => {
      if (indexes.length === 0) return context.terminal.note("No clone has an index.");
      printTable(
        context.terminal,
        ["clone", "used", "MB", "why it stays", "folder"],
        indexes.map((index) => [
          index.repository,
          index.usedAt.toISOString().slice(0, dayLetters),
          String(Math.ceil(index.bytes / 2 ** 20)),
          index.hasForgotten ? "a person was erased from it" : "",
          index.folder,
        ]),
      );
    });
  });
}

const dayLetters = 10;

const toShown = ({ usedAt, ...index }: CloneIndex) => ({ ...index, usedAt: usedAt.toISOString() });

function createClearCommand(context: CliContext): Command {
  return new Command("clear")
    .summary("Remove the index of one clone, or of all")
    .description(
      "Removes the index of a clone, or of all clones. An index from which a person was erased stays, because only that index knows to " +
        "leave the person out. To allow the person in again, remove the folder of that index by hand.",
    )
    .argument("[path]", "a folder in the clone whose index to remove (default: all clones)")
    .option("--json", "machine-readable output")
    .action(async (path: string | undefined, flags: Flags) => {
      const clone = path === undefined ? undefined : await findClone(path);
      if (path !== undefined && !clone)
        throw new Fault("not_found", `${path} is not in a git clone`);
      const meant = listCloneIndexes().filter(
        ({ repository }) => !clone || repository === clone.repository,
      );
      const removed = meant.filter(({ hasForgotten }) => !hasForgotten);
      for (const index of removed) removeCloneIndex(index);
      const remaining = meant.filter(({ hasForgotten }) => hasForgotten);
      const result = { removed: removed.map(toShown), kept: remaining.map(toShown) };
      printResult(context.terminal, flags, result, () => {
        context.terminal.note(`${removed.length} removed.`);
        for (const { folder } of remaining)
          context.terminal.note(`Not removed, because a person was erased from it: ${folder}`);
      });
    });
}
