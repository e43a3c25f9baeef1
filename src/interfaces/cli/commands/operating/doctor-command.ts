import { Command, Option } from "commander";
import { isFault } from "../../../../contract/fault.ts";
import {
  examineEverything,
  type Finding,
  type Rebuildable,
  type Remedy,
  rebuild,
  rebuildable,
  runLocked,
} from "../../../../doctor/doctor.ts";
import { type CliContext, createUsageFault, type Flags } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { printTable } from "../../table.ts";
import { printJson } from "../../terminal.ts";

const help = `
Checks the rows of all databases, the audit log and the index, and whether they agree. On a node, it also
checks the shared database. It writes nothing, and can run beside a server. Exit code 5
means that something is wrong; warnings do not change the exit code.

Examples:
  roster doctor --data /var/lib/roster
  roster doctor --rebuild index`;

export function createDoctorCommand(context: CliContext): Command {
  const command = new Command("doctor")
    .summary("Check a data folder, and list faults and remedies")
    .description("Checks everything in a data folder, and lists faults with their remedies.")
    .addOption(
      new Option("--rebuild <what>", "part to rebuild; stop the server first").choices(rebuildable),
    )
    .option(
      "--accept",
      "accept that data is lost, or that the folder was moved; stop the server first",
    );
  context.commonOptions(command);
  command.addHelpText("after", help);
  return command.action(async (flags: Flags) => {
    if (flags["rebuild"] && flags["accept"]) {
      throw createUsageFault("--rebuild and --accept cannot be used together");
    }
    if (flags["rebuild"]) await rebuildOne(context, flags);
    else if (flags["accept"]) await acceptLosses(context, flags);
    else await examine(context, flags);
  });
}

async function examine(context: CliContext, flags: Flags): Promise<void> {
  const { wiring, terminal } = context;
  const findings: Finding[] = [];
  /** Reads settings. Wrong settings become a finding instead of an error. */
  const read = <Value>(readThem: () => Value): Value | undefined => {
    try {
      return readThem();
    } catch (error) {
      if (!isFault(error, "configuration")) throw error;
      findings.push({ level: "fault", about: "settings", text: error.message, remedy: "settings" });
      return undefined;
    }
  };
  const config = flags["data"] ? read(() => context.config(flags)) : context.config(flags);
  const folder = config?.data ?? String(flags["data"]);
  const modelVersion = config && read(() => wiring.modelVersion(config));
  const examined = {
    ...{ folder, now: wiring.now(), version: wiring.version },
    ...(config && { files: config.identity }),
    ...(modelVersion !== undefined && { modelVersion }),
    ...(config?.database.url !== undefined && { databaseUrl: config.database.url }),
  };
  findings.push(...(await examineEverything(examined)));
  if (flags["json"]) printJson(terminal, { data: folder, findings });
  else {
    printTable(
      terminal,
      ["", "what", "found"],
      findings.map(({ level, about, text }) => [level, about, text]),
    );
    const pending = new Set(findings.flatMap(({ remedy }) => remedy ?? []));
    for (const remedy of pending) terminal.note(`  ${remedies[remedy]}`);
  }
  const isFaulty = findings.some(({ level }) => level === "fault");
  context.end(isFaulty ? exitCodes.fault : exitCodes.ok);
}

const remedies: Readonly<Record<Remedy, string>> = {
  restore: "Restore a backup: stop the server, then `roster restore FILE`.",
  rebuild_index:
    "The next start rebuilds the index. To do it now: `roster doctor --rebuild index`.",
  rebuild_shared_index:
    "Stop the server of this folder, then `roster doctor --rebuild index`; other nodes continue meanwhile.",
  rebuild_ledger:
    "Stop the server, then `roster doctor --rebuild ledger`; then ingest every repository again.",
  rebuild_forges:
    "Stop the server, then `roster doctor --rebuild forges`; then read every forge again, before `roster ingest git`.",
  accept:
    "Put the right file back or restore a backup. To continue without the lost data: `roster doctor --accept`.",
  moved:
    "Use it there. To return to the state of this folder before the move: `roster doctor --accept`.",
  start: "The next start of `roster serve` repairs it.",
  restart: "Stop the server and start it again; no restore is needed.",
  newer_version:
    "Use the version of Roster that wrote it, or a newer one. If none ever ran here, its version number is damaged: `roster doctor --rebuild ledger` for ingest.db, `roster doctor --rebuild forges` for forges.db, `roster restore FILE` for the others.",
  permissions:
    "The folder should belong to the server's user alone: chmod 700 on it, chmod 600 on its files.",
  space: "Free space on the disk.",
  backup: "Make a backup: `roster backup FILE`.",
  clock: "Set the machine's clock. If it is right: `roster clock accept`.",
  recount:
    "`roster ingest git --diff` shows the joins and splits; `roster ingest git` counts people again, without reading a repository.",
  reread:
    "`roster ingest list` shows the paths; `roster ingest git PATH...` reads the repositories there.",
  unread:
    "`roster ingest list` says what helps. Then read the repository again with `roster ingest git PATH`, or remove it with `roster ingest forget PATH`.",
  rescore:
    "`roster rescore --diff` shows whose scores change; `roster rescore` judges everyone again. So does the next import.",
  settings: "Correct the settings: `roster config show` shows the values in force.",
  database: "Check that the database server runs, and that ROSTER_DATABASE_URL is right.",
  database_rights: "docs/growth.md lists the rights that the database's user needs.",
  database_backup:
    "Restore a backup of the database with the database's own tools; export the readable people before that.",
};

async function rebuildOne(context: CliContext, flags: Flags): Promise<void> {
  const { wiring, terminal } = context;
  const what = flags["rebuild"] as Rebuildable;
  const config = context.config(flags);
  const build = async () => {
    const folder = await wiring.open(config, { create: false, search: true });
    await folder.close();
  };
  const { url } = config.database;
  const isShared = config.search.engine === "database" && url !== undefined;
  const shared = isShared ? { url, edition: wiring.version } : undefined;
  await rebuild(config.data, what, build, shared);
  const said = {
    index: "The search index was rebuilt.",
    ledger:
      "The ledger was removed. The next `roster ingest git` reads every repository that it is given; people of others stay " +
      "in the pool as they were.",
    forges:
      "The facts of forges were removed. People stay as they are until they are counted again: read the forges before that, with " +
      "`roster sources refresh`.",
  };
  if (flags["json"]) printJson(terminal, { rebuilt: what });
  else terminal.result(said[what]);
}

async function acceptLosses(context: CliContext, flags: Flags): Promise<void> {
  const { wiring, terminal } = context;
  const config = context.config(flags);
  const isNode = config.database.url !== undefined;
  const accept = () => wiring.acceptLosses(config);
  const accepted = await (isNode ? accept() : runLocked(config.data, accept));
  if (flags["json"]) printJson(terminal, { accepted });
  else if (accepted.length === 0) terminal.result("Nothing is lost.");
  else terminal.result("Accepted as lost:", ...accepted.map((what) => `  ${what}`));
}
