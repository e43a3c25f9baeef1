/**
 * Finishes erasures that a full disk or a crash has interrupted, as soon as possible. A child of the same program does it, because
 * rewriting a file takes long and calls must be answered meanwhile.
 */
import type { Config } from "../config/config.ts";
import type { Pool } from "../pool/pool.ts";
import type { Dependencies } from "./folder/open-files.ts";
import type { ErasureFinisher } from "./folder/space-reserve.ts";
import { type ChildProgram, listFolderFlags, startChild } from "./runs/child-program.ts";

/** The wait before an erasure counts as interrupted: one that is running finishes by itself. */
const patienceMs = 30_000;

export function createErasureFinisher(
  config: Config,
  { erasing }: Pick<Pool, "erasing">,
  { self, now, log }: Pick<Dependencies, "self" | "now" | "log">,
): ErasureFinisher {
  let child: ChildProgram | undefined;
  let fault: string | undefined;
  return {
    async look() {
      if (!self) return;
      const unfinished = await erasing.unfinished();
      const at = now().getTime();
      if (!unfinished.some((receipt) => Date.parse(receipt.at) + patienceMs < at)) return;
      child = startChild(self, ["forget", "--finish", ...listFolderFlags(config)]);
      const outcome = await child.ended;
      child = undefined;
      if (outcome.fault === undefined) log.info("erasures that were interrupted are finished");
      else if (outcome.fault !== fault)
        log.error({ fault: outcome.fault }, "an erasure is unfinished");
      fault = outcome.fault;
    },
    end: () => child?.end(),
  };
}
