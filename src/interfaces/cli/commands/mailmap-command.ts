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
    .summary("Propose rows for .mailmap, so that git shows each person once")
    .description(
      "Prints a diff of .mailmap for `git apply`. New rows show each person under one name and address, where that is " +
        "certain. What is only likely becomes a comment. Existing lines stay as they are.",
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
        throw createUsageFault("mailmap reads the repository: name its data folder with --data");
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
  if (!ledger) throw new Fault("not_found", "no repository was read here");
  const { timeoutMs, gitMemoryMiB: memoryMiB } = context.config(flags).ingest;
  const { diff, head, before, after, rows, suggestions, unclear } = await proposeMailmap({
    ...{ clone, ledger, timeoutMs, memoryMiB, signal },
    ...{ pool: modules.pool, files: identityFiles() },
    asOf: ledger.applied()?.asOf ?? context.asOf(flags),
  });
  if (diff) terminal.bytes(diff);
  const notes = [
    !diff && `Nothing to propose for .mailmap of ${clone.name}.`,
    rows > 0 &&
      `New rows: ${rows}. With them, git shortlog -sne HEAD shows ${after} authors instead of ${before}.`,
    suggestions > 0 &&
      `Suggestions: ${suggestions}, as comments. Remove "# perhaps: " from those that are right.`,
    unclear > 0 &&
      `Left out: ${unclear} people whom no row can show once, or whom .mailmap shows in several ways.`,
    head !== clone.head &&
      `HEAD of ${clone.name} has moved since its history was read: \`roster ingest git ${clone.path}\` reads it.`,
  ];
  terminal.note(...notes.filter((note) => typeof note === "string"));
}

function chooseClone(places: readonly KnownClone[], asked: unknown) {
  const known = places.flatMap((place) => {
    const { name, forge, directory, isLeaving } = place;
    const isMeant = [undefined, name, `${forge}/${name}`, name.split("/").at(-1)].includes(
      asked as string,
    );
    return directory !== null && !isLeaving && isMeant ? [{ ...place, directory }] : [];
  });
  const [latest] = known.sort((a, b) => b.latest - a.latest);
  const names = new Set(known.map(({ forge, name }) => (forge ? `${forge}/${name}` : name)));
  if (names.size > 1) throw createUsageFault(`--repository says which: ${[...names].join(", ")}`);
  if (!latest) throw new Fault("not_found", `no repository ${asked ?? ""} was read here`);
  return latest;
}
