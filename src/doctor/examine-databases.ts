/** Checks the databases and the index of a folder. Writes nothing there. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { closeAtEnd } from "../contract/close-at-end.ts";
import { type Fault, isFault } from "../contract/fault.ts";
import { describeUnread } from "../contract/people/history-end.ts";
import type { ControlStore } from "../control/control-store.ts";
import { openControlSnapshot } from "../control/sqlite/sqlite-control-store.ts";
import { checkDataFile, databaseFiles } from "../data-files/data-files.ts";
import { type DatabaseRole, databaseNames, indexName } from "../data-files/file-names.ts";
import {
  describeOtherModel,
  freezeForges,
  isRecountPending,
  listLocations,
  openForgeLedger,
  openLedger,
  readOperatorFiles,
} from "../ingest/ingest.ts";
import type { Pool } from "../pool/pool.ts";
import { openSqlitePool } from "../pool/sqlite/sqlite-pool.ts";
import { findIndexFault } from "../search/memory/memory-index.ts";
import { runCheck } from "../sqlite/check-database.ts";
import { type DatabaseKind, readFormNumber } from "../sqlite/database.ts";
import { createTemporaryCopies } from "../sqlite/folder/temporary-copies.ts";
import { openReadOnly, prepareForReading } from "../sqlite/read-only.ts";
import { comparePool } from "./compare-pool.ts";
import { examineBackup } from "./examine-backup.ts";
import { examineHistories, examineRepositories } from "./examine-histories.ts";
import type { Finding, Remedy } from "./finding.ts";

/** @package */
export interface ExaminedFolder {
  readonly folder: string;
  readonly now: Date;
  /** The version of this program. */
  readonly version: string;
  /** The operator's alias and class files. They are absent if the settings cannot be read. */
  readonly files?: Parameters<typeof readOperatorFiles>[0];
  /** The version of the scoring model. It is absent if the settings cannot be read. */
  readonly modelVersion?: string;
  /** The database with the accounts and people, if they are not in the folder. */
  readonly databaseUrl?: string;
}

/** @package */
export async function examineDatabases(examined: ExaminedFolder): Promise<readonly Finding[]> {
  const { folder } = examined;
  using copies = createTemporaryCopies();
  const findings = (Object.keys(databaseNames) as DatabaseRole[]).flatMap((file) =>
    examineFile(file, join(folder, databaseNames[file])),
  );
  // Damaged files are not compared.
  if (findings.some(({ level }) => level === "fault")) return findings;
  return [...findings, ...(await compareFiles(examined, createReadable(folder, copies)))];
}

/** @package @returns a function that returns the path of a database to read. An older database is copied and upgraded first. */
export function createReadable(folder: string, copies: ReturnType<typeof createTemporaryCopies>) {
  return (file: DatabaseRole) => {
    const { name, kind } = databaseFiles[file];
    return prepareForReading(join(folder, name), kind, copies.folder);
  };
}

const notThere = { ledger: "no git repository was read yet", forges: "no forge was asked yet" };

/** @package Examines one database without comparing it with others. */
export function examineFile(file: DatabaseRole, path: string): readonly Finding[] {
  const { name: about, kind, remedy } = databaseFiles[file];
  if (!existsSync(path)) {
    if (file === "ledger" || file === "forges")
      return [{ level: "ok", about, text: notThere[file] }];
    return [{ level: "fault", about, text: "it is gone", remedy }];
  }
  try {
    const form = readForm(path, kind);
    const damage = runCheck(checkDataFile(file, path));
    if (damage.length > 0) {
      return [...new Set(damage)].map((text) => ({ level: "fault", about, text, remedy }) as const);
    }
    if (form === kind.migrations.length) return [{ level: "ok", about, text: "whole" }];
    const text = `intact; in an older form (${form} of ${kind.migrations.length}), which the next start upgrades`;
    return [{ level: "warning", about, text, remedy: "start" }];
  } catch (error) {
    if (!isFault(error)) throw error;
    if (error.message.includes("has no -shm")) {
      const text = "its -wal file is not applied yet; the next start applies it";
      return [{ level: "warning", about, text, remedy: "start" }];
    }
    return [{ level: "fault", about, text: error.message, ...findRemedy(error, remedy) }];
  }
}

/** Chooses the remedy for a database that cannot be opened. */
function findRemedy({ code, message }: Fault, ofDamage: Remedy): { readonly remedy?: Remedy } {
  if (message.includes("newer Roster")) return { remedy: "newer_version" };
  if (message.includes("permission denied")) return { remedy: "permissions" };
  return code === "damaged" || code === "wrong_database" ? { remedy: ofDamage } : {};
}

function readForm(path: string, kind: DatabaseKind): number {
  using store = openReadOnly(path, kind);
  return readFormNumber(store.sqlite);
}

async function compareFiles(
  examined: ExaminedFolder,
  path: (file: DatabaseRole) => string,
): Promise<readonly Finding[]> {
  const { folder, now, version } = examined;
  let snapshot: ControlStore;
  try {
    // A loss is recorded in the copy only. The file itself stays unchanged.
    snapshot = openControlSnapshot(path("control"), {}, join(folder, databaseNames.control));
  } catch (error) {
    if (!isFault(error)) throw error;
    return [
      { level: "fault", about: databaseNames.control, text: error.message, remedy: "accept" },
    ];
  }
  await using control = closeAtEnd(snapshot);
  await using pool = closeAtEnd(openSqlitePool(path("pool"), { now: () => now, isReadOnly: true }));
  const hasLedger = existsSync(join(folder, databaseNames.ledger));
  const edition = { revision: await pool.revision(), edition: version };
  const fault = findIndexFault(join(folder, indexName), edition);
  return [
    ...(await examineControl(control, now, databaseNames.control)),
    examineBackup(await control.folder.lastBackup(), now),
    ...(await examinePool(control, pool)),
    ...(await examineModel(examined, pool, databaseNames.pool)),
    ...(await examineHistories(pool, now)),
    ...(hasLedger ? await compareLedger(examined, path, pool) : []),
    fault === undefined
      ? { level: "ok", about: indexName, text: "fits the pool" }
      : { level: "warning", about: indexName, text: fault, remedy: "rebuild_index" },
  ];
}

/** @package Checks whether the current model has scored all people. */
export async function examineModel(
  { modelVersion }: ExaminedFolder,
  pool: Pool,
  about: string,
): Promise<readonly Finding[]> {
  const text = modelVersion && (await describeOtherModel(pool, modelVersion));
  return text ? [{ level: "warning", about, text, remedy: "rescore" }] : [];
}

/** @package Checks whether commits were counted by the current rules, and whether all repositories can be read. */
export async function compareLedger(
  { folder, now, version, files }: ExaminedFolder,
  path: (file: DatabaseRole) => string,
  pool: Pool,
): Promise<readonly Finding[]> {
  using ledger = closeAtEnd(
    openLedger(path("ledger"), { version, now: () => now, isReadOnly: true }),
  );
  const hasForges = existsSync(join(folder, databaseNames.forges));
  using forges = hasForges
    ? closeAtEnd(openForgeLedger(path("forges"), { isReadOnly: true }))
    : undefined;
  const frozen = forges && freezeForges(forges);
  const about = databaseNames.ledger;
  const unread = describeUnread(listLocations(ledger));
  const findings: Finding[] = [...examineRepositories(ledger)];
  if (unread !== undefined)
    findings.push({ level: "warning", about, text: unread, remedy: "unread" });
  try {
    const operator = readOperatorFiles(
      files ?? { aliasFile: undefined, classFile: undefined, names: "repository" },
    );
    if (!(await isRecountPending({ ledger, pool, files: { ...operator, forges: frozen } })))
      return findings;
    const text = "people were counted with older identity rules";
    return [...findings, { level: "warning", about, text, remedy: "recount" }];
  } catch (error) {
    if (!isFault(error)) throw error;
    const { message: text } = error;
    return [...findings, { level: "warning", about: "settings", text, remedy: "settings" }];
  }
}

/** @package Lists what an operator must accept: losses of data, and a clock that has stepped back. */
export async function examineControl(
  control: ControlStore,
  now: Date,
  about: string,
): Promise<readonly Finding[]> {
  const losses = await control.folder.losses();
  const findings: Finding[] = losses.map((text) => ({
    ...{ level: "fault", about, text, remedy: "accept" },
  }));
  const clock = await control.clockFault(now);
  if (clock !== undefined) findings.push({ level: "fault", about, text: clock, remedy: "clock" });
  return findings;
}

async function examinePool(control: ControlStore, pool: Pool): Promise<readonly Finding[]> {
  const about = databaseNames.pool;
  const findings: Finding[] = [];
  const { pool: before } = await control.folder.knownFiles();
  const compared = await comparePool(control, pool, before);
  const { state, known, isOther, isOlder, erasuresMissing } = compared;
  if (isOther) {
    const text = "it is not the pool that control.db knows: it was swapped";
    findings.push({ level: "fault", about, text, remedy: "accept" });
  } else if (isOlder) {
    const text = `it is an older copy: it has changed ${state.changes} times, but control.db knows ${known?.changes} changes`;
    findings.push({ level: "fault", about, text, remedy: "restore" });
  }
  if (erasuresMissing > 0) {
    const text = `it lacks ${erasuresMissing} erasures that control.db knows; the next start repeats them`;
    findings.push({ level: "fault", about, text, remedy: "start" });
  }
  const unfinished = await pool.erasing.unfinished();
  if (unfinished.length > 0) {
    const text = `${unfinished.length} erasures are unfinished: old bytes may remain in the files; a server tries again each minute`;
    findings.push({ level: "warning", about, text, remedy: "start" });
  }
  return findings;
}
