/**
 * Search over generated developers, against the same people as one MiniSearch document each and in
 * SQLite's FTS5: the same queries in the same run, equal totals asserted. Ratios count; milliseconds
 * are this machine's.
 *
 * Options: `--developers N` (default 100,000); `--engine-only` leaves the rivals out, which at a
 * million developers would need several gigabytes; `--json`.
 */
import { createMemoryIndex } from "../../src/search/memory-index.ts";
import type { SearchIndex, SearchQuery } from "../../src/search/search-index.ts";
import { fts5Rival } from "./fts5-rival.ts";
import { minisearchRival } from "./minisearch-rival.ts";
import { queryShapes, variants } from "./query-shapes.ts";
import { median, type Row, report } from "./rows.ts";
import { type Person, people, places, vocabulary } from "./synthetic-people.ts";

/** Times as fast as each rival, median over the shapes, at 100,000 developers. */
const ratioBar = 20;
/** In units of one pass over a number per developer, over all queries, at 1,000,000 developers. */
const unitBars = { p50: 0.25, p99: 1.5 };
/** Answers of microseconds need many rounds until the compiler has settled; SQLite has none that needs to. */
const rounds = { roster: { untimed: 30, timed: 20 }, rival: { untimed: 1, timed: 2 } };
const rivals = { minisearch: minisearchRival, fts5: fts5Rival };

export async function benchSearch(argv: readonly string[]): Promise<boolean> {
  const developers = Number(argv[argv.indexOf("--developers") + 1]) || 100_000;
  const { search, buildMs } = await openEngine(developers);
  const engine = await timeShapes(async (query) => (await search.find(query)).total, rounds.roster);
  const unitMs = timeUnit(developers);
  const every = [...engine.values()].flatMap(({ ms }) => ms);
  const rows: Row[] = [
    { name: "search.developers", value: developers },
    { name: "search.build-ms", value: buildMs },
    { name: "search.unit-ms", value: unitMs },
    ...held("search.p50-units", percentile(every, 50) / unitMs, unitBars.p50, developers),
    ...held("search.p99-units", percentile(every, 99) / unitMs, unitBars.p99, developers),
  ];
  for (const [shape, { ms }] of engine) rows.push(...shapeRows(shape, "roster", ms));
  if (!argv.includes("--engine-only")) {
    for (const [name, build] of Object.entries(rivals)) {
      rows.push(
        ...compared(name, await timeShapes(build(people(developers)), rounds.rival), engine),
      );
    }
  }
  await search.close();
  return report(rows, argv.includes("--json"));
}

async function openEngine(developers: number): Promise<{ search: SearchIndex; buildMs: number }> {
  // The rows are asked for in ascending order, some at a time.
  const stream = people(developers);
  function* next(count: number) {
    for (let at = 0; at < count; at++) yield stream.next().value as Person;
  }
  const pool = {
    revision: async () => 1,
    searchableRows: async () => ({
      revision: 1,
      rowIds: Uint32Array.from({ length: developers }, (_, at) => at + 1),
    }),
    rankingFeatures: (rowIds?: Uint32Array) => inBatches(next(rowIds?.length ?? developers)),
    findables: () => inBatches([]),
  };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const edition = "bench";
  const search = createMemoryIndex({
    pool,
    places,
    vocabulary,
    poolFile: ":memory:",
    edition,
    log,
  });
  const startedAt = performance.now();
  await search.refresh();
  const buildMs = performance.now() - startedAt;
  // What the generator of the people left behind is not the engine's to clear up while it answers.
  Bun.gc(true);
  return { search, buildMs };
}

/** As the pool streams them. */
async function* inBatches<Row>(rows: Iterable<Row>): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < 256) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

interface Timed {
  readonly ms: readonly number[];
  /** By variant. */
  readonly totals: readonly number[];
}

async function timeShapes(
  answer: (query: SearchQuery) => number | Promise<number>,
  rounds: { readonly untimed: number; readonly timed: number },
): Promise<Map<string, Timed>> {
  const timed = new Map<string, Timed>();
  for (const [shape, make] of Object.entries(queryShapes)) {
    const queries = Array.from({ length: variants }, (_, variant) => make(variant));
    let totals: number[] = [];
    for (let round = 0; round < rounds.untimed; round++)
      totals = await Promise.all(queries.map(answer));
    const ms: number[] = [];
    for (let round = 0; round < rounds.timed; round++) {
      for (const query of queries) {
        const startedAt = performance.now();
        await answer(query);
        ms.push(performance.now() - startedAt);
      }
    }
    timed.set(shape, { ms, totals });
  }
  return timed;
}

function compared(whose: string, rival: Map<string, Timed>, ours: Map<string, Timed>): Row[] {
  const rows: Row[] = [];
  const ratios: number[] = [];
  for (const [shape, { ms, totals }] of rival) {
    const engine = ours.get(shape);
    if (engine?.totals.join() !== totals.join()) {
      throw new Error(`${shape}: totals differ: ${whose} ${totals}, ours ${engine?.totals}`);
    }
    const ratio = percentile(ms, 50) / percentile(engine.ms, 50);
    ratios.push(ratio);
    rows.push(...shapeRows(shape, whose, ms));
    rows.push({ name: `search.${whose}.${shape}.ratio`, value: ratio });
  }
  const ratio = median(ratios);
  const met = ratio >= ratioBar;
  return [...rows, { name: `search.${whose}.ratio`, value: ratio, bar: ratioBar, met }];
}

function shapeRows(shape: string, whose: string, ms: readonly number[]): Row[] {
  return [
    { name: `search.${whose}.${shape}.p50-ms`, value: percentile(ms, 50) },
    { name: `search.${whose}.${shape}.p99-ms`, value: percentile(ms, 99) },
  ];
}

/** The bar was set for a million developers; at another size the figure is only shown. */
function held(name: string, value: number, bar: number, developers: number): Row[] {
  return [developers < 1_000_000 ? { name, value } : { name, value, bar, met: value <= bar }];
}

/** Milliseconds of one pass over a number per developer that keeps the largest. */
function timeUnit(developers: number): number {
  const numbers = Float32Array.from({ length: developers }, (_, at) => Math.sin(at));
  const ms = Array.from({ length: 50 }, () => {
    const startedAt = performance.now();
    let largest = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < numbers.length; at++) {
      if ((numbers[at] as number) > largest) largest = numbers[at] as number;
    }
    const took = performance.now() - startedAt;
    if (largest === Number.NEGATIVE_INFINITY) throw new Error("nothing was measured");
    return took;
  });
  return median(ms);
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] as number;
}
