/**
 * Processor time and peak memory of `forget` for one person, and of `ingest people` for a list of ten, of whole processes: with as
 * many people, and with a tenth of them, so that it shows what grows with those who are not concerned. Then cleaning a file
 * in place against rewriting it (`VACUUM`), per 100 MB of the same file. Measures dist/roster if it is built, the sources
 * otherwise.
 */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { poolFile } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { cleanFile } from "../../../src/sqlite/cleaning/clean-file.ts";
import { type Database, openDatabase } from "../../../src/sqlite/database.ts";
import { emptyLog } from "../../../src/sqlite/empty-log.ts";
import { listLogins } from "../demo-copies.ts";
import { defineMeasurement } from "../measurement.ts";
import { type CommandUse, measureCommand, measureCpu, roster } from "../processes.ts";
import { atMost, comparePairs, median, type Row } from "../rows.ts";

const bars = { seconds: 1, memoryMb: 200, growth: 1.5, rewriting: 0.2 };
const listed = 10;

export const measurement = defineMeasurement({
  about: "Processor time and memory of `forget` and of a small people file, and their growth.",
  options: { people: 30_000, runs: 5 },
  async run({ people, runs, work }) {
    const few = await fill(join(work, "few"), Math.ceil(people / 10));
    const many = await fill(join(work, "many"), people);
    const measured: Record<"forget" | "people", Pair[]> = { forget: [], people: [] };
    for (let run = 0; run < runs; run++) {
      measured.forget.push({ few: await forget(few, run), many: await forget(many, run) });
      measured.people.push({ few: await addList(few, run), many: await addList(many, run) });
    }
    return {
      rows: [
        { name: "erase.people", value: people, unit: "people" },
        ...toRows("erase.forget", measured.forget),
        ...toRows("erase.list-of-ten", measured.people),
        ...(await compareCleaning(join(many.data, "pool.db"), runs)),
      ],
    };
  },
});

interface Filled {
  readonly data: string;
  readonly logins: readonly string[];
}

interface Pair {
  readonly few: CommandUse;
  readonly many: CommandUse;
}

async function fill(data: string, people: number): Promise<Filled> {
  const file = `${data}.jsonl`;
  const copies = join(import.meta.dir, "../demo-copies.ts");
  await measureCommand([process.execPath, copies, file, String(people)]);
  await measureCommand([...roster, "import", file, "--data", data, "--quiet"]);
  const logins = listLogins(people, Math.floor(people / 100));
  return { data, logins };
}

function forget({ data, logins }: Filled, run: number): Promise<CommandUse> {
  return measureCommand([...roster, "forget", logins[run] as string, "--data", data]);
}

/** A list of other people each time, under the same name: those of the time before lose what it said. */
function addList({ data, logins }: Filled, run: number): Promise<CommandUse> {
  const file = join(data, "list.csv");
  const from = logins.length - (run + 1) * listed;
  const rows = logins.slice(from, from + listed).map((login) => `${login},Company ${run}`);
  writeFileSync(file, ["login,company", ...rows].join("\n"));
  return measureCommand([...roster, "ingest", "people", file, "--data", data]);
}

function toRows(name: string, pairs: readonly Pair[]): Row[] {
  const unit = "s of CPU";
  const many = pairs.map((pair) => pair.many.cpu);
  const few = { what: "a tenth of the people", values: pairs.map((pair) => pair.few.cpu) };
  return [
    atMost(bars.seconds, { name, value: median(many), unit }),
    atMost(bars.growth, comparePairs({ name: `${name}.growth`, unit }, many, few)),
    atMost(bars.memoryMb, {
      name: `${name}.peak`,
      value: Math.max(...pairs.map((pair) => pair.many.peakMb)),
      unit: "MB",
    }),
  ];
}

async function compareCleaning(path: string, runs: number): Promise<Row[]> {
  const file = openDatabase(path, poolFile);
  try {
    const [ours, other]: [number[], number[]] = [[], []];
    for (let run = 0; run < runs; run++) {
      ours.push(await measureEach(path, () => cleanFile(file, poolFile)));
      other.push(await measureEach(path, () => rewrite(file)));
    }
    const row = { name: "erase.clean-100mb", unit: "s of CPU" };
    return [atMost(bars.rewriting, comparePairs(row, ours, { what: "VACUUM", values: other }))];
  } finally {
    file.close();
  }
}

async function measureEach(path: string, work: () => unknown): Promise<number> {
  const { seconds } = await measureCpu(work);
  return (seconds * 1e8) / statSync(path).size;
}

function rewrite({ sqlite }: Database): void {
  sqlite.run("VACUUM");
  emptyLog(sqlite);
}
