import { join } from "node:path";
import { Command } from "commander";
import type { DataFolder } from "../../../../appliance/appliance.ts";
import type {
  BackupManifest,
  BackupProgress,
  BackupReceipt,
  VerifyReport,
} from "../../../../backup/backup.ts";
import { readS3Access } from "../../../../config/config.ts";
import { closeAtEnd } from "../../../../contract/close-at-end.ts";
import { Fault, isFault } from "../../../../contract/fault.ts";
import { operations } from "../../../../operations/index.ts";
import { perform } from "../../../../operations/perform.ts";
import { type CliContext, createUsageFault, type Flags } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { createSettingOption } from "../../setting-options.ts";
import { printRows } from "../../table.ts";
import { printFields, printJson, type Terminal } from "../../terminal.ts";

const help = `
The archive is a tar compressed by zstd: manifest.json, control.db, pool.db,
ingest.db, forges.db and roster.toml of the data folder. It holds accounts, digests of keys
and everything known of people: keep it as safe as the data folder, and on another
disk. It replaces an older backup of the same instance, and any other file only
with --force. On a node it makes no backup, and says how to make one. There, --made
after pg_dump records the backup, so that monitors see its age.

Examples:
  roster backup /mnt/backups/roster.tar.zst
  roster backup - | ssh backup.example.com 'cat > roster.tar.zst'
  roster backup --verify /mnt/backups/roster.tar.zst
  roster backup s3://backups/roster/today.tar.zst
  roster backup --list s3://backups/roster
  roster backup /mnt/backups/roster.tar.zst.age --recipient age1...
  pg_dump --format=custom --file=roster.dump roster && roster backup --made`;

export function createBackupCommand(context: CliContext): Command {
  const command = new Command("backup")
    .summary("Write everything to one archive, also while a server runs")
    .description(
      "Writes one archive of the data folder, also while a server runs. The archive appears whole or not at all.",
    )
    .argument(
      "[file]",
      "the archive to write, or to check with --verify; s3://BUCKET/KEY is in storage, - is standard output or input",
    )
    .option(
      "--verify",
      "check an archive instead: unpack it into another folder, open it, query it",
    )
    .option(
      "--list",
      "list the archives of the folder of backups, of s3://BUCKET/FOLDER or of a copy",
    )
    .option("--made", "record that another program made a backup of the database of nodes")
    .option("--force", "replace an existing file")
    .addOption(
      createSettingOption("backup.recipients", "encrypt for these age keys").argParser(
        (text: string, before?: string) => (before ? `${before},${text}` : text),
      ),
    )
    .option("--identity <FILE>", "file with the age key of an encrypted backup");
  context.quietOption(context.commonOptions(command));
  command.addHelpText("after", help);
  return command.action(async (file: string | undefined, flags: Flags) => {
    if (flags["list"]) return list(context, file, flags);
    if (flags["made"]) return noteMade(context, file, flags);
    if (file === undefined) throw createUsageFault("name the archive, or - for a pipe");
    await (flags["verify"] ? verify(context, file, flags) : make(context, file, flags));
  });
}

/** @param where a folder of a bucket, or the id of a copy. If undefined, the folder of backups is listed. */
async function list(context: CliContext, where: string | undefined, flags: Flags) {
  const config = context.config(flags);
  const { data, backup, environment, userEnvironment } = config;
  const { listAllBackups, listPlaced, openPlace } = await import("../../../../backup/backup.ts");
  const listFolder = async () => {
    const own = await listAllBackups(backup.folder ?? join(data, "backups"), data);
    return own.map(({ name, bytes, madeAt }) => ({ name, bytes, madeAt }));
  };
  const listPlace = async (id: string) => {
    const copy = backup.copies.find((one) => one.id === id) ?? { id, to: id };
    const variables = { ...environment, ...userEnvironment };
    const place = openPlace(copy, () => readS3Access(config), variables);
    return await listPlaced(place, context.signal);
  };
  const rows = where === undefined ? await listFolder() : await listPlace(where);
  printRows<(typeof rows)[number]>(context.terminal, flags, rows, {
    empty: "No archive is there.",
    columns: [
      ["archive", ({ name }) => name],
      ["bytes", ({ bytes }) => String(bytes ?? "")],
      [
        "state",
        (one) =>
          "madeAt" in one
            ? one.madeAt.toISOString()
            : one.isReadBack
              ? "read back"
              : "not read back",
      ],
    ],
  });
}

/** Records a backup of the shared database. Only the program that made it knows of its end. */
async function noteMade(context: CliContext, file: string | undefined, flags: Flags) {
  const { terminal, wiring } = context;
  if (file !== undefined || context.config(flags).database.url === undefined)
    throw createUsageFault("--made is for the database of nodes, and takes no file");
  const [action, subject] = ["backup.made", "database"] as const;
  const entry = { at: wiring.now(), actor: "operator", action, subject, detail: {} };
  await context.withModules(flags, ({ control }) => control.folder.noteBackup(entry));
  if (flags["json"]) printJson(terminal, { at: entry.at });
  else printFields(terminal, [["backup recorded", entry.at.toISOString()]]);
}

async function make(context: CliContext, file: string, flags: Flags) {
  const { terminal, wiring, signal } = context;
  if (file === "-" && terminal.columns !== undefined) {
    throw createUsageFault(
      "an archive cannot be written to a terminal: name a file, or use a pipe",
    );
  }
  const config = context.config(flags);
  const { data, database, backup } = config;
  if (database.url !== undefined) {
    const text =
      "Accounts and people are in the database that database.url names: nothing was backed up here.";
    throw new Fault("backup_of_database", text);
  }
  // Loads the module only here, so that other commands start faster.
  const { backUp, findInS3, recordBackup } = await import("../../../../backup/backup.ts");
  const receipt = await context.withProgress((show) =>
    backUp({
      data,
      target: file,
      placed: findInS3(file, () => readS3Access(config)),
      version: wiring.version,
      now: wiring.now,
      replacesAny: flags["force"] === true,
      recipients: backup.recipients ?? [],
      signal,
      onProgress: (progress) => show(toStep(progress)),
    }),
  );
  showReceipt(terminal, flags, receipt);
  try {
    const record = ({ control }: DataFolder) => recordBackup(control.folder, receipt, "operator");
    await context.withModules(flags, record);
  } catch (error) {
    if (!isFault(error)) throw error;
    terminal.note(
      `The archive is complete, but could not be recorded in the data folder: ${error.message}`,
    );
  }
}

function toStep({ bytes, bytesTotal, label }: BackupProgress) {
  return { done: bytes, total: bytesTotal, unit: "bytes", label };
}

/** Prints the receipt. If the archive goes to standard output, the receipt goes to standard error. */
function showReceipt(terminal: Terminal, flags: Flags, receipt: BackupReceipt): void {
  const shown = receipt.file === "-" ? { ...terminal, result: terminal.note } : terminal;
  if (flags["json"]) printJson(shown, receipt);
  else {
    const { file, bytes, manifest } = receipt;
    printFields(shown, [
      ["backup", file === "-" ? "standard output" : file],
      ["size", `${bytes} bytes`],
      ...describe(manifest),
    ]);
  }
}

function describe({ madeAt, version, instance, counts, audit }: BackupManifest) {
  const show = (count: number | undefined) => count?.toString();
  return [
    ["made at", madeAt],
    ["by", `Roster ${version}`],
    ["instance", instance],
    ["people", show(counts.people)],
    ["accounts", show(counts.accounts)],
    ["active keys", show(counts.activeKeys)],
    ["erasures", show(counts.erasures)],
    ["repositories", show(counts.repositories)],
    ["audit entries", show(audit?.sequence)],
  ] as const;
}

async function verify(context: CliContext, file: string, flags: Flags) {
  const { wiring, signal } = context;
  const { database, ...config } = context.config(flags);
  const { findInS3, verifyArchive } = await import("../../../../backup/backup.ts");
  const report = await context.withProgress((show) =>
    verifyArchive(file, {
      signal,
      placed: findInS3(file, () => readS3Access(config)),
      identity: flags["identity"] as string | undefined,
      onProgress: (progress) => show(toStep(progress)),
      tryFolder: async (data, digests) => {
        // An archive always contains a data folder, so the database is ignored.
        const settings = { ...config, data, database: { ...database, url: undefined } };
        const options = { create: false, search: true, isCopy: true };
        await using folder = closeAtEnd(await wiring.open(settings, options));
        return await tryFolder(folder, digests);
      },
    }),
  );
  showReport(context, flags, report);
}

function showReport(
  { terminal, end }: CliContext,
  flags: Flags,
  { file, manifest, checks }: VerifyReport,
): void {
  const isGood = checks.every(({ faults }) => faults.length === 0);
  if (flags["json"]) printJson(terminal, { file, isGood, checks, manifest });
  else {
    printFields(terminal, [
      ["backup", file],
      ...describe(manifest),
      ...checks.map(
        ({ name, found, faults }) =>
          [name, faults.length === 0 ? `ok: ${found}` : `WRONG: ${faults.join("; ")}`] as const,
      ),
      ["verdict", isGood ? "can be restored" : "must not be relied on"],
    ]);
  }
  if (isGood) return;
  terminal.note("Make another backup, and check the data folder of this one.");
  end(exitCodes.fault);
}

const samplesMax = 20;

/**
 * @package Tests an open folder: runs a search, opens the profiles found, and checks each key.
 * @param digests the SHA-256 of each key that must work.
 */
export async function tryFolder({ modules, control }: DataFolder, digests: readonly Uint8Array[]) {
  const faults: string[] = [];
  const ask = async (name: string, input: Readonly<Record<string, unknown>>) => {
    const operation = operations.find((each) => each.name === name);
    if (!operation) throw new Error(`there is no operation ${name}`);
    const caller = { ...modules.accounts.operator, requestId: "req_trial" };
    const answer = await perform(operation, input, caller, modules, ({ value }) => value);
    if (answer.ok) return answer.shown;
    faults.push(`${operation.command} failed: ${answer.problem.message}`);
    return undefined;
  };
  const found = (await ask("search_developers", {
    location: "Worldwide",
    maxResults: samplesMax,
  })) as { totalCount: number; results: readonly { login: string }[] } | undefined;
  const results = found?.results ?? [];
  for (const { login } of results) await ask("get_developer", { login });
  const holders = await control.findKeys(digests);
  const dead = holders.filter((holder) => holder === undefined).length;
  if (dead > 0) faults.push(`${dead} of ${digests.length} active keys open nothing`);
  const done = [
    `a search finds ${found?.totalCount ?? 0}, of which ${results.length} were read`,
    `${digests.length - dead} keys open it`,
  ];
  return { done, faults };
}
