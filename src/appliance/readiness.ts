/** Whether calls can be served now, for load balancers and monitors; the reasons are for people. */
import { statfsSync } from "node:fs";
import { isFault } from "../contract/fault.ts";
import type { ControlStore } from "../control/control-store.ts";
import type { Modules } from "../operations/operation.ts";
import type { Dependencies } from "./data-folder.ts";
import type { FolderFaults } from "./folder/folder-faults.ts";

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

/** Anyone may ask, so at most one write per second is made, however often they do. */
const probeEveryMs = 1000;
/** Below this a charge soon fails: better to receive no more calls before that. */
const freeBytesMin = 1024 * 1024;

export function createReadiness(parts: {
  /** `undefined`: everything is in memory, and no disk can be full. */
  readonly folder: string | undefined;
  readonly control: ControlStore;
  readonly modules: Pick<Modules, "search">;
  readonly folderFaults: Pick<FolderFaults, "list">;
  readonly isReadOnly: boolean;
  /** The schedule's complaint, if it has one. */
  readonly backupWarning: () => string | undefined;
  readonly dependencies: Pick<Dependencies, "now" | "log">;
}): Readiness {
  const { folder, control, modules, folderFaults, isReadOnly, backupWarning, dependencies } = parts;
  let isDraining = false;
  let probedMs = Number.NEGATIVE_INFINITY;
  let probing: Promise<string | undefined> = Promise.resolve(undefined);
  let isWriteFaultLogged = false;

  /** The fault of the latest probe write, which is at most a second old. */
  function findWriteFault(): Promise<string | undefined> {
    const at = dependencies.now().getTime();
    // A clock that went back must not make an old success look fresh.
    if (Math.abs(at - probedMs) < probeEveryMs) return probing;
    probedMs = at;
    probing = control.probe().then(
      () => {
        if (isWriteFaultLogged) dependencies.log.info("the store takes writes again");
        isWriteFaultLogged = false;
        return undefined;
      },
      (error) => {
        // Once, since the log may lie on the same disk.
        if (!isWriteFaultLogged) dependencies.log.warn({ err: error }, "the store takes no writes");
        isWriteFaultLogged = true;
        return isFault(error, "database_away")
          ? "the database cannot be reached"
          : "the store takes no writes";
      },
    );
    return probing;
  }

  return {
    faults: async () =>
      [
        isDraining ? "the server is stopping" : undefined,
        modules.search.isReady ? undefined : "the search index is not loaded",
        control.failure() ? "the store has stopped after a failed write" : await findWriteFault(),
        // A store that cannot be asked is a fault already.
        await control.clockFault(dependencies.now()).catch(() => undefined),
        hasFreeSpace(folder) ? undefined : "the disk is full",
        ...folderFaults.list(),
        ...(await control.folder.losses().catch(() => [])),
      ].filter((fault) => fault !== undefined),
    async healthNotes() {
      // A store that fails is among the faults; health must answer all the same.
      const at = await control.folder.lastBackup().catch(() => undefined);
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

function hasFreeSpace(folder: string | undefined): boolean {
  if (folder === undefined) return true;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= freeBytesMin;
}
