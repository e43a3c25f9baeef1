/**
 * How long the engine takes from its start to its first answer with the index of a million developers stored, and what
 * memory it holds then, against a bare compiled `Bun.serve` that reads the same file once. Paired runs, medians, the ratio.
 * The pool is left out: its file is opened, and not read, whatever its size.
 *
 * Options: `--developers N` (default 1,000,000), `--runs N` (default 10), `--json`. Needs Linux.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildGeneration } from "../../src/search/generation/build.ts";
import { writeGeneration } from "../../src/search/generation/file.ts";
import { type Answered, timeToAnswer } from "./boot/time-to-answer.ts";
import { compileProgram } from "./http/processes.ts";
import { atMost, median, type Row, report } from "./rows.ts";
import { createSyntheticPool, places } from "./synthetic-people.ts";

const bars = { ratio: 3, memoryMb: 1024 };

export async function benchBoot(argv: readonly string[]): Promise<boolean> {
  const read = (flag: string, fallback: number) => Number(argv[argv.indexOf(flag) + 1]) || fallback;
  const [developers, runs] = [read("--developers", 1_000_000), read("--runs", 10)];
  const folder = mkdtempSync(join(tmpdir(), "roster-boot-"));
  try {
    const index = join(folder, "search.index");
    await storeIndex(index, developers);
    const engine = compileProgram(join(import.meta.dir, "boot/boot-engine.ts"), folder);
    const bare = compileProgram(join(import.meta.dir, "boot/bare-read.ts"), folder);
    const pairs: { engine: Answered; bare: Answered }[] = [];
    // The first pair brings all into the page cache.
    for (let run = 0; run <= runs; run++) {
      const env = { INDEX: index };
      pairs.push({ engine: await timeToAnswer(engine, env), bare: await timeToAnswer(bare, env) });
    }
    const of = (pick: (pair: (typeof pairs)[number]) => number) => median(pairs.slice(1).map(pick));
    const rows: Row[] = [
      { name: "boot.developers", value: developers, unit: "people" },
      { name: "boot.file", value: statSync(index).size / 2 ** 20, unit: "MiB" },
      atMost(bars.ratio, {
        name: "boot.first-answer",
        value: of((pair) => pair.engine.ms),
        unit: "ms",
        ratio: of((pair) => pair.engine.ms / pair.bare.ms),
        against: { what: "a bare start that reads the file", value: of(({ bare }) => bare.ms) },
      }),
      atMost(bars.memoryMb, {
        ...{ name: "boot.memory", value: of((pair) => pair.engine.memoryMb), unit: "MiB" },
      }),
    ];
    return report(rows, argv.includes("--json"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function storeIndex(file: string, developers: number): Promise<void> {
  const generation = await buildGeneration({
    rankingFeatures: createSyntheticPool(developers).rankingFeatures(),
    ancestors: (placeId) => places.ancestors(placeId),
    made: { revision: 1, edition: "bench" },
  });
  writeGeneration(file, generation);
}
