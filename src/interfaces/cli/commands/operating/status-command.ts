import { Command } from "commander";
import { readStatus, type Status } from "../../../../appliance/appliance.ts";
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatTimeDistance,
} from "../../../../contract/format.ts";
import { formatReading } from "../../../../contract/people/history-end.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { printFields, printJson } from "../../terminal.ts";

const help = `
Exit codes, as monitors expect: 0 all is well, 1 a warning, 2 critical (no server, or calls fail).
It writes nothing. \`roster doctor\` checks the data itself, which takes longer.

Examples:
  roster status --data /var/lib/roster
  roster status --json`;

export function createStatusCommand(context: CliContext): Command {
  const command = new Command("status")
    .summary("Show at a glance how the server, the data and the backups are")
    .description(
      "Shows the server, its readiness, people, sources, repositories, backups, disk and calls, and what needs attention.",
    );
  context.commonOptions(command);
  command.addHelpText("after", help);
  return context.readFolder(command, async (folder, flags) => {
    const status = await readStatus(folder, context.config(flags), context.wiring);
    if (flags["json"]) printJson(context.terminal, status);
    else printFields(context.terminal, listFields(status));
    return exitCodesByLevel[status.level];
  });
}

const exitCodesByLevel = {
  ok: exitCodes.ok,
  warning: exitCodes.findings,
  critical: exitCodes.usage,
} as const;

function listFields(status: Status): readonly (readonly [string, string | undefined])[] {
  const { server, sources, repositories, disk, files, callsToday } = status;
  const unread = repositories.filter(({ leftOut }) => leftOut);
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
  return [
    ["state", status.level],
    ...status.concerns.map(({ weight, text }) => [weight, text] as const),
    ["server", server && describeServer(server, status.at)],
    ["database", status.database],
    ["people", formatCount(status.people)],
    ["index", status.index ?? "in the database"],
    ...sources.map(
      ({ id, fault, completedAt, people }) =>
        [
          "source",
          `${id}: ${fault ?? `read whole ${describeAge(completedAt, status.at)}`}, ${formatCounted(people, "person", "people")}`,
        ] as const,
    ),
    [
      "repositories",
      `${formatCount(repositories.length)}${unread.length > 0 ? `, ${formatCount(unread.length)} not read by the last run` : ""}`,
    ],
    ...unread.map(({ path, leftOut }) => ["", `${path}: ${formatReading(leftOut)}`] as const),
    ["backup", describeBackup(status)],
    ...status.copies.map(({ id, at, archives }) => {
      const newest = at && `, the newest archive made ${describeAge(at, status.at)}`;
      const kept = `${archives} kept${newest ?? ""}`;
      return ["copy", `${id}: ${archives === undefined ? "not reached yet" : kept}`] as const;
    }),
    ["disk", disk && `${formatBytes(disk.freeBytes)} of ${formatBytes(disk.bytes)} free`],
    ["files", `${formatBytes(bytes)}${describeGrowth(status)}`],
    ["calls today", formatCount(callsToday)],
    ["certificate", status.certificateEnds && `until ${status.certificateEnds.slice(0, 10)}`],
  ];
}

function describeServer({ address, process, version, startedAt, ready }: Server, at: string) {
  const started = startedAt && `started ${describeAge(startedAt, at)}`;
  const facts = [address, `process ${process}`, version && `version ${version}`, started];
  return [...facts, ready ? "ready" : "not ready"].filter(Boolean).join(", ");
}

type Server = NonNullable<Status["server"]>;

function describeBackup({ lastBackup, backupsKept, at }: Status): string | undefined {
  const ofDatabase = "made with the database";
  if (backupsKept === undefined)
    return lastBackup ? `${describeAge(lastBackup.at, at)}, ${ofDatabase}` : ofDatabase;
  const kept = backupsKept > 0 ? `; ${backupsKept} kept` : "";
  if (!lastBackup) return `never${kept}`;
  return `${describeAge(lastBackup.at, at)}, ${lastBackup.file ?? "not in the folder of backups"}${kept}`;
}

function describeGrowth({ growth }: Status): string {
  if (!growth) return "";
  const [by, since] = [formatBytes(Math.abs(growth.bytes)), growth.since.slice(0, 10)];
  return `, ${by} ${growth.bytes < 0 ? "less" : "more"} than on ${since}`;
}

const describeAge = (instant: string | undefined, now: string) =>
  instant === undefined ? "never" : formatTimeDistance(new Date(instant), new Date(now));
