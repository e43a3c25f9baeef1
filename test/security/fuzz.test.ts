/** A short run of each kind of `scripts/fuzz`; `scripts/explore` gives each a minute, and other seeds. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCampaign } from "../../scripts/fuzzing/campaign.ts";
import { type Kind, kindNames, kinds } from "../../scripts/fuzzing/kinds.ts";
import { isLong } from "../long.ts";
import { drawSeeds } from "../random.ts";

const kindSeeds = (kind: Kind) => drawSeeds(`fuzz ${kind}`, failedOnce[kind] ?? []);
/** Seeds that found a fault once: calls were counted in a later case. */
const failedOnce: Partial<Record<Kind, readonly number[]>> = { http: [1_339_780_898] };
const casesMax: Readonly<Record<Kind, number>> = { http: 40, jsonl: 2, git: 1 };
/** The time for the cases of one kind; on a slow machine fewer are tried. */
const milliseconds = isLong ? 60_000 : 10_000;

describe("bad input (scripts/fuzz KIND --seed SEED repeats it)", () => {
  const cases = kindNames.flatMap((kind) => kindSeeds(kind).map((seed) => [kind, seed] as const));
  for (const [kind, seed] of cases) {
    test(`${kind} with the seed ${seed}: nothing gives way`, async () => {
      const folder = mkdtempSync(join(tmpdir(), `roster-fuzz-${kind}-`));
      try {
        const bounds = { seed, milliseconds, ...(isLong ? {} : { casesMax: casesMax[kind] }) };
        const { cases, findings } = await runCampaign(kinds[kind], folder, bounds);
        expect(findings).toEqual([]);
        expect(cases).toBeGreaterThan(0);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }, 300_000);
  }
});
