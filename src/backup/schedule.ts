/** Makes backups at intervals while a server runs, and keeps a number of them. */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../contract/fault.ts";
import type { FolderRecords } from "../control/folder-records.ts";
import { countHoldings } from "./count-holdings.ts";
import { backUp, recordBackup } from "./make-backup.ts";
import { openArchive } from "./read-archive.ts";
import { removeGently } from "./staging-folder.ts";

export interface ScheduleTerms {
  readonly everyMs: number;
  /** Must exist; `undefined` for `backups` in the data folder, which is created. */
  readonly folder: string | undefined;
  /** The number of backups that are kept. */
  readonly keep: number;
}

export interface ScheduleParts {
  readonly terms: ScheduleTerms;
  /** The data folder. */
  readonly data: string;
  readonly version: string;
  readonly now: () => Date;
  readonly records: Pick<FolderRecords, "noteBackup">;
  readonly log: ScheduleLog;
  /** While it returns false, no older backup is removed: the newest may contain the damage. */
  readonly isFolderSound: () => boolean;
}

interface ScheduleLog {
  info(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

export interface BackupSchedule {
  /** For people; set once the schedule has failed for longer than twice its interval. */
  warning(): string | undefined;
  /** Ends a backup under way. */
  close(): Promise<void>;
}

/** The wait after a failed backup; the interval, if that is shorter. */
const retryMs = 10 * 60_000;
/** The longest timer: timers cannot be longer than 24 days, and the clock may be set meanwhile. */
const lookEveryMs = 60_000;

/** Makes backups from now on. The process may end meanwhile: its timers do not keep it alive. */
export function startBackupSchedule(parts: ScheduleParts): BackupSchedule {
  const { terms, data, now, log } = parts;
  const folder = terms.folder ?? join(data, "backups");
  const ending = new AbortController();
  const since = now().getTime();
  let lastMs: number | undefined;
  let triedMs = Number.NEGATIVE_INFINITY;
  let fault: string | undefined;
  let running: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    const at = now().getTime();
    // A clock that went back must not delay the next backup by as much.
    const isOld = (beginMs: number, afterMs: number) => Math.abs(at - beginMs) >= afterMs;
    if (!isOld(triedMs, Math.min(retryMs, terms.everyMs))) return;
    try {
      lastMs ??= (await listOwnBackups(folder, data)).at(-1)?.madeMs;
      if (lastMs !== undefined && !isOld(lastMs, terms.everyMs)) return;
      triedMs = at;
      lastMs = await makeBackup(parts, folder, ending.signal);
      fault = undefined;
    } catch (error) {
      if (ending.signal.aborted) return;
      triedMs = at;
      fault = isFault(error) ? error.message : String(error);
      log.error({ fault }, "no backup was made; it is tried again");
    }
  }

  let timer: Timer;
  const next = (milliseconds: number) => {
    if (ending.signal.aborted) return;
    timer = setTimeout(() => {
      running = look().finally(() => next(Math.min(lookEveryMs, terms.everyMs)));
    }, milliseconds).unref();
  };
  next(0);
  return {
    warning() {
      const silentMs = now().getTime() - (lastMs ?? since);
      if (fault === undefined || silentMs <= 2 * terms.everyMs) return undefined;
      const last = lastMs === undefined ? "none" : `the last one ${new Date(lastMs).toISOString()}`;
      return `backups are due every ${terms.everyMs / 1000} s and fail (${last}): ${fault}`;
    },
    async close() {
      ending.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/** @returns the time of the backup. */
async function makeBackup(
  { terms, data, version, now, records, log, isFolderSound }: ScheduleParts,
  folder: string,
  signal: AbortSignal,
): Promise<number> {
  if (terms.folder === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const startedAt = performance.now();
  const target = join(folder, nameBackup(now()));
  const receipt = await backUp({ data, target, version, now, signal });
  await recordBackup(records, receipt, "server");
  const removed = isFolderSound() ? await removeOldest(folder, data, target, terms.keep) : 0;
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  log.info({ file: target, bytes: receipt.bytes, seconds, removed }, "backup made");
  return Date.parse(receipt.manifest.madeAt);
}

const namePattern = /^roster-\d{4}-\d{2}-\d{2}T\d{6}Z\.tar\.zst$/;

function nameBackup(at: Date): string {
  return `roster-${at.toISOString().slice(0, 19).replaceAll(":", "")}Z.tar.zst`;
}

interface OwnBackup {
  readonly path: string;
  readonly madeMs: number;
  /** The end of the audit log, which grows with each backup, whatever the clock says. */
  readonly sequence: number;
}

/** Scheduled backups of this instance, oldest first: servers may share a folder. */
async function listOwnBackups(folder: string, data: string): Promise<readonly OwnBackup[]> {
  if (!existsSync(folder)) return [];
  const { instance, audit } = countHoldings(data, ["control.db"]);
  const names = readdirSync(folder).filter((name) => namePattern.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const manifest = await openArchive(path).catch(() => undefined);
      if (!manifest || manifest.instance !== instance) return undefined;
      const { sequence = 0 } = manifest.audit ?? {};
      // A restore took the folder back to a time before these backups: the next one is newer.
      const isAbandoned = sequence > (audit?.sequence ?? 0);
      const madeMs = Date.parse(manifest.madeAt);
      return { path, madeMs, sequence: isAbandoned ? 0 : sequence };
    }),
  );
  return found
    .filter((each) => each !== undefined)
    .sort((a, b) => a.sequence - b.sequence || a.madeMs - b.madeMs);
}

/** @param made the newest backup, which is kept in any case. */
async function removeOldest(
  folder: string,
  data: string,
  made: string,
  keep: number,
): Promise<number> {
  const others = (await listOwnBackups(folder, data)).filter(({ path }) => path !== made);
  const old = others.slice(0, Math.max(0, others.length - keep + 1));
  for (const { path } of old) await removeGently(path);
  return old.length;
}
