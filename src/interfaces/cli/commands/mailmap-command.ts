/** `mailmap`: a change of a repository's mailmap that shows each person under one name and address, as a diff. */
import { Command } from "commander";
import type { DataFolder } from "../../../appliance/appliance.ts";
import { Fault } from "../../../contract/fault.ts";
import { type KnownClone, proposeMailmap } from "../../../ingest/ingest.ts";
import { chooseSource, openAnswers } from "../answer-source.ts";
import { type CliContext, createUsageFault, type Flags } from "../cli-context.ts";
import { createConfigOption, createSettingOption } from "../setting-options.ts";

export function createMailmapCommand(context: CliContext): Command {
  return new Command("mailmap")
    .summary("Propose rows for .mailmap that show each person under one name and address")
    .description(
      "Prints a diff of .mailmap for `git apply`. Its rows unite the names and addresses that are certainly one person; what " +
        "Roster only suggests is in comments. Existing rows stay as they are. Inside a clone it needs no data folder.",
    )
    .option(
      "--repository <NAME>",
      "which repository of the data folder: name, owner/name or forge/owner/name",
    )
    .addOption(createSettingOption("data"))
    .addOption(createConfigOption())
    .addHelpText(
      "after",
      "\nExamples:\n  roster mailmap | git apply\n  roster mailmap --data ~/roster-data --repository acme/payments",
    )
    .action(async (flags: Flags) => {
      const source = await chooseSource(context, flags);
      if (source.kind === "service") {
        throw createUsageFault("mailmap reads the repository: name the data folder with --data");
      }
      const propose = (folder: DataFolder) => printProposal(folder, context, flags);
      await openAnswers(context, { flags, source }, propose, { search: false });
    });
}

async function printProposal(
  { modules, findLedger, identityFiles }: DataFolder,
  context: CliContext,
  flags: Flags,
): Promise<void> {
  const { terminal, signal } = context;
  const ledger = findLedger();
  const clone = chooseClone(ledger?.places() ?? [], flags["repository"]);
  if (!ledger || !clone) throw new Fault("not_found", "no repository was read here");
  const { timeoutMs, gitMemoryMiB: memoryMiB } = context.config(flags).ingest;
  const { diff, head, before, after, rows, suggestions, unclear } = await proposeMailmap({
    ...{ clone, ledger, timeoutMs, memoryMiB, signal },
    ...{ pool: modules.pool, files: identityFiles() },
    asOf: ledger.applied()?.asOf ?? context.asOf(flags),
  });
  const notes = [
    rows > 0
      ? `${before} names with addresses become ${after} in git shortlog -sne HEAD, by ${rows} rows.`
      : `Nothing to propose: git shortlog -sne HEAD shows ${before} names with addresses.`,
    suggestions > 0 && `${suggestions} more rows are comments.`,
    unclear > 0 && `${unclear} unclear.`,
    head !== clone.head && `HEAD moved.`,
  ];
  if (diff) terminal.bytes(diff);
  terminal.note(...notes.filter((note) => typeof note === "string"));
}

function chooseClone(
  places: readonly KnownClone[],
  asked: unknown,
): (KnownClone & { readonly directory: string }) | undefined {
  return places
    .flatMap((place) => (place.directory === null ? [] : { ...place, directory: place.directory }))
    .filter(({ name, isLeaving }) => !isLeaving && (asked === undefined || name === asked))
    .sort((a, b) => b.latest - a.latest)[0];
}
