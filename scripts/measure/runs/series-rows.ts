/** What the runs of a size amount to, and how they compare: with the bars, with other programs, with a tenth of the size. */
import { atMost, comparePairs, median, type Row } from "../rows.ts";
import { comparePrograms, type Programs } from "./compare-programs.ts";
import type { RunUse } from "./measure-run.ts";
import type { RunKind, Series } from "./series.ts";

/** Milliseconds for each commit; seconds of processor time; MiB. What a run costs grows with the number of authors, on purpose. */
const bars = {
  firstMs: 0.21,
  seconds: { new: 6, forget: 6, merge: 6 } as Partial<Record<RunKind, number>>,
  peakMb: { first: 1024, new: 400 } as Partial<Record<RunKind, number>>,
};
/** The runs that ask git for every tip. */
const asks: readonly RunKind[] = ["idle", "new", "day"];
const kinds: readonly RunKind[] = ["first", "asking", "idle", "new", "forget", "merge", "day"];
/** Growth from less than this is that of the machine's noise. */
const leastSeconds = 0.1;
const unit = "s of CPU";

export interface MeasuredSize {
  readonly commits: number;
  readonly series: Series;
}

/** @param programs the first is held to the bars, the others are compared with it. */
export function toRows({ commits, series }: MeasuredSize, programs: Programs): Row[] {
  const size = `runs-${commits / 1000}k`;
  const rows = kinds.flatMap((kind) => {
    const name = `${size}.${kind}`;
    const uses = ofProgram(series, kind, 0);
    const over = (value: (use: RunUse) => number) => median(uses.map(value));
    const cpu = {
      name,
      ...(kind === "first"
        ? { value: (over((use) => use.cpu) * 1000) / commits, unit: "ms each" }
        : { value: getOwnSeconds(series, kind), unit }),
    };
    const peak = { name: `${name}-peak`, value: over(({ peakMb }) => peakMb), unit: "MB" };
    const all = { name: `${name}-all`, value: over((use) => use.cpu), unit };
    return [
      hold(kind === "first" ? bars.firstMs : bars.seconds[kind], cpu),
      ...(kind === "first" || asks.includes(kind) ? [all] : []),
      { name: `${name}-git`, value: over(({ git }) => git), unit },
      hold(bars.peakMb[kind], peak),
    ];
  });
  const compared = kinds.map((kind) => comparePrograms(`${size}.${kind}`, series[kind], programs));
  return [...rows, ...compared.flat()];
}

function hold(bar: number | undefined, row: Row): Row {
  return bar === undefined ? row : atMost(bar, row);
}

function ofProgram(series: Series, kind: RunKind, program: number): RunUse[] {
  return series[kind].map((uses) => uses[program] as RunUse);
}

/** @returns processor time of the first program, in seconds, without that of asking git for every tip. */
function getOwnSeconds(series: Series, kind: RunKind): number {
  const over = (each: RunKind) => median(ofProgram(series, each, 0).map(({ cpu }) => cpu));
  return asks.includes(kind) ? Math.max(0, over(kind) - over("asking")) : over(kind);
}

/** How much more each kind of run takes where ten times as much is known. */
export function compareSizes(small: MeasuredSize, large: MeasuredSize): Row[] {
  return kinds.flatMap((kind) => {
    const seconds = ({ commits, series }: MeasuredSize) =>
      kind === "first"
        ? (getOwnSeconds(series, kind) * 1e6) / commits
        : Math.max(leastSeconds, getOwnSeconds(series, kind));
    const peak = ({ series }: MeasuredSize) =>
      median(ofProgram(series, kind, 0).map(({ peakMb }) => peakMb));
    const compare = (name: string, unit: string, value: (of: MeasuredSize) => number): Row =>
      comparePairs({ name: `runs-growth.${name}`, unit }, [value(large)], {
        ...{ what: "a tenth", values: [value(small)] },
      });
    return [
      compare(kind, kind === "first" ? "s a million" : unit, seconds),
      compare(`${kind}-peak`, "MB", peak),
    ];
  });
}
