/**
 * Processor time of `ingest git` on real repositories, its git processes included, compared with git's own pass over the
 * same history: `git log --raw --numstat -M` with its output thrown away. Paired runs, medians, the ratio. Ingest also
 * reads messages, white space and contents of manifests, for which git does more than that pass; `own` is the processor
 * time without any git process. Then a second run that finds nothing new, and a run over twenty new commits of the main
 * line and what they merged, as shares of the first run after the program's own start is subtracted; and peak memory of
 * one process. Processor time depends less than elapsed time on what else the machine does; the elapsed time of the first
 * run is shown, too. Measures dist/roster if it is built, the sources otherwise.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { findRepositories } from "../../../src/ingest/git/repository/find-repositories.ts";
import { defineMeasurement, UnusableInput } from "../measurement.ts";
import { type CommandUse, measureCommand, roster } from "../processes.ts";
import { atMost, comparePairs, median, type Row } from "../rows.ts";

const bars = { ratio: 1.5, secondShare: 0.02, memoryMb: 400 };
/** How many commits of the main line are new to the last run. */
const newCommits = 20;
const root = join(import.meta.dir, "../../..");

export const measurement = defineMeasurement({
  about: "Processor time and memory of `ingest git`, against one bare `git log`.",
  takes: "PATH...",
  options: { runs: 3 },
  async run({ runs, paths, work }) {
    const places = findRepositories(paths).flatMap((place) => ("reason" in place ? [] : [place]));
    if (places.length === 0) throw new UnusableInput(`${paths.join(", ")} holds no repository`);
    const rows: Row[] = [];
    for (const { directory, path } of places) {
      const folder = resolve(path).replace(/\/(repo|\.git)$/, "");
      const name = folder === resolve(root) ? "roster" : basename(folder);
      const own = join(work, String(rows.length));
      mkdirSync(own);
      rows.push(...(await measure(name, resolve(directory), { folder: own, runs })));
      rmSync(own, { recursive: true });
    }
    return { rows };
  },
});

async function measure(
  name: string,
  directory: string,
  { folder, runs }: { readonly folder: string; readonly runs: number },
): Promise<Row[]> {
  const clone = join(folder, name);
  const { git, tip, earlier } = cloneBare(directory, clone);
  const counted = countGit(folder);
  const env = { ...process.env, PATH: `${counted.path}:${process.env["PATH"]}` };
  const measured: Runs[] = [];
  const own: number[] = [];
  for (let run = 0; run < runs; run++) {
    const data = join(folder, `data-${run}`);
    const ingest = [...roster, "ingest", "git", clone, "--data", data, "--json"];
    git("update-ref", "--no-deref", "HEAD", earlier);
    const log = await measureCommand(["git", "-C", clone, "log", "--raw", "--numstat", "-M"]);
    const first = await measureCommand(ingest, env);
    own.push(first.cpu - counted.take());
    const second = await measureCommand(ingest);
    git("update-ref", "--no-deref", "HEAD", tip);
    const more = await measureCommand(ingest);
    // The same program over the same data, doing almost nothing.
    const start = await measureCommand([...roster, "ingest", "list", "--data", data, "--json"]);
    measured.push({ log, first, second, more, start });
  }
  return toRows(name, measured, own);
}

type Runs = Record<"log" | "first" | "second" | "more" | "start", CommandUse>;

/** @param own processor seconds of the first runs, without git's. */
function toRows(name: string, runs: readonly Runs[], own: readonly number[]): Row[] {
  const cpu = "s of CPU";
  const row = (what: string, values: readonly number[], unit = cpu): Row => ({
    ...{ name: `ingest.${name}.${what}`, value: median(values), unit },
  });
  const cpuOf = (which: keyof Runs) => runs.map((run) => run[which].cpu);
  const against = { what: "the first", value: median(cpuOf("first")) };
  const shareOfFirst = (which: "second" | "more"): Row => {
    const shares = runs.map((run) => Math.max(0, run[which].cpu - run.start.cpu) / run.first.cpu);
    return { ...row(which, cpuOf(which)), ratio: median(shares), against };
  };
  const first = { name: `ingest.${name}.first`, unit: cpu };
  const log = { what: "git log", values: cpuOf("log") };
  const peakMb = Math.max(...runs.map((run) => run.first.peakMb));
  return [
    row("git-log", cpuOf("log")),
    atMost(bars.ratio, comparePairs(first, cpuOf("first"), log)),
    row("own", own),
    row(
      "first-time",
      runs.map((run) => run.first.seconds),
      "s",
    ),
    atMost(bars.secondShare, shareOfFirst("second")),
    shareOfFirst("more"),
    row("start", cpuOf("start")),
    atMost(bars.memoryMb, row("peak", [peakMb], "MB")),
  ];
}

/** Makes a clone that shares its objects. Its HEAD can be set back to before the newest commits. */
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

/** Puts a program called git before the real one on the path, which records the processor time of each run. */
function countGit(folder: string) {
  const [path, file] = [join(folder, "bin"), join(folder, "git-times")];
  mkdirSync(path);
  const lines = ["#!/bin/sh", `${Bun.which("git")} "$@"`, "code=$?", `times >> ${file}`];
  writeFileSync(join(path, "git"), `${[...lines, "exit $code"].join("\n")}\n`, { mode: 0o755 });
  return {
    path,
    /** @returns processor seconds of all runs since the last call. */
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
