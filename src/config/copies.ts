/** Reads the `[[backup.copies]]` of the settings file: the places where a server keeps copies of its backups. */
import { type Static, Type } from "../contract/schema.ts";
import {
  createText,
  createWhole,
  entryId,
  readTable,
  readTables,
  refuseUnknownSettings,
} from "./read-tables.ts";

const words = Type.Array(createText("a word of the command"), { minItems: 1 });
const count = Type.Optional(createWhole(0, 10_000));
const common = {
  ...{ id: entryId, keep: Type.Optional(createWhole(1, 10_000)) },
  ...{ keepDaily: count, keepWeekly: count, keepMonthly: count },
};
const StorageTable = Type.Object({
  ...common,
  to: createText(
    "an address such as s3://bucket/folder",
    "^s3://[a-z0-9][a-z0-9.-]+[a-z0-9](/[A-Za-z0-9][\\w.-]*)*/?$",
  ),
});
const commands = { write: words, read: words, list: words, remove: words };
const CommandsTable = Type.Object({ ...common, ...commands });

/** One of the `[[backup.copies]]`. What it does not say about keeping is as in the folder of backups. */
export type CopySettings = Static<typeof StorageTable> | Static<typeof CommandsTable>;

/** @package @throws Error that names the entry. */
export function readCopies(value: unknown): readonly CopySettings[] {
  return readTables("backup.copies", value, (table): CopySettings => {
    refuseUnknownSettings([StorageTable, CommandsTable], table);
    const given = Object.keys(commands).find((name) => name in table);
    if (!("to" in table)) return readTable(CommandsTable, table);
    if (given === undefined) return readTable(StorageTable, table);
    throw new Error(`${given} and to are two places: use one of them`);
  });
}
