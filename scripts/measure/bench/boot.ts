/**
 * How long the engine takes from its start to its first answer with the stored index of a million developers, and what
 * memory it holds then, against a bare compiled `Bun.serve` that reads the same file once. Paired runs, medians, the ratio.
 * The pool is left out, because a start only opens its file, whatever its size. Needs Linux.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { buildGeneration } from "../../../src/search/generation/build.ts";
import { writeGeneration } from "../../../src/search/generation/file.ts";
import { defineMeasurement } from "../measurement.ts";
import { compileProgram, type FirstAnswer, timeToAnswer } from "../processes.ts";
import { atMost, comparePairs, median } from "../rows.ts";
import { createSyntheticPool, places } from "../synthetic-people.ts";

const bars = { ratio: 3, memoryMb: 1024 };

export const measurement = defineMeasurement({
  about: "From the start of the engine to its first answer from a stored index, and its memory.",
  options: { developers: 1_000_000, runs: 10 },
  async run({ developers, runs, work }) {
    const index = join(work, "search.index");
    await storeIndex(index, developers);
    const compile = (name: string) => compileProgram(join(import.meta.dir, "../bare", name), work);
    const [engine, bare] = [compile("start-engine.ts"), compile("read-file.ts")];
    const env = { INDEX: index };
    const ours: FirstAnswer[] = [];
    const others: FirstAnswer[] = [];
    for (let run = 0; run <= runs; run++) {
      ours.push(await timeToAnswer([engine], env));
      others.push(await timeToAnswer([bare], env));
    }
    // The first pair brings everything into the page cache, and does not count.
    const pick = (answers: readonly FirstAnswer[]) => answers.slice(1).map(({ ms }) => ms);
    const against = { what: "a bare start that reads the file", values: pick(others) };
    const memory = median(ours.slice(1).map(({ memoryMb }) => memoryMb));
    return {
      rows: [
        { name: "boot.developers", value: developers, unit: "people" },
        { name: "boot.file", value: statSync(index).size / 2 ** 20, unit: "MiB" },
        atMost(
          bars.ratio,
          comparePairs({ name: "boot.first-answer", unit: "ms" }, pick(ours), against),
        ),
        atMost(bars.memoryMb, { name: "boot.memory", value: memory, unit: "MiB" }),
      ],
    };
  },
});

async function storeIndex(file: string, developers: number): Promise<void> {
  const generation = await buildGeneration({
    rankingFeatures: createSyntheticPool(developers).rankingFeatures(),
    ancestors: (placeId) => places.ancestors(placeId),
    made: { revision: 1, edition: "bench" },
  });
  writeGeneration(file, generation);
}
