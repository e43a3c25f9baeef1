import { Command } from "commander";
import { type DataFolder, planCleanup } from "../../../../appliance/appliance.ts";
import type { CliContext, Flags } from "../../cli-context.ts";
import { createSettingOption } from "../../setting-options.ts";
import { printRows } from "../../table.ts";

const help = `
A server does this once an hour. The newest files from before a restore and from before an
upgrade stay.

Example:
  roster cleanup --dry-run --data /var/lib/roster`;

export function createCleanupCommand(context: CliContext): Command {
  const { terminal, wiring } = context;
  const command = new Command("cleanup")
    .summary("Remove what is older than the settings allow")
    .option("--dry-run", "only show what would go")
    .addOption(createSettingOption("keep.runsDays"))
    .addOption(createSettingOption("keep.leftoversDays"))
    .addHelpText("after", help);
  return context.commonOptions(command).action((flags: Flags) => {
    const isDryRun = flags["dryRun"] === true;
    const cleanUp = async ({ control }: DataFolder) => {
      const plan = await planCleanup(control, context.config(flags), wiring.now());
      if (!isDryRun) for (const { remove } of plan) await remove();
      const rows = plan.map(({ remove: _, ...row }) => row);
      printRows(terminal, flags, rows, {
        empty: "Nothing is too old.",
        columns: [
          [isDryRun ? "would go" : "removed", ({ what }) => what],
          ["count", ({ count }) => String(count)],
          ["MB", ({ bytes }) => String(Math.ceil(bytes / 2 ** 20))],
        ],
      });
    };
    return context.withModules(flags, cleanUp, { isReading: isDryRun });
  });
}
