/** The manifest is the first file of an archive. It describes the other files. */
import { findViolation } from "../contract/complaint.ts";
import { Fault } from "../contract/fault.ts";
import { tryParseJson } from "../contract/foreign-json.ts";
import { type Static, Type, Value } from "../contract/schema.ts";
import { everyDatabaseFile } from "../data-files/data-files.ts";
import { type DatabaseName, settingsName } from "../data-files/file-names.ts";
import { archivedNames, archiveForm } from "./archive-form.ts";

const settingsBytesMax = 2 ** 20;

const Count = Type.Integer({ minimum: 0 });

const Member = Type.Object({
  name: Type.Unsafe<DatabaseName | typeof settingsName>({
    type: "string",
    enum: [...archivedNames, settingsName],
  }),
  bytes: Count,
  /** The SHA-256 of the file, in hexadecimal. */
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  /** For a database, the number of its migrations. */
  form: Type.Optional(Count),
});

const Manifest = Type.Object({
  form: Type.String(),
  /** The version of the program that made the archive. */
  version: Type.String(),
  /** The name that `control.db` got when it was created. */
  instance: Type.Optional(Type.String()),
  /** The time of the backup, in ISO 8601 and UTC. */
  madeAt: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T[0-9:.]+Z$" }),
  /** The last entry of the audit log. */
  audit: Type.Optional(Type.Object({ sequence: Count, hash: Type.String() })),
  /** The counts of the archived databases. A database of an older version may lack a count. */
  counts: Type.Object({
    accounts: Type.Optional(Count),
    activeKeys: Type.Optional(Count),
    people: Type.Optional(Count),
    revision: Type.Optional(Count),
    /** The number of hashes on the suppression list. */
    suppressed: Type.Optional(Count),
    erasures: Type.Optional(Count),
    repositories: Type.Optional(Count),
    /** The number of forge accounts in the ledger. */
    forgeAccounts: Type.Optional(Count),
  }),
  members: Type.Array(Member),
});

/** Describes the content of an archive. */
export type BackupManifest = Static<typeof Manifest>;
export type BackupMember = Static<typeof Member>;

/**
 * Reads and checks a manifest. @package
 * @throws Fault if the text is no manifest, or if a newer Roster made the archive. The message names `file`.
 */
export function parseManifest(text: string, file: string): BackupManifest {
  const value = tryParseJson(text);
  const form = String((value as { form?: unknown } | undefined)?.form);
  const number = Number(/^urn:roster:backup:(\d{1,9})$/.exec(form)?.[1]);
  if (Number.isNaN(number)) throw new Fault("damaged_backup", `${file} is not a Roster backup.`);
  if (number > archiveForm) throw createNewerFault(file, value);
  if (!Value.Check(Manifest, value)) {
    const wrong = findViolation(Manifest, value);
    const reason = wrong ? `${wrong.field} ${wrong.reason}` : "it is malformed";
    throw new Fault("damaged_backup", `${file} is damaged: in its manifest, ${reason}.`);
  }
  requireMembers(value, file);
  if (value.members.some(isNewer)) throw createNewerFault(file, value);
  return value;
}

/** Checks that the files are in order, and that control.db and pool.db are present. */
function requireMembers({ members }: BackupManifest, file: string): void {
  const order: readonly string[] = [...archivedNames, settingsName];
  const places = members.map(({ name }) => order.indexOf(name));
  const isOrdered = places.every((place, at) => at === 0 || place > (places[at - 1] as number));
  const settings = members.find(({ name }) => name === settingsName);
  const isWhole = places.includes(0) && places.includes(1);
  if (isOrdered && isWhole && (settings?.bytes ?? 0) <= settingsBytesMax) return;
  const names = members.map(({ name }) => name).join(", ");
  throw new Fault(
    "damaged_backup",
    `${file} is damaged: its manifest lists the wrong files: ${names || "none"}.`,
  );
}

function isNewer({ name, form }: BackupMember): boolean {
  const known = everyDatabaseFile.find((file) => file.name === name)?.kind.migrations;
  return known !== undefined && (form ?? 0) > known.length;
}

function createNewerFault(file: string, manifest: unknown): Fault {
  const { version } = manifest as { version?: unknown };
  const by = typeof version === "string" ? `Roster ${version}` : "a newer Roster";
  return new Fault(
    "newer_backup",
    `${file} was made by ${by}, and this version cannot read its files. Use that version or a later one.`,
  );
}
