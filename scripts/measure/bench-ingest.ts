/**
 * How much CPU `ingest git` takes on real repositories, its git processes included, against git's own pass: one bare
 * `git log --raw --numstat -M` of the same history with its output thrown away. Paired runs, medians, the ratio. Git
 * needs more than that pass for what is read (messages, white space, contents of manifests), so `own-cpu-s` is what is
 * left without any of its processes. Then a second run in which nothing is new, and one with twenty new commits of the
 * main line and what they merged, as shares of the first once the program's own start is taken off; and peak memory of
 * one process. CPU and not time, so that what else the machine does counts less; the time of the first run is shown.
 * Measures dist/roster when there is one, the sources otherwise.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { findRepositories } from "../../src/ingest/git/find-repositories.ts";
import { atMost, median, type Row, report } from "./rows.ts";

const bars = { ratio: 1.5, secondShare: 0.02, memoryMb: 400 };
/** Commits of the main line that are new to the last run. */
const newCommits = 20;
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
    const clone = join(folder, name);
    const { git, tip, earlier } = cloneBare(directory, clone);
    const counted = countGit(folder);
    const pairs: Runs[] = [];
    const shares: number[] = [];
    for (let run = 0; run < runs; run++) {
      const data = join(folder, `data-${run}`);
      const ingest = [...roster, "ingest", "git", clone, "--data", data, "--json"];
      git("update-ref", "--no-deref", "HEAD", earlier);
      const log = await time(["git", "-C", clone, "log", "--raw", "--numstat", "-M"]);
      const first = await time(ingest, counted.path);
      shares.push(first.cpu - counted.take());
      const second = await time(ingest);
      git("update-ref", "--no-deref", "HEAD", tip);
      const more = await time(ingest);
      // The same program over the same data, asked for next to nothing.
      const start = await time([...roster, "ingest", "list", "--data", data, "--json"]);
      pairs.push({ log, first, second, more, start });
    }
    return toRows(name, pairs, shares);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Runs = Record<"log" | "first" | "second" | "more" | "start", Run>;

/** @param own seconds of the first runs without git's. */
function toRows(name: string, runs: readonly Runs[], own: readonly number[]): Row[] {
  const of = (value: (run: Runs) => number) => median(runs.map(value));
  const cpuOf = (which: keyof Runs) => of((run) => run[which].cpu);
  const cpu = "s of CPU";
  const row = (what: string, value: number, unit = cpu) => {
    return { name: `ingest.${name}.${what}`, value, unit };
  };
  const against = (what: string, value: number) => ({ against: { what, value } });
  const shareOf = (which: "second" | "more") =>
    of((run) => Math.max(0, (run[which].cpu - run.start.cpu) / run.first.cpu));
  const ratio = of(({ first, log }) => first.cpu / log.cpu);
  const memoryMb = Math.max(...runs.map(({ first }) => first.peakMb));
  const first = against("the first", cpuOf("first"));
  return [
    row("git-log", cpuOf("log")),
    atMost(bars.ratio, {
      ...row("first", cpuOf("first")),
      ...{ ratio, ...against("git log", cpuOf("log")) },
    }),
    row("own", median(own)),
    row(
      "first-time",
      of((run) => run.first.seconds),
      "s",
    ),
    atMost(bars.secondShare, {
      ...row("second", cpuOf("second")),
      ...{ ratio: shareOf("second"), ...first },
    }),
    { ...row("more", cpuOf("more")), ratio: shareOf("more"), ...first },
    row("start", cpuOf("start")),
    atMost(bars.memoryMb, row("peak", memoryMb, "MB")),
  ];
}

/** A clone without copies of objects, whose HEAD can be set back to before its newest commits. */
function cloneBare(directory: string, clone: string) {
  const run = (...args: string[]): string => {
    const { stdout, stderr, success } = Bun.spawnSync(["git", ...args]);
    if (!success) throw new Error(`git ${args.join(" ")}: ${stderr.toString().trim()}`);
    return stdout.toString().trim();
  };
  run("clone", "-q", "--bare", "--shared", directory, clone);
  const git = (...args: string[]) => run("-C", clone, ...args);
  const [tip = "", ...rest] = git("rev-list", "--first-parent", `-${newCommits + 1}`, "HEAD").split(
    "\n",
  );
  return { git, tip, earlier: rest.at(-1) ?? tip };
}

/** Puts a git before the real one that writes down what CPU each run of it took. */
function countGit(folder: string) {
  const [path, file] = [join(folder, "bin"), join(folder, "git-times")];
  mkdirSync(path);
  const lines = ["#!/bin/sh", `${Bun.which("git")} "$@"`, "code=$?", `times >> ${file}`];
  writeFileSync(join(path, "git"), `${[...lines, "exit $code"].join("\n")}\n`, { mode: 0o755 });
  return {
    path,
    /** @returns seconds of all runs since the last call. */
    take: (): number => {
      const times = readFileSync(file, "latin1").matchAll(/(\d+)m([\d.]+)s/g);
      rmSync(file);
      return [...times].reduce(
        (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
        0,
      );
    },
  };
}

interface Run {
  readonly seconds: number;
  /** Of the process and those it waited for: user and system, in seconds. */
  readonly cpu: number;
  readonly peakMb: number;
}

/**
 * @param path folder of programs that come before all others.
 * @throws when the command fails: a run that did nothing must not count as a fast one.
 */
async function time(command: readonly string[], path?: string): Promise<Run> {
  const startedAt = performance.now();
  const { PATH } = process.env;
  const env = path === undefined ? process.env : { ...process.env, PATH: `${path}:${PATH}` };
  const child = Bun.spawn([...command], { env, stdout: "ignore", stderr: "ignore" });
  const code = await child.exited;
  const seconds = (performance.now() - startedAt) / 1000;
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
  const used = child.resourceUsage();
  const cpu = Number(used?.cpuTime.total ?? 0) / 1e6;
  return { seconds, cpu, peakMb: (used?.maxRSS ?? 0) / 2 ** 20 };
}
