/** Makes the backups of a running server, at intervals or on request. Old backups are removed. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../contract/fault.ts";
import { startRepeating } from "../contract/start-repeating.ts";
import type { ControlStore } from "../control/control-store.ts";
import { type CopyParts, type CopyTerms, createCopies } from "./copies.ts";
import { backUp, recordBackup } from "./make-backup.ts";
import type { BackupHearing, BackupProgress } from "./read-archive.ts";
import {
  createBackupName,
  listAllBackups,
  listOwnBackups,
  removeOldBackups,
  type StoredBackup,
} from "./stored-backups.ts";

/** Without `everyMs`, backups are made only on request. */
interface BackupTerms extends CopyTerms {
  /** An existing folder. Undefined means the folder `backups` in the data folder. */
  readonly folder: string | undefined;
}

interface ServerBackupParts extends Omit<CopyParts, "folder"> {
  /** Returns the terms in force. A backup that is being made keeps those of its beginning. */
  readonly terms: () => BackupTerms;
  readonly version: string;
  readonly records: Pick<ControlStore["folder"], "noteBackup">;
  /** Whether no fault is known. With a fault, old backups are kept, because a new backup may contain the damage. */
  readonly isFolderSound: () => boolean;
}

export type ServerBackups = ReturnType<typeof createServerBackups>;

interface BackupUnderWay {
  readonly by: string;
  readonly startedAt: Date;
  readonly progress: BackupProgress | undefined;
}

/** The pause after a failed backup. It is never longer than the interval. */
const retryMs = 10 * 60_000;
/** The actor of scheduled backups. */
const scheduler = "server";
/** How often to check whether a backup is due. One long timer would ignore changes of the clock. */
const lookEveryMs = 60_000;
/** The longest time of a download. The archive is not removed during this time. */
const takenMs = 6 * 3_600_000;

export function createServerBackups(parts: ServerBackupParts) {
  const { terms, data, now } = parts;
  const folder = () => terms().folder ?? join(data, "backups");
  const taken = new Map<string, number>();
  const isTaken = (name: string) => now().getTime() - (taken.get(name) ?? 0) < takenMs;
  const copies = createCopies({ ...parts, folder });
  const mustStay = (name: string, isOld: boolean) => isTaken(name) || copies.isNeeded(name, isOld);
  const maker = createMaker({ ...parts, mustStay, onMade: copies.follow }, folder);
  const schedule = createSchedule(parts, folder, maker);
  return {
    ...{ folder, isTaken, warning: schedule.warning, copies: copies.states },
    /** Starts making backups at the interval, and copying them. */
    startSchedule() {
      schedule.start();
      copies.follow();
    },
    /** Takes over changed terms. */
    lookAgain() {
      schedule.lookAgain();
      copies.follow();
    },
    ...{ underWay: maker.underWay, fault: maker.fault, make: maker.make, stop: maker.stop },
    /** Lists the backups, newest first. */
    list: async (): Promise<readonly StoredBackup[]> =>
      [...(await listAllBackups(folder(), data))].reverse(),
    /** @returns a listed backup. The backup is not removed during the next hours, because it may be downloaded. */
    async take(name: string) {
      // The name is looked up in the list, so that a request cannot choose a path.
      const found = (await listAllBackups(folder(), data)).find((one) => one.name === name);
      if (found) taken.set(name, now().getTime());
      return found;
    },
    /** Cancels the running backup, and makes no more backups. */
    close: async () => void (await Promise.all([maker.close(), schedule.close(), copies.close()])),
  };
}

type Maker = ReturnType<typeof createMaker>;

/** Makes backups, one at a time. */
function createMaker(parts: MakeParts, folder: () => string) {
  const { terms, now, log } = parts;
  let triedMs = Number.NEGATIVE_INFINITY;
  let madeMs: number | undefined;
  let fault: string | undefined;
  let underWay: BackupUnderWay | undefined;
  let ending = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;
  const makeOne = async (actor: string, signal: AbortSignal) => {
    const onProgress = (progress: BackupProgress) => {
      if (underWay) underWay = { ...underWay, progress };
    };
    try {
      const atMs = await makeBackup(parts, folder(), { actor, signal, onProgress });
      if (actor === scheduler) madeMs = atMs;
      fault = undefined;
      parts.onMade();
    } catch (error) {
      if (signal.aborted) return;
      fault = isFault(error) ? error.message : String(error);
      const next = terms().everyMs === undefined ? "" : "; it is tried again";
      log.error({ fault }, `no backup was made${next}`);
    } finally {
      underWay = undefined;
    }
  };
  return {
    triedMs: () => triedMs,
    /** When a scheduled backup was last made. Undefined until one was made. */
    madeMs: () => madeMs,
    /** Describes the backup that is being made. Undefined means that there is none. */
    underWay: () => underWay,
    /** Why the last backup failed. Undefined means that it succeeded. */
    fault: () => fault,
    /**
     * Makes a backup now. @param actor who asked for the backup.
     * @returns a promise that resolves at the end, even after a failure. Undefined means that another backup is running.
     */
    make(actor: string): Promise<void> | undefined {
      if (underWay || isClosed) return undefined;
      ending = new AbortController();
      if (actor === scheduler) triedMs = now().getTime();
      underWay = { by: actor, startedAt: now(), progress: undefined };
      running = makeOne(actor, ending.signal);
      return running;
    },
    /** Cancels the running backup. @returns false if no backup was running. */
    stop() {
      ending.abort();
      return underWay !== undefined;
    },
    async close() {
      isClosed = true;
      ending.abort();
      await running;
    },
  };
}

function createSchedule(parts: ServerBackupParts, folder: () => string, maker: Maker) {
  const { terms, data, now } = parts;
  let since = now().getTime();
  let knownMs: number | undefined;
  let looking: ReturnType<typeof startRepeating> | undefined;
  const lastMs = () => maker.madeMs() ?? knownMs;
  const look = async (every: number) => {
    const at = now().getTime();
    // A clock that went back must not delay the next backup.
    const isOld = (beginMs: number, afterMs: number) => Math.abs(at - beginMs) >= afterMs;
    if (!isOld(maker.triedMs(), Math.min(retryMs, every))) return;
    // If the folder cannot be listed, the backup fails too and reports the reason.
    if (lastMs() === undefined) {
      const found = await listOwnBackups(folder(), data).catch(() => []);
      knownMs = found.findLast(({ isScheduled }) => isScheduled)?.madeAt.getTime();
    }
    const last = lastMs();
    if (last === undefined || isOld(last, every)) await maker.make(scheduler);
  };
  const work = async () => {
    const every = terms().everyMs;
    if (every !== undefined) await look(every);
    return Math.min(lookEveryMs, every ?? lookEveryMs);
  };
  return {
    start() {
      since = now().getTime();
      looking = startRepeating(work, 0);
    },
    /** Returns a warning if scheduled backups have failed for longer than twice the interval. */
    warning() {
      const { everyMs } = terms();
      const [last, fault] = [lastMs(), maker.fault()];
      const silentMs = now().getTime() - (last ?? since);
      if (everyMs === undefined || fault === undefined || silentMs <= 2 * everyMs) return undefined;
      const words = last === undefined ? "none" : `the last one ${new Date(last).toISOString()}`;
      return `backups are due every ${everyMs / 1000} s and fail (${words}): ${fault}`;
    },
    lookAgain: () => looking?.hurry(),
    close: async () => looking?.close(),
  };
}

interface MakeParts extends ServerBackupParts {
  /** Whether an archive must stay, because somebody may be downloading it or a copy elsewhere lacks it. */
  readonly mustStay: (name: string, isOld: boolean) => boolean;
  readonly onMade: () => void;
}

interface MakeOrder extends BackupHearing {
  readonly actor: string;
}

async function makeBackup(
  { terms, data, version, now, records, log, isFolderSound, mustStay }: MakeParts,
  folder: string,
  { actor, ...hearing }: MakeOrder,
): Promise<number> {
  const inForce = terms();
  if (inForce.folder === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const startedAt = performance.now();
  const target = join(folder, createBackupName(now(), actor === scheduler));
  const receipt = await backUp({ data, target, version, now, ...hearing });
  await recordBackup(records, receipt, actor);
  const kept = { ...inForce, folder, data };
  const removed = isFolderSound() ? await removeOldBackups(kept, target, mustStay) : 0;
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  log.info({ file: target, bytes: receipt.bytes, seconds, removed }, "backup made");
  return Date.parse(receipt.manifest.madeAt);
}
