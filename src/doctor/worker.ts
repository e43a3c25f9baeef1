/** The worker thread that looks for damage while a server runs. `bun build --compile` must list it as an entry point. */

import { serveJobs } from "../contract/descriptors.ts";
import { checkDataFile } from "../data-files/data-files.ts";
import type { CheckJob, CheckResult } from "./background-checks.ts";

declare const self: Worker;

/** How many times longer a pause is than the step before it: a check uses at most a tenth of one processor. */
const restFactor = 9;

serveJobs(async ({ files }: CheckJob) => {
  for (const { file, path } of files) {
    const result = await check({ file, path }).catch(
      (error): CheckResult => ({ file, failure: String(error) }),
    );
    self.postMessage(result);
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
