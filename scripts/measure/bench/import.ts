/**
 * Processor time of `import` for a file of people, compared with a bare loop that reads the same file, parses each line
 * and inserts it by a prepared statement, in transactions of as many lines. Then the same file again, in which no person
 * has changed, as a share of the first import; both without the program's own start. Last, peak memory. Processor time
 * depends less than elapsed time on what else the machine does. Measures dist/roster if it is built, the sources
 * otherwise.
 */
import { join } from "node:path";
import { writePeople } from "../demo-copies.ts";
import { defineMeasurement } from "../measurement.ts";
import { type CommandUse, measureCommand, roster } from "../processes.ts";
import { atMost, comparePairs, median, type Row } from "../rows.ts";

const bars = { ratio: 15, secondShare: 0.1, memoryMb: 400 };
const bareLoop = join(import.meta.dir, "../bare/insert-lines.ts");
const perHundredThousand = 100_000;

export const measurement = defineMeasurement({
  about: "Processor time and memory of `import`, against a bare loop over the same file.",
  options: { people: 20_000, runs: 1 },
  async run({ people, runs, work }) {
    const file = join(work, "people.jsonl");
    writePeople(file, people);
    const one = join(work, "one.jsonl");
    writePeople(one, 1);
    const measured: Measured[] = [];
    for (let run = 0; run < runs; run++)
      measured.push(await measure({ file, one }, join(work, `${run}`)));
    return { rows: toRows(measured, people) };
  },
});

type Measured = Record<"bare" | "first" | "second" | "start", CommandUse>;

async function measure(
  { file, one }: { readonly file: string; readonly one: string },
  data: string,
): Promise<Measured> {
  const options = ["--data", data, "--quiet", "--as-of", "2026-11-01"];
  const load = [...roster, "import", file, ...options];
  const bare = await measureCommand([process.execPath, bareLoop, file, `${data}.db`]);
  const first = await measureCommand(load);
  const second = await measureCommand(load);
  const start = await measureCommand([...roster, "import", one, ...options]);
  return { bare, first, second, start };
}

function toRows(runs: readonly Measured[], people: number): Row[] {
  const unit = "s of CPU";
  const each = (value: (run: Measured) => number) => runs.map(value);
  const scaled = (which: keyof Measured) =>
    each((run) => (run[which].cpu * perHundredThousand) / people);
  const ratio = median(
    each(({ first, second, start }) => {
      return Math.max(0, second.cpu - start.cpu) / (first.cpu - start.cpu);
    }),
  );
  const against = { what: "the first", value: median(scaled("first")) };
  const second = { name: "import.second-100k", value: median(scaled("second")), unit };
  const peak = Math.max(...each(({ first }) => first.peakMb));
  const bare = { what: "a bare loop", values: scaled("bare") };
  return [
    { name: "import.people", value: people, unit: "people" },
    { name: "import.start", value: median(each(({ start }) => start.cpu)), unit },
    atMost(bars.ratio, comparePairs({ name: "import.first-100k", unit }, scaled("first"), bare)),
    atMost(bars.secondShare, { ...second, ratio, against }),
    atMost(bars.memoryMb, { name: "import.peak", value: peak, unit: "MB" }),
  ];
}
