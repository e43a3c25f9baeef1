import { readFileSync } from "node:fs";
import { Command } from "commander";
import { databaseAddress } from "../../../../config/config.ts";
import { Fault } from "../../../../contract/fault.ts";
import type { MoveReceipt } from "../../../../move/move.ts";
import { type CliContext, createUsageFault, type Flags } from "../../cli-context.ts";
import { printFields, printJson } from "../../terminal.ts";

const help = `
Stop the server, or all nodes, first. The target must be empty, and gets everything
or nothing. The source stays unchanged, except for a note of the move: the folder is
not opened again, and nodes of the database are not ready, until roster doctor
--accept removes the note. Repeat a move that was interrupted. Keys still work,
counts continue, and forgotten people stay forgotten. The files of a node are not
moved: copy ingest.db, forges.db and roster.toml by hand.

All users of this machine can see an address on the command line: name a file instead.

Examples:
  roster move --data /var/lib/roster --to-file /etc/roster/database.url
  ROSTER_DATABASE_URL_FILE=/etc/roster/database.url roster move --to /var/lib/roster-back`;

export function createMoveCommand(context: CliContext): Command {
  const command = new Command("move")
    .summary("Move a data folder into a database, or back")
    .description(
      "Copies accounts, keys, counts, the audit log, people and erasures from the data folder into a PostgreSQL " +
        "database, or from the database that the settings name into a folder, and compares both.",
    )
    .option(
      "--to <TARGET>",
      "the address of an empty database, or a folder that is empty or missing",
    )
    .option("--to-file <FILE>", "read the address from this file");
  context.quietOption(context.commonOptions(command));
  command.addHelpText("after", help);
  return command.action(async (flags: Flags) => {
    const { terminal, signal } = context;
    const places = readPlaces(context, flags);
    // Loads the module only here, so that other commands start faster.
    const { copyStores } = await import("../../../../move/move.ts");
    const receipt = await context.withProgress((show) =>
      copyStores({
        ...places,
        signal,
        onProgress: ({ rows, rowsTotal, label }) =>
          show({ done: rows, total: rowsTotal, unit: "rows", label }),
      }),
    );
    if (flags["json"]) printJson(terminal, receipt);
    else {
      printFields(terminal, describe(receipt));
      const own = "ingest.db, forges.db and roster.toml are not moved: copy them by hand.";
      terminal.note(`${receipt.from} is unchanged, and will not be served again. ${own}`);
    }
  });
}

function readPlaces(context: CliContext, flags: Flags) {
  const { data, database } = context.config(flags);
  const to = readTarget(flags);
  const isAddress = databaseAddress.parse(to) !== undefined;
  if (isAddress && database.url !== undefined) {
    const text = "The settings name a database already: only a data folder can be moved into one.";
    throw new Fault("folder_only", text);
  }
  if (isAddress) return { url: to, folder: data, direction: "to database" } as const;
  if (/^[a-z]+:\/\//i.test(to))
    throw createUsageFault(`the target must be ${databaseAddress.rule}, or a folder`);
  if (database.url === undefined) {
    const text = "the settings name no database to move from: set ROSTER_DATABASE_URL";
    throw createUsageFault(text);
  }
  return { url: database.url, folder: to, direction: "to folder" } as const;
}

function readTarget({ to, toFile }: Record<string, unknown>): string {
  if ((to === undefined) === (toFile === undefined)) {
    throw createUsageFault("move needs either --to or --to-file");
  }
  if (to !== undefined) return String(to);
  try {
    return readFileSync(String(toFile), "utf8").trim();
  } catch (error) {
    throw new Fault("not_found", `${toFile} cannot be read: ${(error as Error).message}`);
  }
}

function describe({ from, to, tables }: MoveReceipt): readonly (readonly [string, string])[] {
  const rows = (name: string) => String(tables.find(({ table }) => table === name)?.rows ?? 0);
  const all = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    ["moved", from],
    ["to", to],
    ["accounts", rows("control.account")],
    ["keys, revoked ones too", rows("control.api_key")],
    ["audit entries", rows("control.audit")],
    ["versions of people", rows("pool.developer")],
    ["erasures", rows("pool.erasure")],
    ["compared", `${all} rows of ${tables.length} tables, equal on both sides`],
  ];
}
