import { Command } from "commander";
import { readConfig } from "../../../../config/config.ts";
import type { CliContext, Flags } from "../../cli-context.ts";
import { toSettingTexts } from "../../setting-options.ts";
import { printRows } from "../../table.ts";
import { addServeOptions } from "./serve-commands.ts";

export function createConfigCommand(context: CliContext): Command {
  const show = new Command("show").summary("Show every setting and where it came from");
  addServeOptions(show).option("--json", "machine-readable output");
  show.action((flags: Flags) => {
    const { config } = readConfig(toSettingTexts(flags));
    const rows = config.described.map(({ name, value, from, environment }) => {
      return { name, value, from, environment };
    });
    const model = {
      name: "modelVersion",
      value: context.wiring.modelVersion(config),
      from: config.analysis.modelFile === undefined ? "built in" : "analysis.modelFile",
      environment: undefined,
    };
    printRows(context.terminal, flags, [...rows, model], {
      columns: [
        ["setting", ({ name }) => name],
        ["value", ({ value }) => value ?? "(unset)"],
        ["from", ({ from }) => from],
        ["environment", ({ environment }) => environment ?? ""],
      ],
    });
  });
  return new Command("config").summary("Show the settings in force").addCommand(show);
}
