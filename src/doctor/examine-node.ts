/** Checks the database that nodes share, and this node's folder. Writes nothing. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { closeAtEnd } from "../contract/close-at-end.ts";
import { isFault } from "../contract/fault.ts";
import {
  checkControlRows,
  controlSchemaKind,
  openPostgresControlStore,
} from "../control/postgres/postgres-control-store.ts";
import { databaseNames } from "../data-files/file-names.ts";
import { checkPoolRows, openPostgresPool, poolSchemaKind } from "../pool/postgres/postgres-pool.ts";
import { openPostgres, type PostgresDatabase } from "../postgres/database.ts";
import { toDatabaseFault } from "../postgres/database-failure.ts";
import { canMigrate, readSchemaForm } from "../postgres/migrate.ts";
import { checkStoredIndex, searchSchemaKind } from "../search/database/database-index.ts";
import { createTemporaryCopies } from "../sqlite/folder/temporary-copies.ts";
import {
  compareLedger,
  createReadable,
  type ExaminedFolder,
  examineControl,
  examineFile,
  examineModel,
} from "./examine-databases.ts";
import { examineFolder } from "./examine-folder.ts";
import { examineHistories } from "./examine-histories.ts";
import type { Finding } from "./finding.ts";

const about = "database";

/** @package */
export async function examineNode(
  examined: ExaminedFolder,
  url: string,
): Promise<readonly Finding[]> {
  const ofFolder = examineOwnFolder(examined);
  try {
    await using database = closeAtEnd(await openPostgres({ url, connectionsMax: 1 }));
    try {
      const ofDatabase = await examineDatabase(database);
      if (ofDatabase.some(({ remedy }) => remedy !== undefined))
        return [...ofFolder, ...ofDatabase];
      const ofIndex = await examineIndex(database, examined.version);
      return [...ofFolder, ...ofDatabase, ...ofIndex, ...(await examineStores(examined, url))];
    } catch (error) {
      throw toDatabaseFault(error, database.place);
    }
  } catch (error) {
    if (!isFault(error)) throw error;
    const remedy = error.code === "database_rights" ? "database_rights" : "database";
    return [...ofFolder, { level: "fault", about, text: error.message, remedy }];
  }
}

function examineOwnFolder({ folder }: ExaminedFolder): readonly Finding[] {
  const found = examineFolder(folder);
  if (!found) {
    return [
      { level: "ok", about: "folder", text: "it is not there yet: nothing was ingested here" },
    ];
  }
  const ledgers = (["ledger", "forges"] as const).flatMap((file) =>
    examineFile(file, join(folder, databaseNames[file])),
  );
  return [...found, ...ledgers];
}

async function examineDatabase(database: PostgresDatabase): Promise<readonly Finding[]> {
  const [row] = await database.sql`SELECT current_setting('server_version') AS version,
    (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = 'roster' AND pid <> pg_backend_pid()) AS others,
    current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous`;
  const text = `${database.place} is PostgreSQL ${row.version}; other nodes and commands have ${row.others} connections`;
  const findings: Finding[] = [{ level: "ok", about, text }];
  if (row.fsync === "off" || row.synchronous === "off") {
    const setting = row.fsync === "off" ? "fsync" : "synchronous_commit";
    const text = `${setting} is off: a crash of the server may lose calls that were acknowledged`;
    findings.push({ level: "warning", about, text });
  }
  for (const kind of [controlSchemaKind, poolSchemaKind, searchSchemaKind]) {
    const form = await readSchemaForm(database, kind);
    // Nodes with an index in memory do not need this schema.
    if (kind === searchSchemaKind && form === 0) continue;
    const newest = kind.migrations.length;
    if (form > newest) {
      const text = `its schema ${kind.name} is of a newer Roster (form ${form}; this one knows ${newest})`;
      findings.push({ level: "fault", about, text, remedy: "newer_version" });
    } else if (form < newest && !(await canMigrate(database, kind))) {
      const text = `its schema ${kind.name} has form ${form} of ${newest}, and this user may not upgrade it`;
      findings.push({ level: "fault", about, text, remedy: "database_rights" });
    } else if (form < newest) {
      const text = `its schema ${kind.name} has form ${form} of ${newest}, which the next start upgrades`;
      findings.push({ level: "warning", about, text, remedy: "start" });
    }
  }
  if (findings.some(({ remedy }) => remedy !== undefined)) return findings;
  return [...findings, ...(await examineRows(database))];
}

async function examineIndex(
  database: PostgresDatabase,
  version: string,
): Promise<readonly Finding[]> {
  if ((await readSchemaForm(database, searchSchemaKind)) === 0) return [];
  const index = await checkStoredIndex(database, version);
  if (!index) return [{ level: "ok", about, text: "no index of this Roster is in it" }];
  const { revision, developers, poolRevision, faults } = index;
  if (faults.length > 0) {
    return faults.map((fault) => ({
      ...{ level: "warning", about, remedy: "rebuild_shared_index" },
      text: `its index is incomplete: ${fault}`,
    }));
  }
  const behind = revision === poolRevision ? "" : `, ${poolRevision - revision} behind the pool`;
  const text = `its index has ${developers} people, revision ${revision}${behind}`;
  return [{ level: "ok", about, text }];
}

async function examineRows(database: PostgresDatabase): Promise<readonly Finding[]> {
  const { faults, ...counts } = await checkControlRows(database);
  const wrong = [...faults, ...(await checkPoolRows(database))];
  const remedy = "database_backup" as const;
  const { accounts, activeKeys, auditEntries } = counts;
  const held = `${accounts} accounts, ${activeKeys} active keys, ${auditEntries} audit entries`;
  if (wrong.length === 0) return [{ level: "ok", about, text: `intact: ${held}` }];
  return wrong.map((text) => ({ level: "fault", about, text, remedy }));
}

/** Lists the problems that the stores report. Call it only if the tables of the stores have the newest version. */
async function examineStores(examined: ExaminedFolder, url: string): Promise<readonly Finding[]> {
  const { folder, now } = examined;
  const options = { url, connectionsMax: 2 };
  await using control = closeAtEnd(await openPostgresControlStore(options));
  await using pool = closeAtEnd(await openPostgresPool(options, { now: () => now }));
  using copies = createTemporaryCopies();
  const findings = [...(await examineControl(control, now, about))];
  const unfinished = (await pool.erasing.unfinished()).length;
  if (unfinished > 0) {
    const text = `${unfinished} erasures were interrupted; the next start of a node finishes them`;
    findings.push({ level: "warning", about, text, remedy: "start" });
  }
  const text = `${await pool.size()} people, revision ${await pool.revision()}`;
  findings.push({ level: "ok", about, text }, ...(await examineHistories(pool, now)));
  findings.push(...(await examineModel(examined, pool, about)));
  if (!existsSync(join(folder, databaseNames.ledger))) return findings;
  const path = createReadable(folder, copies);
  return [...findings, ...(await compareLedger(examined, path, pool))];
}
