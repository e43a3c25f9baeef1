import { existsSync } from "node:fs";
import { basename } from "node:path";
import { Command, Option } from "commander";
import type { DataFolder } from "../../../appliance/appliance.ts";
import { Fault } from "../../../contract/fault.ts";
import {
  createFactsJsonSchema,
  exportFile,
  type ImportSummary,
  importFile,
} from "../../../ingest/ingest.ts";
import { exportKinds, streamPeople } from "../../../operations/export-people.ts";
import { type CliContext, createUsageFault, type Flags } from "../cli-context.ts";
import { createRemovalsOption } from "../setting-options.ts";
import { printJson, printResult } from "../terminal.ts";

export function createImportCommand(context: CliContext): Command {
  const command = new Command("import")
    .summary("Import a file of facts into the pool")
    .description(
      "Imports a JSONL file of facts into the pool, one developer a line; plain, gzip or zstd. " +
        "People appear when the whole file is read, all at once. The demo people are removed.",
    )
    .argument("[file]", "the file; - is standard input")
    .option("--strict", "refuse the whole file for one bad line")
    .option("--keep-demo", "leave the demo people in the pool")
    .addOption(createRemovalsOption())
    // Deprecated: the option has no effect.
    .addOption(new Option("--threads <N>").hideHelp())
    .option("--schema", "print the JSON Schema of a line, and do nothing else");
  context.quietOption(context.judgingOptions(command));
  command.addHelpText("after", "\nExample:\n  roster import people.jsonl.zst --strict");
  return command.action(async (file: string | undefined, flags: Flags) => {
    if (flags["schema"]) return printJson(context.terminal, await createFactsJsonSchema(), 2);
    if (!file) throw createUsageFault("import needs a file, or - for standard input");
    // Checks the file first, so that a wrong path creates no data folder.
    if (file !== "-" && !existsSync(file)) {
      throw new Fault("not_found", `${file} does not exist.`);
    }
    if (flags["threads"] !== undefined) {
      context.terminal.note("--threads has no effect any more: leave it out.");
    }
    const bring = async ({ modules, judge }: DataFolder) => {
      context.noteRun({ kind: "import", what: file === "-" ? "standard input" : basename(file) });
      const summary = await context.withProgress(
        (show) =>
          importFile(file, {
            pool: modules.pool,
            judge: judge(context.asOf(flags)),
            strict: flags["strict"] === true,
            canRemoveMany: flags["allowRemovals"] === true,
            replaceDemo: flags["keepDemo"] !== true,
            signal: context.signal,
            onProgress: ({ bytes, bytesTotal, lines }) =>
              show({ done: bytes, total: bytesTotal, unit: "bytes", label: `${lines} lines` }),
          }),
        modules.pool,
      );
      context.noteReport(summary);
      showImport(context, flags, summary);
    };
    await context.withModules(flags, bring, { create: true });
  });
}

function showImport(context: CliContext, flags: Flags, summary: ImportSummary): void {
  for (const { line, field, reason } of summary.rejections) {
    context.terminal.note(`line ${line}: ${field ? `${field} ` : ""}${reason}`);
  }
  const { added, replaced, unchanged, rejected, removed, suppressed } = summary;
  const text =
    `${added} added, ${replaced} replaced, ${unchanged} unchanged, ${rejected} rejected` +
    (suppressed > 0 ? `, ${suppressed} suppressed` : "") +
    (removed > 0 ? `; ${removed} demo people removed` : "");
  printResult(context.terminal, flags, summary, () => context.terminal.result(text));
}

export function createExportCommand(context: CliContext): Command {
  const command = new Command("export")
    .summary("Write every developer's facts to a file")
    .description(
      "Writes every developer's facts as JSONL, sorted by login, in the form that import reads. The same pool gives " +
        "the same bytes. A name ending in .gz or .zst is compressed. With --kind, writes answers instead of facts.",
    )
    .argument("<file>", "the file; - is standard output")
    .addOption(
      new Option(
        "--kind <kind>",
        "answers to write: profile, as of get, or analysis, as of analyze",
      ).choices(exportKinds),
    )
    .option("--after <login>", "of answers, only people behind this login");
  context.quietOption(context.commonOptions(command));
  command.addHelpText("after", "\nExample:\n  roster export people.jsonl.zst");
  return context.readFolder(command, async ({ modules }, flags, file = "") => {
    const [kind, after] = [exportKinds.find((each) => each === flags["kind"]), flags["after"]];
    if (after !== undefined && !kind) throw createUsageFault("--after needs --kind");
    const lines = kind && streamPeople(modules.pool, kind, String(after ?? ""));
    const summary = await context.withProgress((show) =>
      exportFile(modules.pool, file, {
        lines,
        signal: context.signal,
        onProgress: ({ lines, linesTotal }) =>
          show({ done: lines, total: linesTotal, unit: "people" }),
      }),
    );
    // This message must not go to standard output if the facts go there.
    const text = `${summary.lines} people written to ${file}`;
    if (file === "-") context.terminal.note(text);
    else printResult(context.terminal, flags, summary, () => context.terminal.result(text));
  });
}
