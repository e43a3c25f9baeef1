/** Compares ownership files with the history of their repository. */
import { Command, Option } from "commander";
import { Fault } from "../../../contract/fault.ts";
import { formatCounted } from "../../../contract/format.ts";
import { WhoRequest } from "../../../contract/people/who-knows.ts";
import { readPresentOwners } from "../../../ingest/ingest.ts";
import { checkOwners } from "../../../operations/check-owners.ts";
import { chooseForm } from "../answer-operation.ts";
import { chooseSource } from "../answer-source.ts";
import { type CliContext, createUsageFault, type Flags } from "../cli-context.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { createOptions, readFlags } from "../operation-command.ts";
import { noteAll } from "../terminal.ts";
import { compareBaseline, readBaseline, writeBaseline } from "./owners-baseline.ts";
import { printReport, reportForms } from "./owners-report.ts";
import { codeOwnersForm, listDoubts, type OpenOwners, openOwners } from "./propose-owners-form.ts";

export function createOwnersCommand(context: CliContext): Command {
  return new Command("owners")
    .summary("Check CODEOWNERS and similar files, or propose a change")
    .addCommand(createCheckCommand(context))
    .addCommand(createProposeCommand(context));
}

function createCheckCommand(context: CliContext): Command {
  const command = new Command("check")
    .summary("Find what is wrong in CODEOWNERS, for CI")
    .description(
      "Reads CODEOWNERS and OWNERS of HEAD. Reports owners who left or no longer know the files, rules " +
        "that match no file, folders without an owner, and lines that the forge ignores. Exit code 1 means new findings.",
    )
    .option("--baseline <FILE>", "file of accepted findings, which are not reported")
    .option("--write-baseline", "accept all present findings: write them to the file of --baseline")
    .addOption(
      new Option("--format <form>", "form of the report (default: text)").choices(reportForms),
    );
  addFields(command, ["repository", "activeSince"]);
  context.commonOptions(command);
  command.addHelpText(
    "after",
    "\nExamples, in a clone:\n  roster owners check\n" +
      "  roster owners check --baseline owners-baseline.json --write-baseline\n" +
      "  roster owners check --baseline owners-baseline.json --format sarif > owners.sarif",
  );
  return command.action(async (flags: Flags) => {
    const form = chooseForm(flags, reportForms);
    if (flags["writeBaseline"] && flags["baseline"] === undefined)
      throw createUsageFault("--write-baseline writes the file of --baseline: add --baseline FILE");
    const source = await chooseSource(context, flags);
    const input = readFlags(WhoRequest, flags);
    await openOwners(input, { flags, source }, context, (owners) =>
      check(owners, context, { ...flags, form }),
    );
  });
}

function createProposeCommand(context: CliContext): Command {
  const command = new Command("propose")
    .summary("Propose a change of CODEOWNERS, as a diff for git apply")
    .description(
      "Prints a diff for the CODEOWNERS of HEAD: it adds owners to folders without one, and replaces owners who left or no " +
        "longer know the files. If there is no CODEOWNERS, it proposes one. `who --format codeowners` does the same.",
    );
  addFields(command, ["repository", "asOf", "activeSince", "without", "limit"]);
  context.commonOptions(command);
  command.addHelpText(
    "after",
    "\nExamples, in a clone:\n  roster owners propose\n  roster owners propose | git apply",
  );
  return command.action(async (flags: Flags) => {
    const source = await chooseSource(context, flags);
    await codeOwnersForm.print(readFlags(WhoRequest, flags), { flags, source }, context);
  });
}

const fields = {
  repository: "the repository, where a data folder has several",
  asOf: "the day to judge (default: today in UTC)",
  activeSince:
    "people without work since this day have left (default: two years before the end of history)",
  without: "logins of people to treat as having left",
  limit: "new rows, at most 50 (default: 30)",
} as const;

function addFields(command: Command, names: readonly (keyof typeof fields)[]): void {
  for (const name of names) {
    const schema = { ...WhoRequest.properties[name], description: fields[name] };
    for (const option of createOptions(name, schema))
      if (!command.options.some(({ long }) => long === option.long)) command.addOption(option);
  }
}

async function check(
  owners: OpenOwners,
  { terminal, wiring: { version } }: CliContext,
  { form, ...flags }: Flags & Pick<Parameters<typeof printReport>[2], "form">,
): Promise<ExitCode> {
  const { advice, reading, summary } = owners;
  const { asOf, isEnded, otherRules, repository } = advice;
  const file = flags["baseline"] === undefined ? undefined : String(flags["baseline"]);
  const before = file === undefined ? [] : readBaseline(file);
  if (!before && !flags["writeBaseline"])
    throw new Fault("not_found", `${file} does not exist; --write-baseline creates it`);
  const present = await readPresentOwners(reading);
  if (present.isNew && otherRules.length === 0) {
    const remedy = "`roster owners propose` proposes one.";
    throw new Fault("not_found", `${repository.name} has no CODEOWNERS or similar file. ${remedy}`);
  }
  const isComplete = present.recent !== undefined;
  const isJudged = isComplete && !isEnded;
  const found = await checkOwners(present, advice, isJudged);
  const { remaining, ...compared } = compareBaseline(found, before ?? [], isJudged);
  const unjudged = "Owners and folders were not checked, only rules and lines";
  noteAll(terminal, [
    !isComplete && `${unjudged}: the history is not complete. ${summary?.lacks?.remedy ?? ""}`,
    isEnded && `${unjudged}: history ends on ${asOf}, more than a year ago.`,
    ...listDoubts(owners, present.head),
  ]);
  if (file !== undefined && flags["writeBaseline"]) {
    const count = writeBaseline(file, [...found, ...remaining]);
    terminal.note(`${formatCounted(count, "accepted finding")} written to ${file}`);
    return exitCodes.ok;
  }
  const about = { repository: repository.name, head: present.head, asOf, isJudged };
  printReport(terminal, { ...about, ...compared }, { form, version });
  return compared.findings.length > 0 ? exitCodes.findings : exitCodes.ok;
}
