/** Whether calls can be served now, asked by whoever routes traffic here; the reasons are for people. */
import { statfsSync } from "node:fs";
import type { ControlStore } from "../control/control-store.ts";
import type { Modules } from "../operations/operation.ts";
import type { Dependencies } from "./data-folder.ts";

interface Readiness {
  /** Empty when calls can be served. */
  readonly faults: () => Promise<readonly string[]>;
  /** From now on this server takes no new calls. */
  drain(): void;
}

/** Anybody may ask, so asking more often writes no more often. */
const probeMilliseconds = 1000;
/** Below this a charge soon fails: better to be sent no more calls before. */
const freeBytesMin = 1024 * 1024;

export function createReadiness(parts: {
  /** `undefined`: everything is in memory, and no disk can be full. */
  readonly folder: string | undefined;
  readonly control: ControlStore;
  readonly modules: Pick<Modules, "search">;
  readonly around: Pick<Dependencies, "now" | "log">;
}): Readiness {
  const { folder, control, modules, around } = parts;
  let isDraining = false;
  let probedAt = Number.NEGATIVE_INFINITY;
  let probing: Promise<string | undefined> = Promise.resolve(undefined);

  /** A write that reached the disk, at most a second ago. */
  function writeFault(): Promise<string | undefined> {
    const at = around.now().getTime();
    // A clock that went back must not make an old success look fresh.
    if (Math.abs(at - probedAt) < probeMilliseconds) return probing;
    probedAt = at;
    probing = control.probe().then(
      () => undefined,
      (error) => {
        around.log.warn({ err: error }, "the store takes no writes");
        return "the store takes no writes";
      },
    );
    return probing;
  }

  return {
    faults: async () =>
      [
        isDraining ? "the server is stopping" : undefined,
        modules.search.isReady ? undefined : "the search index is not loaded",
        control.failure() ? "the store has stopped after a failed write" : await writeFault(),
        await control.clockFault(around.now()),
        hasRoom(folder) ? undefined : "the disk is full",
      ].filter((fault) => fault !== undefined),
    drain: () => {
      isDraining = true;
    },
  };
}

function hasRoom(folder: string | undefined): boolean {
  if (folder === undefined) return true;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= freeBytesMin;
}
