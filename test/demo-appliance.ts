/** An appliance of the demo people, as the executable starts it: judging five thousand people takes longer than most tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseNames } from "../src/data-files/file-names.ts";
import { demoAsOf } from "../src/ingest/ingest.ts";
import { openTestAppliance, type TestAppliance, type TestOptions } from "./appliance.ts";
import { placeReadyDemo } from "./ready-demo.ts";

/** In a folder of its own, which goes when it is closed. Without a build of these sources the people are judged here. */
export async function openDemoAppliance(
  options: Omit<TestOptions, "folder" | "people"> = {},
): Promise<TestAppliance> {
  const folder = mkdtempSync(join(tmpdir(), "roster-demo-"));
  placeReadyDemo(join(folder, databaseNames.pool), new Date(demoAsOf));
  const config = { ...options.config, demo: true };
  const appliance = await openTestAppliance({ ...options, people: [], folder, config });
  return {
    ...appliance,
    close: async () => {
      await appliance.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
