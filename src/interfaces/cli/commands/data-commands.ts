import { existsSync } from "node:fs";
import { Command } from "commander";
import {
  createFactsJsonSchema,
  exportFile,
  type ImportSummary,
  IngestRefusal,
  importFile,
} from "../../../ingest/ingest.ts";
import { type CliContext, createUsageFault } from "../cli-context.ts";
import { createProgress } from "../progress.ts";
import { exitCodes, printJson } from "../terminal.ts";

/** `import FILE`. */
export function createImportCommand(session: CliContext): Command {
  const command = new Command("import")
    .summary("Bring a file of facts into the pool")
    .description(
      "Brings a JSONL file of facts into the pool, one developer a line; plain, gzip or zstd. " +
        "All of its good lines appear at one moment, or none; demo people make room.",
    )
    .argument("[file]", "the file; - is standard input")
    .option("--strict", "refuse the whole file for one bad line")
    .option("--keep-demo", "leave the demo people in the pool")
    .option("--schema", "print the JSON Schema of a line, and do nothing else");
  session.judgingOptions(command);
  command.addHelpText("after", "\nExample:\n  roster import people.jsonl.zst --strict");
  return command.action(async (file: string | undefined, flags: Record<string, unknown>) => {
    if (flags["schema"]) {
      printJson(session.terminal, createFactsJsonSchema(), 2);
      return;
    }
    if (!file) throw createUsageFault("import needs a file, or - for standard input");
    // Before a data folder is made for nothing.
    if (file !== "-" && !existsSync(file)) {
      throw new IngestRefusal("not_found", `${file} does not exist.`);
    }
    await session.withModules(
      flags,
      async ({ modules, judge }) => {
        const progress = createProgress(session.terminal, session.wiring.now);
        try {
          const summary = await importFile(file, {
            pool: modules.pool,
            judge: judge(session.asOf(flags)),
            strict: flags["strict"] === true,
            replaceDemo: flags["keepDemo"] !== true,
            signal: session.signal,
            onProgress: ({ bytes, bytesTotal, lines }) =>
              progress.show({
                done: bytes,
                total: bytesTotal,
                unit: "bytes",
                label: `${lines} lines`,
              }),
          });
          progress.stop();
          showImport(session, flags, summary);
          return exitCodes.ok;
        } finally {
          progress.stop();
        }
      },
      { create: true, search: false },
    );
  });
}

function showImport(
  session: CliContext,
  flags: Record<string, unknown>,
  summary: ImportSummary,
): void {
  for (const { line, field, reason } of summary.rejections) {
    session.terminal.note(`line ${line}: ${field ? `${field} ` : ""}${reason}`);
  }
  if (flags["json"]) {
    printJson(session.terminal, summary);
    return;
  }
  const { added, replaced, unchanged, rejected, removed, suppressed } = summary;
  session.terminal.result(
    `${added} added, ${replaced} replaced, ${unchanged} unchanged, ${rejected} rejected` +
      (suppressed > 0 ? `, ${suppressed} suppressed` : "") +
      (removed > 0 ? `; ${removed} demo people made room` : ""),
  );
}

/** `export FILE`. */
export function createExportCommand(session: CliContext): Command {
  const command = new Command("export")
    .summary("Write every developer's facts to a file")
    .description(
      "Writes every developer's facts as JSONL, by login: what import reads, and the same pool gives " +
        "the same bytes. A name ending in .gz or .zst is compressed.",
    )
    .argument("<file>", "the file; - is standard output");
  session.commonOptions(command);
  command.addHelpText("after", "\nExample:\n  roster export people.jsonl.zst");
  return command.action(async (file: string, flags: Record<string, unknown>) => {
    await session.withModules(
      flags,
      async ({ modules }) => {
        const progress = createProgress(session.terminal, session.wiring.now);
        try {
          const summary = await exportFile(modules.pool, file, {
            signal: session.signal,
            onProgress: ({ lines, linesTotal }) =>
              progress.show({ done: lines, total: linesTotal, unit: "people" }),
          });
          progress.stop();
          // Standard output carries the people when it is the target.
          const text = `${summary.lines} people written to ${file}`;
          if (file === "-") session.terminal.note(text);
          else if (flags["json"]) printJson(session.terminal, summary);
          else session.terminal.result(text);
          return exitCodes.ok;
        } finally {
          progress.stop();
        }
      },
      { create: false, search: false },
    );
  });
}
