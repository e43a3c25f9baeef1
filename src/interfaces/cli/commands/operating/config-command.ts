import { Command } from "commander";
import { readConfig } from "../../../../config/config.ts";
import { type CliContext, toSettingTexts } from "../../cli-context.ts";
import { printTable } from "../../table.ts";
import { printJson } from "../../terminal.ts";
import { addServeOptions } from "./serve-commands.ts";

/** `config show`: shows every setting and where it came from, with secrets masked. */
export function createConfigCommand(context: CliContext): Command {
  const show = new Command("show").summary("Show every setting and where it came from");
  addServeOptions(show).option("--json", "machine-readable output");
  show.action((flags: Record<string, unknown>) => {
    const { config } = readConfig(toSettingTexts(flags));
    const rows: SettingRow[] = config.described.map(({ name, value, from, environment }) => ({
      ...{ name, value, from },
      ...(environment !== undefined && { environment }),
    }));
    rows.push({
      name: "modelVersion",
      value: context.wiring.modelVersion(config),
      from: config.analysis.modelFile === undefined ? "built in" : "analysis.modelFile",
    });
    if (flags["json"]) printJson(context.terminal, rows);
    else {
      printTable(
        context.terminal,
        ["setting", "value", "from", "environment"],
        rows.map((row) => [row.name, row.value ?? "(unset)", row.from, row.environment ?? ""]),
      );
    }
  });
  return new Command("config").summary("Show the settings in force").addCommand(show);
}

/** A setting, or a value derived from one, which has no environment variable. */
interface SettingRow {
  readonly name: string;
  readonly value: string | undefined;
  readonly from: string;
  readonly environment?: string;
}
