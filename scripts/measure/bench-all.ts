/**
 * Runs every bench, one after the other, and prints a table of the bars. Each runs in a process of its own, so that none
 * inherits the memory of another. The figures are kept in dist/bench.json, from which `scripts/bench document` writes
 * docs/notes/figures.md.
 *
 * Where the folder in BENCH_GROWTH holds `10000000`, which `scripts/bench growth --folder` builds, those people are
 * searched, too.
 *
 * Options: `--only BENCH,...`; `--minutes N` for the whole run (default 40; a bench that has not begun by then is named);
 * `--json` prints every row.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  type BenchRun,
  describeMachine,
  keepFigures,
  readCommit,
  readLoad,
} from "./figures-file.ts";
import { printRows, type Row } from "./rows.ts";

const root = join(import.meta.dir, "../..");

/** Each runs as long as its bars need, and no longer. */
const planned: readonly (readonly string[])[] = [
  ["http"],
  ["search"],
  ["search", "--developers", "1000000", "--engine-only"],
  ["charge"],
  ["start"],
  ["boot"],
  ["mcp"],
  ["find"],
  ["spent"],
  ["erase"],
  ["ingest", root],
  ["runs", "--commits", "200000", "--repositories", "40", "--people", "1500", "--rounds", "1"],
  ["import"],
  ["index"],
  ["who"],
  ["pages"],
  ["restart", "--runs", "5"],
  ["backup", "--seconds", "10", "--rounds", "1"],
  ["forges", "--runs", "1"],
  ["growth"],
  // Building these takes hours and asking them takes minutes, so they run only where they have been built.
  ...(isMoreKept() ? [["growth", "--developers", "10000000"]] : []),
];

function isMoreKept(): boolean {
  const folder = process.env["BENCH_GROWTH"];
  return folder !== undefined && existsSync(join(folder, "10000000"));
}

export async function benchAll(argv: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: "string" },
      minutes: { type: "string", default: "40" },
      json: { type: "boolean", default: false },
    },
  });
  const only = values.only?.split(",");
  const endsAt = Date.now() + Number(values.minutes) * 60_000;
  const pools = mkdtempSync(join(tmpdir(), "roster-pools-"));
  const runs: BenchRun[] = [];
  try {
    for (const command of planned) {
      if (only?.includes(command[0] as string) === false) continue;
      const run = await runBench(command, pools, endsAt);
      runs.push(run);
      keepFigures([run]);
      console.error(`${run.bench}: ${run.fault ?? `${Math.round(run.seconds)} s`}`);
    }
  } finally {
    rmSync(pools, { recursive: true, force: true });
  }
  const rows = runs.flatMap((run) => run.rows);
  if (values.json) console.log(JSON.stringify(rows));
  else printRows(rows.filter(({ bar }) => bar !== undefined));
  const isEachMet = rows.every(({ met }) => met !== false);
  return isEachMet && runs.every(({ fault }) => fault === undefined);
}

async function runBench(
  command: readonly string[],
  pools: string,
  endsAt: number,
): Promise<BenchRun> {
  const bench = command.join(" ").replace(root, ".");
  const about = { bench, commit: readCommit(), machine: describeMachine(), load: readLoad() };
  const startedAt = Date.now();
  const done = (rows: readonly Row[], fault?: string): BenchRun => ({
    ...about,
    at: new Date().toISOString(),
    seconds: (Date.now() - startedAt) / 1000,
    ...(fault === undefined ? {} : { fault }),
    rows,
  });
  if (startedAt >= endsAt) return done([], "no time was left for it");
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "measure.ts"), "bench", ...command, "--json"],
    {
      ...{ cwd: root, stdout: "pipe", stderr: "inherit" },
      env: { ...process.env, BENCH_POOLS: pools },
      // The process leads a group, so that the signal below also ends the servers that it has started.
      detached: true,
    },
  );
  const timer = setTimeout(() => process.kill(-child.pid, "SIGTERM"), endsAt - startedAt);
  const output = await new Response(child.stdout).text();
  await child.exited;
  clearTimeout(timer);
  const last = output.trimEnd().split("\n").at(-1) ?? "";
  if (!last.startsWith("["))
    return done([], `it ended with ${child.exitCode ?? `${child.signalCode}, as its time was up`}`);
  return done(JSON.parse(last) as Row[]);
}
