import { Command } from "commander";
import type { DataFolder } from "../../../appliance/appliance.ts";
import {
  findLastAsOf,
  type RescoreReport,
  rescore,
  type ScoreMove,
} from "../../../ingest/ingest.ts";
import { type CliContext, type Flags, findWholeNumber } from "../cli-context.ts";
import { printTable } from "../table.ts";
import { printJson } from "../terminal.ts";

const movesShown = 20;

export function createRescoreCommand(context: CliContext): Command {
  const command = new Command("rescore")
    .summary("Recalculate all scores")
    .description(
      "Recalculates all scores from the stored facts, with the current model. The scores are as of the same day as before, " +
        "so that differences come from the model and not from the date; --as-of sets another day. New scores appear all at " +
        "once. Facts do not change.",
    )
    .option("--diff", "show which scores would change and why, and write nothing")
    .option(
      "--limit <N>",
      `how many changed scores --diff shows, largest change first (default: ${movesShown})`,
    );
  context.quietOption(
    context.judgingOptions(command, "the latest day that anyone was judged as of"),
  );
  command.addHelpText(
    "after",
    "\nExample:\n  roster rescore --diff --analysis-model-file model.json --limit 50",
  );
  return command.action(async (flags: Flags) => {
    const limit = findWholeNumber(flags, "limit", 0, 9_999_999) ?? movesShown;
    const asOfOrToday = context.asOf(flags);
    const modelVersion = context.wiring.modelVersion(context.config(flags));
    const judgeAgain = async ({ modules, judge }: DataFolder) => {
      if (flags["diff"] !== true) context.noteRun({ kind: "rescore" });
      const isNamed = flags["asOf"] !== undefined;
      const { pool } = modules;
      // Locks imports before anything is read. Closing the folder releases the lock.
      const lock = flags["diff"] === true ? undefined : await pool.lockImports("rescore");
      const asOf = isNamed ? asOfOrToday : ((await findLastAsOf(pool)) ?? asOfOrToday);
      const report = await context.withProgress(
        (step) =>
          rescore({
            pool: lock ? { ...pool, beginImport: lock.beginImport } : pool,
            judge: judge(asOf),
            write: flags["diff"] !== true,
            movesMax: limit,
            signal: context.signal,
            onProgress: (at) => step({ ...at, unit: "people" }),
          }),
        pool,
      );
      context.noteReport(report);
      const isDiff = flags["diff"] === true;
      if (flags["json"]) printJson(context.terminal, { asOf, modelVersion, ...report });
      else showReport(context, report, { asOf, modelVersion, isDiff, isNamed });
    };
    await context.withModules(flags, judgeAgain, { isReading: flags["diff"] === true });
  });
}

function showReport(
  { terminal }: CliContext,
  report: RescoreReport,
  by: Readonly<Record<"asOf" | "modelVersion", string> & Record<"isDiff" | "isNamed", boolean>>,
): void {
  const { judged, moved, unchanged, meanAbsoluteMove, levelsChanged, rolesChanged } = report;
  if (by.isDiff && report.moves.length > 0) {
    printTable(
      terminal,
      ["login", "score", "move", "level", "best role", "largest change"],
      report.moves.map(toRow),
    );
  }
  terminal.result(
    `${judged} judged as of ${by.asOf} with model ${by.modelVersion}: ${moved} ` +
      `${by.isDiff ? "would move" : "moved"}, ${unchanged} unchanged, mean absolute move ` +
      `${meanAbsoluteMove}; ${levelsChanged} levels and ${rolesChanged} best roles change`,
  );
  if (!by.isNamed)
    terminal.note("The day is the previous one; --as-of sets another, such as today.");
  if (by.isDiff) terminal.note("Nothing was written. Run it without --diff to write.");
}

function toRow({ login, score, level, role, because }: ScoreMove): string[] {
  const by = score.to - score.from;
  const change = (from: string, to: string) => (from === to ? to : `${from} -> ${to}`);
  return [
    login,
    change(String(score.from), String(score.to)),
    addSign(by.toFixed(1)),
    change(level.from, level.to),
    change(role.from, role.to),
    because ? `${because.component} ${because.term} ${addSign(String(because.points))}` : "",
  ];
}

const addSign = (text: string) => (text.startsWith("-") ? text : `+${text}`);
