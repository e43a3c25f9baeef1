import { Command } from "commander";
import { readS3Access } from "../../../../config/config.ts";
import { closeAtEnd } from "../../../../contract/close-at-end.ts";
import { Fault } from "../../../../contract/fault.ts";
import type { RestoreReceipt } from "../../../../restore/restore.ts";
import type { CliContext, Flags } from "../../cli-context.ts";
import { printFields, printJson } from "../../terminal.ts";

const help = `
Stop the server first. The archive is unpacked beside the old files, checked and
opened before it replaces them. The old files are kept in a folder of their own
(before-restore-...). You may delete it; the next roster forget deletes it too.

Newer data of the folder stays valid, even if the backup is older: a replaced key
stays invalid, a newer key works, calls stay counted and erased people stay erased.
If the folder has no intact control.db, or with --as-archived, everything is restored
as it is in the backup.

Examples:
  roster restore /mnt/backups/roster.tar.zst --data /var/lib/roster
  roster restore s3://backups/roster/today.tar.zst
  ssh backup.example.com 'cat roster.tar.zst' | roster restore -`;

export function createRestoreCommand(context: CliContext): Command {
  const command = new Command("restore")
    .summary("Replace the data folder with a backup")
    .description("Restores a data folder from a backup, and keeps the old files.")
    .argument(
      "<file>",
      "the archive that `roster backup` wrote; s3://BUCKET/KEY is in storage, - is standard input",
    )
    .option(
      "--as-archived",
      "also restore accounts, keys, counts and erasures as they are in the backup",
    )
    .option("--identity <FILE>", "file with the age key of an encrypted backup");
  context.quietOption(context.commonOptions(command));
  command.addHelpText("after", help);
  return command.action(async (file: string, flags: Flags) => {
    const { wiring, signal, terminal } = context;
    const config = context.config(flags);
    if (config.database.url !== undefined) {
      const text =
        "restore works only on a data folder, but database.url names a database that nodes share.";
      throw new Fault("folder_only", text);
    }
    // Loads the module only here, so that other commands start faster.
    const { findInS3, restoreFolder } = await import("../../../../restore/restore.ts");
    const receipt = await context.withProgress((show) =>
      restoreFolder({
        ...{ data: config.data, file, asArchived: flags["asArchived"] === true },
        ...{ now: wiring.now, signal, placed: findInS3(file, () => readS3Access(config)) },
        identity: flags["identity"] as string | undefined,
        onProgress: ({ bytes, bytesTotal, label }) =>
          show({ done: bytes, total: bytesTotal, unit: "bytes", label }),
        openRestored: async (data) => {
          const options = { create: false, search: true, isCopy: true };
          await using folder = closeAtEnd(await wiring.open({ ...config, data }, options));
          return await folder.modules.pool.size();
        },
      }),
    );
    if (flags["json"]) printJson(terminal, receipt);
    else {
      printFields(terminal, [["restored", config.data], ...describe(receipt)]);
      for (const warning of receipt.warnings) terminal.note(warning);
    }
  });
}

function describe(receipt: RestoreReceipt): readonly (readonly [string, string | undefined])[] {
  const { file, archive, people, control, erasuresRepeated, settings, keptIn } = receipt;
  const carried = Object.entries(control.carriedOver).filter(([, count]) => count > 0);
  return [
    ["from", file === "-" ? "standard input" : file],
    ["made at", archive.madeAt],
    ["by", `Roster ${archive.version}`],
    ["people", String(people)],
    ["accounts", control.from === "folder" ? "kept: the folder's are newer" : "the backup's"],
    ["carried over", carried.map(([name, count]) => `${count} ${name}`).join(", ")],
    ["erased again", erasuresRepeated > 0 ? `people of ${erasuresRepeated} erasures` : undefined],
    ["settings", settings === "folder" ? "kept" : settings === "archive" ? "the backup's" : ""],
    ["old files", keptIn],
  ];
}
