/** Proposes a diff of `.mailmap` that gives each person one name and address. */
import { Command } from "commander";
import type { DataFolder } from "../../../appliance/appliance.ts";
import { Fault } from "../../../contract/fault.ts";
import {
  type KnownClone,
  listLocations,
  proposeMailmap,
  readApplied,
} from "../../../ingest/ingest.ts";
import { chooseSource, openAnswers } from "../answer-source.ts";
import { type CliContext, createUsageFault, type Flags } from "../cli-context.ts";
import { createConfigOption, createSettingOption } from "../setting-options.ts";
import { noteAll } from "../terminal.ts";

export function createMailmapCommand(context: CliContext): Command {
  return new Command("mailmap")
    .summary("Propose rows for .mailmap, so that git shows each person once")
    .description(
      "Prints a diff of .mailmap for `git apply`. Its rows show each person under one name and address. Joins that are certain " +
        "become rows; others become comments. Existing lines stay as they are.",
    )
    .option("--repository <NAME>", "a repository of the data folder (default: the only one)")
    .addOption(createSettingOption("data"))
    .addOption(createConfigOption())
    .addHelpText(
      "after",
      "\nExamples:\n  roster mailmap | git apply\n  roster mailmap --data ~/roster-data --repository acme/payments",
    )
    .action(async (flags: Flags) => {
      const source = await chooseSource(context, flags);
      if (source.kind === "service") {
        throw createUsageFault("mailmap works only on a data folder: name one with --data");
      }
      const propose = (folder: DataFolder) => printProposal(folder, context, flags);
      await openAnswers(context, { flags, source }, propose, { search: false });
    });
}

async function printProposal(
  { modules, ledger: openLedger, findLedger, identityFiles }: DataFolder,
  context: CliContext,
  flags: Flags,
): Promise<void> {
  const { terminal, signal } = context;
  const clone = chooseClone(listLocations(findLedger()), flags["repository"]);
  const ledger = openLedger();
  const { timeoutMs, gitMemoryMiB: memoryMiB } = context.config(flags).ingest;
  const { diff, head, before, after, rows, suggestions, unclear } = await proposeMailmap({
    ...{ clone, ledger, timeoutMs, memoryMiB, signal },
    ...{ pool: modules.pool, files: identityFiles() },
    asOf: readApplied(ledger)?.asOf ?? context.asOf(flags),
  });
  if (diff) terminal.bytes(diff);
  noteAll(terminal, [
    !diff && `Nothing to propose for .mailmap of ${clone.name}.`,
    rows > 0 &&
      `New rows: ${rows}. With them, git shortlog -sne HEAD shows ${after} authors instead of ${before}.`,
    suggestions > 0 &&
      `Suggestions: ${suggestions}, as comments. Remove "# perhaps: " where one is right.`,
    unclear > 0 &&
      `People left out: ${unclear}. .mailmap shows them in several ways, or no row can unite them.`,
    head !== clone.head &&
      `HEAD of ${clone.name} has moved since its history was read: \`roster ingest git ${clone.path}\` reads it.`,
  ]);
}

/** @returns the clone with the latest commit of the named repository. Without a name, only one repository may be known. */
function chooseClone(places: readonly KnownClone[], wanted: unknown): KnownClone {
  const known = places.filter(({ name, forge, directory }) => {
    const names = [undefined, name, `${forge}/${name}`, name.slice(name.lastIndexOf("/") + 1)];
    return directory !== null && names.some((each) => each === wanted);
  });
  const names = new Set(known.map(({ forge, name }) => (forge ? `${forge}/${name}` : name)));
  if (names.size > 1)
    throw createUsageFault(`name one of these with --repository: ${[...names].join(", ")}`);
  const [latest] = known.sort((a, b) => b.latest - a.latest);
  if (latest) return latest;
  throw new Fault("not_found", `no repository${wanted ? ` ${wanted}` : ""} was read here`);
}
