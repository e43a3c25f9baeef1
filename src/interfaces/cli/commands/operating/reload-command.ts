import { Command } from "commander";
import { askForReload } from "../../../../appliance/appliance.ts";
import { Fault } from "../../../../contract/fault.ts";
import type { CliContext, Flags } from "../../cli-context.ts";
import { printFields, printJson } from "../../terminal.ts";

const help = `
The server reads the settings file, and the files with secrets, as on SIGHUP.
Nothing is interrupted. If one setting is wrong, all stay as they were.
For example:
  roster reload --data /var/lib/roster`;

export function createReloadCommand(context: CliContext): Command {
  const command = new Command("reload").summary("Let the server read its settings again");
  context.commonOptions(command).addHelpText("after", help);
  return command.action(async (flags: Flags) => {
    const { data } = context.config(flags);
    const { changed, restart, fault } = await askForReload(data, context.wiring.now);
    if (fault !== undefined)
      throw new Fault("configuration", `all settings stay as they were: ${fault}`);
    if (flags["json"]) return printJson(context.terminal, { changed, restart });
    printFields(context.terminal, [
      ["changed", changed.join(", ") || "nothing"],
      ["needs a restart", restart.join(", ")],
    ]);
  });
}
