/** A short run of each kind of `scripts/fuzz`, with the seed of all tests; the scripts run for as long as one likes, with any other. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCampaign } from "../../scripts/fuzzing/campaign.ts";
import { type Kind, kindNames, kinds } from "../../scripts/fuzzing/kinds.ts";
import { drawSeed } from "../random.ts";

const seed = drawSeed("fuzz");
const casesMax: Readonly<Record<Kind, number>> = {
  http: 300,
  jsonl: 6,
  git: 4,
  diff: 60,
  forge: 3,
  mcp: 300,
  web: 100,
};
/** Where the cases are not through by then, fewer do. */
const milliseconds = 10_000;

describe(`bad input with the seed ${seed} (scripts/fuzz KIND --seed ${seed} repeats it)`, () => {
  for (const kind of kindNames) {
    test(`${kind}: nothing gives way`, async () => {
      const folder = mkdtempSync(join(tmpdir(), `roster-fuzz-${kind}-`));
      try {
        const bounds = { seed, milliseconds, casesMax: casesMax[kind] };
        const { cases, findings } = await runCampaign(kinds[kind], folder, bounds);
        expect(findings).toEqual([]);
        expect(cases).toBeGreaterThan(0);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }, 300_000);
  }
});
