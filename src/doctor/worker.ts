/** The worker thread that looks for damage while a server runs. */
import { serveJobs } from "../contract/descriptors.ts";
import { checkDataFile } from "../data-files/data-files.ts";
import type { CheckJob, CheckResult } from "./background-checks.ts";

declare const self: Worker;

/** A pause is this many times as long as the step before it, so that a check uses only a tenth of one processor. */
const restFactor = 9;

serveJobs(async ({ files }: CheckJob) => {
  for (const { file, path } of files) {
    const result = await check({ file, path }).catch(() => undefined);
    if (result) self.postMessage(result);
  }
  self.postMessage("done");
});

async function check({ file, path }: CheckJob["files"][number]): Promise<CheckResult> {
  const steps = checkDataFile(file, path);
  for (;;) {
    const startedMs = performance.now();
    const step = steps.next();
    if (step.done) return { file, findings: step.value };
    await Bun.sleep((performance.now() - startedMs) * restFactor);
  }
}
