/**
 * Search over generated developers, compared with the same people in other engines: as one MiniSearch document each, in
 * SQLite's FTS5, in Orama, and, where it is installed, in a PostgreSQL server of their own with a GIN index. All answer
 * the same queries in the same run, and must find equal totals. The ratios matter more than milliseconds, which depend on
 * the machine. A unit is one pass over one number for each developer. From a million developers on, queries that find a
 * fixed number of people are compared with a pool of a tenth of the size.
 *
 * `--engine-only` leaves the rivals out, which would need several gigabytes at a million developers; `--only RIVAL,...`
 * selects some.
 */
import { createMemoryIndex } from "../../../src/search/memory/memory-index.ts";
import type { SearchIndex, SearchQuery } from "../../../src/search/search-index.ts";
import { defineMeasurement } from "../measurement.ts";
import { queryShapes, selectiveQuery, variants } from "../query-shapes.ts";
import { fts5Rival } from "../rivals/fts5.ts";
import { minisearchRival } from "../rivals/minisearch.ts";
import { oramaRival } from "../rivals/orama.ts";
import { postgresRival } from "../rivals/postgres.ts";
import type { BuildRival } from "../rivals/rival.ts";
import { atLeast, atMost, comparePairs, median, percentile, type Row } from "../rows.ts";
import { createSyntheticPool, people, places, vocabulary } from "../synthetic-people.ts";

/** For each rival, how many times as fast the engine must be, as the median over the shapes, at 100,000 developers. */
const rivals: Readonly<Record<string, { readonly build: BuildRival; readonly bar: number }>> = {
  minisearch: { build: minisearchRival, bar: 20 },
  fts5: { build: fts5Rival, bar: 20 },
  orama: { build: oramaRival, bar: 20 },
  postgres: { build: postgresRival, bar: 3 },
};
const million = 1_000_000;
/**
 * At 1,000,000 developers: `p50` and `p99` over all queries, in units; `growth` as a multiple of the time at a tenth of
 * the developers.
 */
const millionBars = { p50: 0.25, p99: 1.5, growth: 5 };
/** The engine answers in microseconds, so it needs many rounds until its code is compiled; SQLite needs no warm-up. */
const rounds = { roster: { untimed: 30, timed: 20 }, rival: { untimed: 1, timed: 2 } };

export const measurement = defineMeasurement({
  about: "Search over generated developers, against other engines over the same people.",
  options: { developers: 100_000, "engine-only": false, only: [] as readonly string[] },
  async run({ developers, only, "engine-only": isAlone }) {
    const { search, buildMs } = await openEngine(developers);
    const rows: Row[] = [
      { name: "search.developers", value: developers, unit: "people" },
      { name: "search.build", value: buildMs, unit: "ms" },
      ...(await measureEngine(search, developers)),
    ];
    if (developers >= million) rows.push(await compareWithTenth(search, developers));
    for (const [name, { build, bar }] of Object.entries(rivals)) {
      if (isAlone || (only.length > 0 && !only.includes(name))) continue;
      const rival = await build(people(developers));
      if (typeof rival === "string") {
        console.error(`${rival}: left out`);
        continue;
      }
      // Measured again beside each rival, because the load of the machine changes within minutes.
      const ours = await timeEngine(search);
      rows.push(...compareShapes(name, bar, await timeShapes(rival.total, rounds.rival), ours));
      await rival.close?.();
    }
    await search.close();
    const of = developers < million ? "search" : "search-million";
    return { rows: rows.map((row) => ({ ...row, name: row.name.replace("search", of) })) };
  },
});

async function measureEngine(search: SearchIndex, developers: number): Promise<Row[]> {
  const engine = await timeEngine(search);
  const unitMs = timeUnit(developers);
  const every = [...engine.values()].flatMap(({ ms }) => ms);
  const inUnits = (percent: 50 | 99) => {
    const value = percentile(every, percent);
    const ratio = value / unitMs;
    const row = {
      name: `search.p${percent}`,
      value,
      unit: "ms",
      ratio,
      against: { what: "one pass over a number each", value: unitMs },
    };
    // The bars were set for a million developers; at other sizes the figures are only shown.
    return developers < million ? row : atMost(millionBars[`p${percent}`], row);
  };
  return [
    { name: "search.unit", value: unitMs, unit: "ms" },
    ...[inUnits(50), inUnits(99)],
    ...[...engine].flatMap(([shape, { ms }]) => shapeRows(shape, "roster", ms)),
  ];
}

function timeEngine(search: SearchIndex): Promise<Map<string, Timed>> {
  return timeShapes((query) => askAnew(search, query), rounds.roster);
}

let asked = 0;

/** No question is asked twice, because a cached answer is not what is measured. */
async function askAnew(search: SearchIndex, query: SearchQuery): Promise<number> {
  const unlike = { ...query, asked: asked++ };
  return (await search.find(unlike)).total;
}

/** Compares queries that find equally many people in a large and a small pool, in turns: their time should not grow. */
async function compareWithTenth(large: SearchIndex, developers: number): Promise<Row> {
  const tenth = developers / 10;
  const { search: small } = await openEngine(tenth);
  const time = async (search: SearchIndex, size: number) => {
    const query = (variant: number) => selectiveQuery(size, variant);
    const answer = (asked: SearchQuery) => askAnew(search, asked);
    return percentile((await timeShape(query, answer, rounds.roster)).ms, 50);
  };
  const pairs: { p50: number; ratio: number }[] = [];
  for (let round = 0; round < 5; round++) {
    const before = await time(small, tenth);
    const p50 = await time(large, developers);
    pairs.push({ p50, ratio: p50 / before });
  }
  await small.close();
  const value = median(pairs.map(({ p50 }) => p50));
  const ratio = median(pairs.map((pair) => pair.ratio));
  const row = { name: "search.selective-p50", value, unit: "ms", ratio };
  return atMost(millionBars.growth, {
    ...row,
    against: { what: "a tenth of the developers", value: value / ratio },
  });
}

async function openEngine(developers: number): Promise<{ search: SearchIndex; buildMs: number }> {
  const pool = createSyntheticPool(developers);
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
  // Collects what the generator of the people has left, so that the engine does not do it while it is measured.
  Bun.gc(true);
  return { search, buildMs };
}

interface Timed {
  readonly ms: readonly number[];
  /** By variant. */
  readonly totals: readonly number[];
}

interface Rounds {
  readonly untimed: number;
  readonly timed: number;
}

type Answer = (query: SearchQuery) => number | Promise<number>;

async function timeShapes(answer: Answer, rounds: Rounds): Promise<Map<string, Timed>> {
  const timed = new Map<string, Timed>();
  for (const [shape, make] of Object.entries(queryShapes)) {
    timed.set(shape, await timeShape(make, answer, rounds));
  }
  return timed;
}

async function timeShape(
  make: (variant: number) => SearchQuery,
  answer: Answer,
  { untimed, timed }: Rounds,
): Promise<Timed> {
  const queries = Array.from({ length: variants }, (_, variant) => make(variant));
  let totals: number[] = [];
  for (let round = 0; round < untimed; round++) totals = await Promise.all(queries.map(answer));
  const ms: number[] = [];
  for (let round = 0; round < timed; round++) {
    for (const query of queries) {
      const startedAt = performance.now();
      await answer(query);
      ms.push(performance.now() - startedAt);
    }
  }
  return { ms, totals };
}

/** @throws when the rival finds other totals. */
function compareShapes(
  name: string,
  bar: number,
  rival: ReadonlyMap<string, Timed>,
  ours: ReadonlyMap<string, Timed>,
): Row[] {
  const rows: Row[] = [];
  const p50s = { rival: [] as number[], ours: [] as number[] };
  for (const [shape, { ms, totals }] of rival) {
    const engine = ours.get(shape);
    if (engine?.totals.join() !== totals.join()) {
      throw new Error(`${shape}: totals differ: ${name} ${totals}, ours ${engine?.totals}`);
    }
    p50s.rival.push(percentile(ms, 50));
    p50s.ours.push(percentile(engine.ms, 50));
    const [p50, p99] = shapeRows(shape, name, ms) as [Row, Row];
    rows.push({ ...p50, ratio: percentile(ms, 50) / percentile(engine.ms, 50) }, p99);
  }
  const against = { what: "Roster", values: p50s.ours };
  const all = comparePairs({ name: `search.${name}`, unit: "ms" }, p50s.rival, against);
  return [...rows, atLeast(bar, all)];
}

function shapeRows(shape: string, engine: string, ms: readonly number[]): Row[] {
  const name = `search.${engine}.${shape}`;
  return [
    { name: `${name}.p50`, value: percentile(ms, 50), unit: "ms" },
    { name: `${name}.p99`, value: percentile(ms, 99), unit: "ms" },
  ];
}

/** @returns the milliseconds of one pass over one number for each developer that keeps the largest. */
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
