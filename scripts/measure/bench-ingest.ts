/**
 * How much CPU `ingest git` takes on real repositories, its git processes included, against one `git log --raw
 * --numstat -M` pass of the same history with its output thrown away: paired runs, medians, the ratio. Then a second
 * run in which nothing is new, as a share of the first once the program's own start is taken off; and peak memory of
 * one process. CPU and not time, so that what else the machine does counts less; the time of the first run is shown.
 * Measures dist/roster when there is one, the sources otherwise.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { findRepositories } from "../../src/ingest/git/find-repositories.ts";
import { atMost, median, type Row, report } from "./rows.ts";

const bars = { ratio: 1.5, secondShare: 0.02, memoryMb: 400 };
const root = join(import.meta.dir, "../..");

/** @param argv repositories or folders of them, `--runs N` (default 3), `--json`. */
export async function benchIngest(argv: readonly string[]): Promise<boolean> {
  const runsAt = argv.indexOf("--runs");
  const runs = runsAt === -1 ? 3 : Number(argv[runsAt + 1]) || 3;
  const isOfRuns = (at: number) => runsAt !== -1 && at === runsAt + 1;
  const paths = argv.filter((arg, at) => !arg.startsWith("-") && !isOfRuns(at));
  const places = findRepositories(paths).flatMap((place) => ("reason" in place ? [] : [place]));
  if (places.length === 0) throw new Error("name repositories: scripts/bench ingest PATH...");
  const rows: Row[] = [];
  for (const { directory, path } of places) {
    const folder = resolve(path).replace(/\/(repo|\.git)$/, "");
    const name = folder === resolve(root) ? "roster" : basename(folder);
    rows.push(...(await measure(name, resolve(directory), runs)));
  }
  return report(rows, argv.includes("--json"));
}

async function measure(name: string, directory: string, runs: number): Promise<Row[]> {
  const executable = join(root, "dist/roster");
  const roster = existsSync(executable)
    ? [executable]
    : [process.execPath, join(root, "src/main.ts")];
  const folder = mkdtempSync(join(tmpdir(), "roster-ingest-"));
  try {
    const pairs: Record<"log" | "first" | "second" | "start", Run>[] = [];
    for (let run = 0; run < runs; run++) {
      const data = join(folder, `data-${run}`);
      const ingest = [...roster, "ingest", "git", directory, "--data", data, "--json"];
      const log = await time(["git", "-C", directory, "log", "--raw", "--numstat", "-M"]);
      const first = await time(ingest);
      const second = await time(ingest);
      // The same program over the same data, asked for next to nothing.
      const start = await time([...roster, "ingest", "list", "--data", data, "--json"]);
      pairs.push({ log, first, second, start });
    }
    const of = (value: (pair: (typeof pairs)[number]) => number) => median(pairs.map(value));
    const ratio = of(({ first, log }) => first.cpu / log.cpu);
    const share = of(({ first, second, start }) =>
      Math.max(0, (second.cpu - start.cpu) / first.cpu),
    );
    const memoryMb = Math.max(...pairs.map(({ first }) => first.peakMb));
    const row = (what: string, value: number, unit: string) => {
      return { name: `ingest.${name}.${what}`, value, unit };
    };
    const cpu = "s of CPU";
    return [
      row(
        "git-log",
        of(({ log }) => log.cpu),
        cpu,
      ),
      atMost(bars.ratio, {
        ...row(
          "first",
          of(({ first }) => first.cpu),
          cpu,
        ),
        ...{ ratio, against: { what: "git log", value: of(({ log }) => log.cpu) } },
      }),
      row(
        "first-time",
        of(({ first }) => first.seconds),
        "s",
      ),
      atMost(bars.secondShare, {
        ...row(
          "second",
          of(({ second }) => second.cpu),
          cpu,
        ),
        ...{ ratio: share, against: { what: "the first", value: of(({ first }) => first.cpu) } },
      }),
      row(
        "start",
        of(({ start }) => start.cpu),
        cpu,
      ),
      atMost(bars.memoryMb, row("peak", memoryMb, "MB")),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Run {
  readonly seconds: number;
  /** Of the process and those it waited for: user and system, in seconds. */
  readonly cpu: number;
  readonly peakMb: number;
}

/** @throws when the command fails: a run that did nothing must not count as a fast one. */
async function time(command: readonly string[]): Promise<Run> {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], { stdout: "ignore", stderr: "ignore" });
  const code = await child.exited;
  const seconds = (performance.now() - startedAt) / 1000;
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
  const used = child.resourceUsage();
  const cpu = Number(used?.cpuTime.total ?? 0) / 1e6;
  return { seconds, cpu, peakMb: (used?.maxRSS ?? 0) / 2 ** 20 };
}
