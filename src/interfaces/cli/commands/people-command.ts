import { existsSync } from "node:fs";
import { basename } from "node:path";
import { Command, Option } from "commander";
import type { DataFolder } from "../../../appliance/appliance.ts";
import { describeMismatch } from "../../../contract/complaint.ts";
import { Fault } from "../../../contract/fault.ts";
import {
  ingestPeople,
  type PeopleFormat,
  type PeopleReading,
  type PeopleSummary,
  type PlannedRow,
  peopleColumns,
  removePeopleSource,
} from "../../../ingest/ingest.ts";
import { type CliContext, createUsageFault, type Flags } from "../cli-context.ts";
import { addSettings, modelSettings } from "../setting-options.ts";
import { printResult, type Terminal } from "../terminal.ts";

export function createIngestPeopleCommand(context: CliContext): Command {
  const command = new Command("people")
    .summary("Add places, companies, titles and addresses from a list of people")
    .description(
      "Adds facts from a list to people who are already in the pool. The list is CSV with column names, or JSONL; plain, gzip " +
        "or zstd. Each row names a person by login or by an e-mail address, even one that appears only in commits. A row that " +
        "matches nobody, or several people, is reported and not stored. The file replaces an earlier list of the same name.\n\n" +
        "Columns: email, login, name, location (or city, region, country), company, title, url, bio, hireable, " +
        "publishEmail.",
    )
    .argument("[file]", "the file; - is standard input")
    .option("--source <NAME>", "name of the list (default: the file's name without its ending)")
    .addOption(
      new Option("--format <FORMAT>", "csv or jsonl (default: by the file's ending)").choices(
        formats,
      ),
    )
    .addOption(
      new Option("--encoding <NAME>", "encoding of a CSV file (default: utf-8)").choices([
        ...["utf-8", "windows-1252", "utf-16le"],
      ]),
    )
    .option(
      "--map <NAME=COLUMN...>",
      "read a column as another one: Standort=location reads the column Standort as location",
    )
    .option("--strict", "refuse the whole file for one bad, repeated or ambiguous row")
    .option("--remove <NAME>", "remove all facts of the list with this name")
    .option("--dry-run", "show what would be done with each row, and write nothing");
  addSettings(command, modelSettings);
  context.quietOption(context.commonOptions(command));
  command.addHelpText(
    "after",
    "\nExamples:\n  roster ingest people hr.csv --dry-run\n  roster ingest people hr.csv\n" +
      "  roster ingest people hr.csv --encoding windows-1252 --map Standort=location Dienstpost=email\n" +
      "  ldap-export | roster ingest people - --format jsonl --source directory\n" +
      "  roster ingest people --remove hr",
  );
  return command.action(async (file: string | undefined, flags: Flags) => {
    const isRemoval = flags["remove"] !== undefined;
    if (isRemoval === (file !== undefined)) {
      throw createUsageFault(
        "ingest people needs one of: a file, - for standard input, --remove NAME",
      );
    }
    if (file === undefined) await removeSource(context, flags);
    else await addFile(context, file, flags);
  });
}

const formats: readonly PeopleFormat[] = ["csv", "jsonl"];

async function addFile(context: CliContext, file: string, flags: Flags): Promise<void> {
  const format = readFormat(file, flags["format"]);
  const source = readSource(flags["source"] ?? nameSource(file));
  const reading = readReading(flags);
  if (file !== "-" && !existsSync(file)) throw new Fault("not_found", `${file} does not exist.`);
  const isDryRun = flags["dryRun"] === true;
  const read = async ({ modules, judge }: DataFolder) => {
    if (!isDryRun) context.noteRun({ kind: "people", what: source });
    const summary = await context.withProgress(
      (show) =>
        ingestPeople(file, format, {
          pool: modules.pool,
          judge,
          source,
          reading,
          ...{ strict: flags["strict"] === true, isDryRun },
          signal: context.signal,
          onProgress: (at) => show({ ...at, unit: "people" }),
        }),
      isDryRun ? undefined : modules.pool,
    );
    context.noteReport(summary);
    showPeople(context, flags, summary);
  };
  await context.withModules(flags, read, { isReading: isDryRun });
}

async function removeSource(context: CliContext, flags: Flags): Promise<void> {
  const source = readSource(flags["remove"]);
  const isDryRun = flags["dryRun"] === true;
  const remove = async ({ modules, judge }: DataFolder) => {
    if (!isDryRun) context.noteRun({ kind: "people", what: source });
    const options = { pool: modules.pool, judge, source, isDryRun, signal: context.signal };
    const { removed, ...report } = await removePeopleSource(options);
    context.noteReport({ removed });
    printResult(context.terminal, flags, { source, removed, ...report }, () =>
      showCounts(context.terminal, `removed from ${removed} people`, report.plan),
    );
  };
  await context.withModules(flags, remove, { isReading: isDryRun });
}

const endings = /(?:\.(csv|jsonl|ndjson))?(?:\.(?:gz|zst))?$/i;

function readFormat(file: string, flag: unknown): PeopleFormat {
  if (flag !== undefined) return flag as PeopleFormat;
  const ending = endings.exec(file)?.[1]?.toLowerCase();
  if (ending === undefined) {
    throw createUsageFault(`${file} ends in neither .csv nor .jsonl: give --format csv or jsonl`);
  }
  return ending === "csv" ? "csv" : "jsonl";
}

function readReading({ encoding, map = [] }: Flags): PeopleReading {
  const meanings = (map as readonly string[]).map((pair) => {
    const [name = "", column = ""] = pair.split(/=(?=[^=]*$)/);
    const known = peopleColumns.find((each) => each === column);
    if (known && name.trim() !== "") return [name.trim(), known] as const;
    throw createUsageFault(
      `--map must be NAME=COLUMN, where COLUMN is one of ${peopleColumns.join(", ")}`,
    );
  });
  const given = encoding as PeopleReading["encoding"];
  return { meanings: new Map(meanings), ...(given && { encoding: given }) };
}

function nameSource(file: string): string {
  if (file === "-") {
    throw createUsageFault("standard input has no name: give --source NAME");
  }
  const name = basename(file).replace(endings, "").toLowerCase();
  return name.replace(/[^a-z0-9._-]+/g, "-").replace(/^[^a-z0-9]+/, "");
}

function readSource(text: unknown): string {
  const name = String(text).toLowerCase();
  if (/^[a-z0-9][a-z0-9._-]{0,59}$/.test(name)) return name;
  const rule = "a name of at most 60 letters, digits, dots, hyphens and underscores";
  throw createUsageFault(`--source ${describeMismatch(rule, name)}`);
}

function showPeople(
  { terminal }: CliContext,
  flags: Flags,
  { rejections, unknownColumns, ...summary }: PeopleSummary,
): void {
  for (const each of summary.plan ? [] : rejections) {
    terminal.note(`line ${each.line}: ${describeReason(each)}`);
  }
  if (unknownColumns.length > 0) {
    terminal.note(`unknown columns, ignored: ${unknownColumns.join(", ")}`);
  }
  const { matched, added, replaced, unchanged, removed } = summary;
  const { unmatched, ambiguous, rejected, suppressed } = summary;
  const text =
    `${matched} matched: ${added} added, ${replaced} replaced, ${unchanged} unchanged` +
    (removed > 0 ? `; removed from ${removed}` : "") +
    `; ${unmatched} unmatched, ${ambiguous} ambiguous, ${rejected} rejected` +
    (suppressed > 0 ? `, ${suppressed} suppressed` : "");
  const shown = { ...summary, unknownColumns, rejections };
  printResult(terminal, flags, shown, () => showCounts(terminal, text, summary.plan));
}

const describeReason = ({ field, reason }: Pick<PlannedRow, "field" | "reason">) =>
  [field, reason].filter(Boolean).join(" ");

/** Prints the counts of a run, below the plan of a dry run. */
function showCounts(terminal: Terminal, counts: string, plan?: readonly PlannedRow[]): void {
  // Not a table, because that takes minutes for a list of 50,000 people.
  for (const { line, outcome, login = "", name, ...complaint } of plan ?? []) {
    const place = line === undefined ? "no line" : `line ${line}`;
    const person = name ? `${login} (${name})` : login;
    const words = [person, describeReason(complaint)].filter(Boolean).join(": ");
    terminal.result(`${place.padEnd(12)}${outcome.padEnd(11)}${words}`);
  }
  terminal.result(plan ? `dry run: ${counts}` : counts);
  if (plan) terminal.note("Nothing was written. Run it without --dry-run to write.");
}
