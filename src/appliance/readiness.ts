/** Whether calls can be served now, for load balancers and monitors; the reasons are for people. */
import { statfsSync } from "node:fs";
import type { ControlStore } from "../control/control-store.ts";
import type { Modules } from "../operations/operation.ts";
import type { Dependencies } from "./data-folder.ts";
import type { FolderFaults } from "./folder/folder-faults.ts";
import { describeAway, isDatabaseAway } from "./reach-database.ts";

export interface Readiness {
  /** Empty when calls can be served. */
  readonly faults: () => Promise<readonly string[]>;
  readonly healthNotes: () => Promise<HealthNotes>;
  /** Reports from now on that the server is stopping. */
  drain(): void;
}

/** What operators watch and what never keeps calls from being served. */
interface HealthNotes {
  /** The latest, by command or schedule; `null` when there never was one. */
  readonly backup: { readonly at: string; readonly ageSeconds: number } | null;
  readonly warnings?: readonly string[];
  /** Nothing can be changed here. */
  readonly readOnly?: true;
}

/** Anyone may ask, so at most one probe per second is made, however often they do. */
const probeEveryMs = 1000;
/** Monitors wait no longer than a few seconds; a database that is silent is waited for longer elsewhere. */
const answerMsMax = 1500;
const silent = "the store does not answer";
/** Below this a charge soon fails: better to receive no more calls before that. */
const freeBytesMin = 1024 * 1024;

export function createReadiness(parts: {
  /** `undefined`: everything is in memory, and no disk can be full. */
  readonly folder: string | undefined;
  readonly control: ControlStore;
  readonly modules: Pick<Modules, "search" | "pool">;
  readonly folderFaults: Pick<FolderFaults, "list">;
  readonly isReadOnly: boolean;
  /** The schedule's complaint, if it has one. */
  readonly backupWarning: () => string | undefined;
  readonly dependencies: Pick<Dependencies, "now" | "log">;
}): Readiness {
  const { folder, control, modules, folderFaults, isReadOnly, backupWarning, dependencies } = parts;
  let isDraining = false;
  let probedMs = Number.NEGATIVE_INFINITY;
  let isProbing = false;
  let latest: Promise<string | undefined> = Promise.resolve(undefined);
  let isFaultLogged = false;

  /** What a call needs: its charge is written, and people are read, each on a connection of its own. */
  async function probe(): Promise<string | undefined> {
    isProbing = true;
    try {
      await Promise.all([control.probe(), modules.pool.revision()]);
      if (isFaultLogged) dependencies.log.info("the store takes writes again");
      isFaultLogged = false;
      return undefined;
    } catch (error) {
      // Once, since the log may lie on the same disk.
      if (!isFaultLogged) dependencies.log.warn({ err: error }, "the store takes no writes");
      isFaultLogged = true;
      return isDatabaseAway(error) ? await describeAway(error) : "the store takes no writes";
    } finally {
      isProbing = false;
    }
  }

  /** The fault of the latest probe, which is at most a second old, unless it has not been answered yet. */
  function findStoreFault(inTime: ReturnType<typeof startWaiting>): Promise<string | undefined> {
    if (control.failure()) return Promise.resolve("the store has stopped after a failed write");
    const at = dependencies.now().getTime();
    // A clock that went back must not make an old success look fresh.
    if (!isProbing && Math.abs(at - probedMs) >= probeEveryMs) {
      probedMs = at;
      latest = probe();
    }
    return inTime(latest, silent);
  }

  return {
    async faults() {
      const inTime = startWaiting();
      const fault = await findStoreFault(inTime);
      // A store that cannot be asked is a fault already, and is asked no more.
      const [clockFault, losses] =
        fault === undefined
          ? await Promise.all([
              inTime(control.clockFault(dependencies.now()), silent).catch(() => undefined),
              inTime(control.folder.losses(), []).catch(() => []),
            ])
          : [undefined, []];
      return [
        isDraining ? "the server is stopping" : undefined,
        modules.search.isReady ? undefined : "the search index is not loaded",
        fault,
        clockFault,
        hasFreeSpace(folder) ? undefined : "the disk is full",
        ...folderFaults.list(),
        ...losses,
      ].filter((one) => one !== undefined);
    },
    async healthNotes() {
      // A store that fails is among the faults; health must answer all the same.
      const inTime = startWaiting();
      const isAsked = (await findStoreFault(inTime)) === undefined;
      const ask = () => inTime(control.folder.lastBackup(), undefined).catch(() => undefined);
      const at = isAsked ? await ask() : undefined;
      const backup = at && describeBackup(at, dependencies.now());
      const warnings = [backupWarning(), backup && findEarlyBackup(backup)].filter(
        (warning) => warning !== undefined,
      );
      return {
        backup: backup ?? null,
        ...(warnings.length === 0 ? {} : { warnings }),
        ...(isReadOnly ? { readOnly: true } : {}),
      };
    },
    drain: () => {
      isDraining = true;
    },
  };
}

const describeBackup = (at: Date, now: Date) => ({
  at: at.toISOString(),
  ageSeconds: Math.round((now.getTime() - at.getTime()) / 1000),
});

function findEarlyBackup({ at, ageSeconds }: ReturnType<typeof describeBackup>) {
  if (ageSeconds >= 0) return undefined;
  return `the latest backup is of ${at}, which is still to come: the clock was ahead then, or is behind now`;
}

/** From now on, for all that is asked. @returns what gives `otherwise` when there is no answer by then. */
function startWaiting() {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, answerMsMax).unref();
  return <Answer>(asked: Promise<Answer>, otherwise: Answer): Promise<Answer> =>
    Promise.race([asked, late.then(() => otherwise)]);
}

function hasFreeSpace(folder: string | undefined): boolean {
  if (folder === undefined) return true;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= freeBytesMin;
}
