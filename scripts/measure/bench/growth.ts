/**
 * The same people in three engines: in memory, as bit-blocks in PostgreSQL, and in PostgreSQL with a GIN index. All must
 * find equal totals, and the first two equal pages. Each engine is a process of its own, and each database has a server
 * of its own with an operator's settings (`growth/kept-postgres.ts`). The engines take turns. Each round asks the same
 * questions of all shapes; the answers of the first round are compared, and the last round is timed.
 *
 * `--folder DIR` keeps what is built and uses what was built there, so that building and asking may be hours apart;
 * `--build` only builds; `--engines ENGINE,...` selects engines. The engine `citus`, which is three servers with that
 * extension, must be named until it is built. Without `--folder`, the folder in BENCH_GROWTH that is named after the
 * number of people is used if it exists, else a temporary one. Needs Linux; 10,000,000 people take up to 15 GB of disk.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SearchQuery } from "../../../src/search/search-index.ts";
import type { EnginePlace } from "../growth/engine.ts";
import { startWorker } from "../growth/start-worker.ts";
import type { Asked, Built } from "../growth/worker.ts";
import { defineMeasurement } from "../measurement.ts";
import { growthShapes } from "../query-shapes.ts";
import { atLeast, atMost, comparePairs, percentile, type Row } from "../rows.ts";

/**
 * Most milliseconds at p99 for up to a million people and for more, least ratio of GIN's p99 to ours, and most MB of a
 * node.
 */
const bars = { million: 10, more: 100, rival: 3, nodeMb: 300 };
const queriesPerShape = 50;
/** In the first two rounds, a node's code is still being compiled; with more than a million people, that matters less. */
const rounds = { million: 4, more: 2 };
const usualEngines = ["memory", "blocks", "gin"];

export const measurement = defineMeasurement({
  about: "The same people in memory, as bit-blocks in PostgreSQL, and under a GIN index.",
  options: { developers: 1_000_000, folder: "", build: false, engines: [] as readonly string[] },
  async run({ developers, build: isBuildOnly, work, ...given }) {
    const kept = given.folder || findKept(developers);
    const engines = given.engines.length > 0 ? given.engines : listEngines(kept);
    const folder = kept ?? work;
    // A database that root starts runs as another user, who must be able to reach its folder.
    if (!kept) chmodSync(work, 0o711);
    const rows: Row[] = [{ name: "developers", value: developers, unit: "people" }];
    for (const engine of engines) {
      const built = await buildOnce(engine, { developers, folder: join(folder, engine) });
      rows.push(...toBuiltRows(engine, built));
    }
    if (!isBuildOnly) rows.push(...(await askEach(engines, developers, folder)));
    const name = developers > 1_000_000 ? `growth-${developers / 1_000_000}m` : "growth";
    return { rows: rows.map((row) => ({ ...row, name: `${name}.${row.name}` })) };
  },
});

/** Written beside an engine once it is complete. */
type BuiltFile = Built & { readonly developers: number };

function listEngines(folder: string | undefined): readonly string[] {
  return folder && readBuilt(join(folder, "citus")) ? [...usualEngines, "citus"] : usualEngines;
}

function findKept(developers: number): string | undefined {
  const all = process.env["BENCH_GROWTH"];
  const folder = all && join(all, String(developers));
  return folder && existsSync(folder) ? folder : undefined;
}

function readBuilt(folder: string): BuiltFile | undefined {
  const file = join(folder, "built.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as BuiltFile) : undefined;
}

/** Builds what is not there yet. */
async function buildOnce(engine: string, place: EnginePlace): Promise<Built> {
  const { developers, folder } = place;
  const known = readBuilt(folder);
  if (known?.developers === developers) return known;
  if (known) throw new Error(`${folder} is of ${known.developers} people, not of ${developers}`);
  mkdirSync(folder, { recursive: true });
  const worker = startWorker(engine, place);
  const built = await worker.build();
  await worker.end();
  writeFileSync(join(folder, "built.json"), JSON.stringify({ developers, ...built }));
  console.error(`${engine}: built in ${Math.round(built.seconds)} s`);
  return built;
}

function toBuiltRows(engine: string, { seconds, bytes, peakMb }: Built): Row[] {
  return [
    { name: `${engine}.build`, value: seconds, unit: "s" },
    { name: `${engine}.build-peak`, value: peakMb, unit: "MB" },
    { name: `${engine}.disk`, value: bytes / 2 ** 20, unit: "MB" },
  ];
}

async function askEach(
  engines: readonly string[],
  developers: number,
  folder: string,
): Promise<Row[]> {
  const start = (engine: string) =>
    startWorker(engine, { developers, folder: join(folder, engine) });
  const workers = new Map(engines.map((engine) => [engine, start(engine)]));
  const ms = new Map(engines.map((engine) => [engine, new Map<string, readonly number[]>()]));
  const peaks = new Map<string, number>();
  const shapes = Object.entries(growthShapes);
  try {
    for (const [shape, make] of shapes) {
      const first = new Map<string, Asked>();
      for (const [engine, worker] of workers)
        first.set(engine, await worker.ask(listQueries(make)));
      requireEqual(shape, first);
    }
    const last = developers > 1_000_000 ? rounds.more : rounds.million;
    for (let round = 2; round <= last; round++) {
      for (const [shape, make] of shapes) {
        for (const [engine, worker] of workers) {
          const asked = await worker.ask(listQueries(make));
          ms.get(engine)?.set(shape, asked.ms);
          peaks.set(engine, asked.peakMb);
        }
      }
    }
  } finally {
    for (const worker of workers.values()) await worker.end();
  }
  return toRows(ms, peaks, developers);
}

function listQueries(make: (variant: number) => SearchQuery): SearchQuery[] {
  return Array.from({ length: queriesPerShape }, (_, variant) => make(variant));
}

function requireEqual(shape: string, asked: ReadonlyMap<string, Asked>): void {
  const [[engine, expected] = ["", undefined], ...others] = asked;
  for (const [other, { answers }] of others) {
    answers.forEach(({ total, page }, at) => {
      const wanted = expected?.answers[at];
      const where = `${shape}, query ${at}: ${engine} and ${other}`;
      if (total !== wanted?.total)
        throw new Error(`${where}: ${wanted?.total} and ${total} people`);
      if (page && wanted.page && JSON.stringify(page) !== JSON.stringify(wanted.page)) {
        throw new Error(`${where}: ${JSON.stringify(wanted.page)} and ${JSON.stringify(page)}`);
      }
    });
  }
}

type Times = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;

function toRows(times: Times, peaks: ReadonlyMap<string, number>, developers: number): Row[] {
  const over = (engine: string, percent: number) =>
    percentile([...(times.get(engine)?.values() ?? [])].flat(), percent);
  const rows: Row[] = [];
  for (const [engine, shapes] of times) {
    const p99 = { name: `${engine}.p99`, value: over(engine, 99), unit: "ms" };
    const bar = developers > 1_000_000 ? bars.more : bars.million;
    const peak = { name: `${engine}.node-memory`, value: peaks.get(engine) ?? 0, unit: "MB" };
    const isHeld = engine === "blocks";
    rows.push({ name: `${engine}.p50`, value: over(engine, 50), unit: "ms" });
    rows.push(isHeld ? atMost(bar, p99) : p99, isHeld ? atMost(bars.nodeMb, peak) : peak);
    for (const [shape, ms] of shapes) {
      for (const percent of [50, 99]) {
        const name = `${engine}.${shape}.p${percent}`;
        rows.push({ name, value: percentile(ms, percent), unit: "ms" });
      }
    }
  }
  if (!times.has("blocks") || !times.has("gin")) return rows;
  const against = { what: "bit-blocks", values: [over("blocks", 99)] };
  const row = comparePairs({ name: "gin-to-blocks.p99", unit: "ms" }, [over("gin", 99)], against);
  return [...rows, atLeast(bars.rival, row)];
}
