import type { ServerBackups } from "../backup/backup.ts";
import { type Config, readS3Access } from "../config/config.ts";
import { Fault } from "../contract/fault.ts";
import type { AuditAction } from "../control/account-records.ts";
import type { Backups } from "../interfaces/web/web.ts";
import { type DataFolder, inMemory, type ServerDependencies } from "./data-folder.ts";

/** @returns the backups of a server. Undefined means that the server has no data folder to back up. */
export async function openBackups(
  { control, faults }: DataFolder,
  { data, database, environment, userEnvironment }: Config,
  { version, now, log, live }: ServerDependencies,
): Promise<ServerBackups | undefined> {
  if (data === inMemory || database.url !== undefined) return undefined;
  const { createServerBackups, openPlace } = await import("../backup/backup.ts");
  return createServerBackups({
    ...{ terms: () => live().backup, data, version, now, log },
    openPlace(id) {
      const copy = live().backup.copies.find((one) => one.id === id);
      if (!copy) throw new Fault("interrupted", "The settings have no such copy any more.");
      return openPlace(copy, () => readS3Access(live()), { ...environment, ...userEnvironment });
    },
    records: control.folder,
    isFolderSound: () => faults.list().length === 0,
  });
}

/** How long a page waits for a new backup. */
const smallMs = 2000;

/** Creates the actions of administrators on backups. The audit log records each action. */
export function createBackupActs(
  backups: ServerBackups,
  { backup }: Pick<Config, "backup">,
  { control, now }: Pick<DataFolder, "control"> & Pick<ServerDependencies, "now">,
): Backups {
  const record = (action: AuditAction, actor: string, subject: string, detail = {}) =>
    control.record({ at: now(), actor, action, subject, detail });
  const { keep, keepDaily, keepWeekly, keepMonthly } = backup;
  return {
    ...{ folder: backups.folder(), keep, keepDaily, keepWeekly, keepMonthly },
    isBesideData: backup.folder === undefined,
    canFetch: backup.download,
    everySeconds: backup.everyMs && backup.everyMs / 1000,
    ...{ list: backups.list, fault: backups.fault, copies: backups.copies },
    underWay() {
      const found = backups.underWay();
      if (!found) return undefined;
      const { by, startedAt, progress } = found;
      const { bytes: done = 0, bytesTotal: total, label } = progress ?? {};
      return {
        ...{ by, startedAt },
        progress: progress && { done, total, unit: "bytes", ...(label && { label }) },
      };
    },
    async start(by) {
      const busy = {
        ok: false,
        message: "A backup is being made already: wait for its end.",
      } as const;
      if (backups.underWay()) return busy;
      await record("backup.started", by, "");
      const made = backups.make(by);
      if (!made) return busy;
      await Promise.race([made, Bun.sleep(smallMs)]);
      const fault = backups.fault();
      return backups.underWay() || fault === undefined
        ? { ok: true }
        : { ok: false, message: fault };
    },
    async stop(by) {
      if (!backups.stop()) return false;
      await record("backup.stopped", by, "");
      return true;
    },
    async fetch(name, by) {
      const found = backup.download ? await backups.take(name) : undefined;
      if (!found) return undefined;
      await record("backup.fetched", by, found.name, { bytes: found.bytes });
      return Bun.file(found.path);
    },
  };
}
