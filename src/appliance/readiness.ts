/** Checks for load balancers and monitors whether the server can serve calls now. The reasons are sentences for people. */
import type { CopyState, ServerBackups } from "../backup/backup.ts";
import type { ControlStore } from "../control/control-store.ts";
import type { Modules } from "../operations/operation.ts";
import { identifyFile } from "../sqlite/connection.ts";
import { readFreeBytes } from "../sqlite/folder/disk-space.ts";
import type { Dependencies } from "./data-folder.ts";
import type { FolderFaults } from "./folder/folder-faults.ts";
import { describeAway, isDatabaseAway } from "./reach-database.ts";

export type Readiness = ReturnType<typeof createReadiness>;

const phaseFaults = {
  starting: "the server is starting",
  serving: undefined,
  stopping: "the server is stopping",
};

/** Notes about the server's state. They never prevent serving calls. */
interface HealthNotes {
  /** The latest backup. `null` means that there is none. If this is absent, the latest backup is unknown. */
  readonly backup?: { readonly at: string; readonly ageSeconds: number } | null;
  /** The copies of the backups elsewhere. Their warnings are among those below. */
  readonly copies?: readonly CopyState[];
  readonly warnings?: readonly string[];
  /** The pool's revision that searches see. It is absent until an index is loaded. */
  readonly index?: { readonly revision: number };
}

/** The store is probed at most once a second, because anyone may ask for readiness. */
const probeEveryMs = 1000;
/** The longest wait for a probe, because monitors wait only a few seconds. */
const answerMsMax = 1500;
const silent = "the store does not answer";
export const diskFull = "the disk is full";
/** With less free space, the server is not ready, because counting a call could fail. */
const freeBytesMin = 1024 * 1024;

export function createReadiness(parts: {
  /** The data folder. Undefined means that everything is in memory. */
  readonly folder: string | undefined;
  /** The paths of the open databases. */
  readonly files: readonly string[];
  readonly control: ControlStore;
  readonly modules: Pick<Modules, "search" | "pool">;
  readonly folderFaults: Pick<FolderFaults, "list">;
  /** Undefined if this server makes none. A node knows only of those that a command recorded. */
  readonly backups: Pick<ServerBackups, "warning" | "copies"> | undefined;
  readonly dependencies: Pick<Dependencies, "now" | "log">;
}) {
  const { folder, control, modules, folderFaults, dependencies } = parts;
  const findSwapped = rememberFiles(parts.files);
  let phase: keyof typeof phaseFaults = "starting";
  let probedMs = Number.NEGATIVE_INFINITY;
  let isProbing = false;
  let latest: Promise<string | undefined> = Promise.resolve(undefined);
  let isFaultLogged = false;

  /** Writes a charge and reads the pool, as each call does. */
  async function probe(): Promise<string | undefined> {
    isProbing = true;
    try {
      await Promise.all([control.probe(), modules.pool.revision()]);
      if (isFaultLogged) dependencies.log.info("the store can be written again");
      isFaultLogged = false;
      return undefined;
    } catch (error) {
      // Only the first failure is logged, because the log may be on the same disk.
      if (!isFaultLogged) dependencies.log.warn({ err: error }, "the store cannot be written");
      isFaultLogged = true;
      return isDatabaseAway(error) ? await describeAway(error) : "the store cannot be written";
    } finally {
      isProbing = false;
    }
  }

  /** Returns the fault that the latest probe found. Undefined means that the store works. */
  function findStoreFault(inTime: ReturnType<typeof startWaiting>): Promise<string | undefined> {
    if (control.failure()) return Promise.resolve("the store has stopped after a failed write");
    const at = dependencies.now().getTime();
    // If the clock went back, an old probe must not look recent.
    if (!isProbing && Math.abs(at - probedMs) >= probeEveryMs) {
      probedMs = at;
      latest = probe();
    }
    return inTime(latest, silent);
  }

  return {
    /** Lists faults. An empty list means that calls can be served. */
    async faults(): Promise<readonly string[]> {
      const inTime = startWaiting();
      const fault = await findStoreFault(inTime);
      // If the store has a fault, these answers would also come late.
      const [clockFault, losses] =
        fault === undefined
          ? await Promise.all([
              inTime(control.clockFault(dependencies.now()), silent).catch(() => undefined),
              inTime(control.folder.losses(), []).catch(() => []),
            ])
          : [undefined, []];
      const swapped = findSwapped();
      return [
        phaseFaults[phase],
        swapped && `${swapped} was moved or replaced under the running server: start it again`,
        modules.search.generation ? undefined : "the search index is not loaded",
        fault,
        clockFault,
        swapped || hasFreeSpace(folder) ? undefined : diskFull,
        ...folderFaults.list(),
        ...losses,
      ].filter((one) => one !== undefined);
    },
    async healthNotes(): Promise<HealthNotes> {
      const inTime = startWaiting();
      // A full disk takes no writes, but the store may still be readable.
      const isReadable = (await findStoreFault(inTime)) !== silent;
      const backup = isReadable ? await readBackup(parts, inTime) : undefined;
      return { ...pickIndex(modules.search), ...noteBackups(backup, parts.backups) };
    },
    /** Enters the next phase. A server is ready only in the phase `serving`. */
    enter: (next: "serving" | "stopping") => {
      phase = next;
    },
  };
}

const pickIndex = ({ generation }: Modules["search"]) =>
  generation && { index: { revision: generation.revision } };

function noteBackups(
  backup: HealthNotes["backup"] | undefined,
  backups: Parameters<typeof createReadiness>[0]["backups"],
): HealthNotes {
  const copies = backups?.copies() ?? [];
  const early = backup ? findEarlyBackup(backup) : undefined;
  const found = [backups?.warning(), early, ...copies.map(({ warning }) => warning)];
  const warnings = found.filter((warning) => warning !== undefined);
  return {
    ...(backup === undefined ? {} : { backup }),
    ...(copies.length === 0 ? {} : { copies }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Reads the latest backup. Undefined means that the store cannot be read. */
function readBackup(
  {
    control,
    dependencies,
    backups,
  }: Pick<Parameters<typeof createReadiness>[0], "control" | "dependencies" | "backups">,
  inTime: ReturnType<typeof startWaiting>,
): Promise<HealthNotes["backup"] | undefined> {
  const answer = control.folder
    .lastBackup()
    .then((at) => (at ? describeBackup(at, dependencies.now()) : backups ? null : undefined));
  return inTime(answer, undefined).catch(() => undefined);
}

const describeBackup = (at: Date, now: Date) => ({
  at: at.toISOString(),
  ageSeconds: Math.round((now.getTime() - at.getTime()) / 1000),
});

function findEarlyBackup({ at, ageSeconds }: ReturnType<typeof describeBackup>) {
  if (ageSeconds >= 0) return undefined;
  return `the latest backup is of ${at}, which is in the future: the clock was ahead then, or is behind now`;
}

/** Starts one time limit for several answers. @returns a function that replaces a late answer by `otherwise`. */
function startWaiting() {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, answerMsMax).unref();
  return <Answer>(answer: Promise<Answer>, otherwise: Answer): Promise<Answer> =>
    Promise.race([answer, late.then(() => otherwise)]);
}

/**
 * Notices when database files are replaced. This server and other processes would then no longer see each other's writes.
 * @returns a function that finds the path of a replaced file. Undefined means that no file was replaced.
 */
function rememberFiles(databases: readonly string[]): () => string | undefined {
  const paths = databases.flatMap((path) => [path, `${path}-shm`]);
  const before = paths.map(identifyFile);
  return () => paths.find((path, at) => identifyFile(path) !== before[at]);
}

const hasFreeSpace = (folder: string | undefined): boolean =>
  folder === undefined || readFreeBytes(folder) >= freeBytesMin;
