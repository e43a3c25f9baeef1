/**
 * What a run costs once much is known. Invented histories (`runs/histories.ts`) are read first. In each round then nothing
 * is new (`idle`), twenty commits in five repositories are new, a person is forgotten, and two are merged; last, everybody
 * is judged as of another day. The same at a tenth of the size, since none of it may grow with what is known. Every run is a
 * process of its own; its processor time includes git's processes, its peak memory does not. `asking` is a run over as many
 * repositories of one commit each, in which nothing is new: it starts the program and asks git for the tip of each
 * repository. That is taken off `idle`, `new` and `day`; `-all` is with it. `-git` is the part of git's processes.
 *
 * `--binary FILE,...` measures these programs, each on a data folder of its own, one after the other in every round. The
 * first is held to the bars, the others are compared with it. `--folder DIR` keeps the histories and uses those that an
 * earlier run left there: 3 GB for 5,000,000 commits, which take some five minutes. `--rounds` is how often something
 * changes, at most five times.
 *
 * Needs Linux.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { defineMeasurement, UnusableInput } from "../measurement.ts";
import { roster } from "../processes.ts";
import { openHistories, pushes } from "../runs/histories.ts";
import type { HistorySize } from "../runs/plan-repositories.ts";
import { runSeries } from "../runs/series.ts";
import { compareSizes, type MeasuredSize, toRows } from "../runs/series-rows.ts";

export const measurement = defineMeasurement({
  about: "Runs of `ingest git` after a small change, with much and with a tenth of it known.",
  options: {
    ...{ commits: 5_000_000, repositories: 1000, people: 30_000, seed: 1, rounds: 3 },
    ...{ folder: "", binary: [] as readonly string[] },
  },
  async run({ commits, repositories, people, seed, rounds, work, ...given }) {
    if (rounds < 1 || rounds > pushes.steps)
      throw new UnusableInput(`--rounds must be 1 to ${pushes.steps}.`);
    if (repositories < 1 || commits < repositories)
      throw new UnusableInput("--commits must be at least one for each of --repositories.");
    const programs = given.binary.length === 0 ? [roster] : given.binary.map(findProgram);
    const kept = given.folder ? resolve(given.folder) : work;
    const whole = { commits, repositories, people };
    const tenth = {
      commits: Math.ceil(commits / 10),
      repositories: Math.ceil(repositories / 10),
      people: Math.ceil(people / 10),
    };
    const measure = async (size: HistorySize): Promise<MeasuredSize> => {
      const single = { ...size, commits: size.repositories };
      const series = await runSeries({
        histories: await openHistories(kept, size, seed),
        single: await openHistories(kept, single, seed),
        ...{ programs, rounds, work },
      });
      return { commits: size.commits, series };
    };
    const [small, large] = [await measure(tenth), await measure(whole)];
    const rows = [small, large].flatMap((size) => toRows(size, programs));
    return { rows: [...rows, ...compareSizes(small, large)] };
  },
});

function findProgram(file: string): readonly string[] {
  if (!existsSync(file)) throw new UnusableInput(`${file} is missing: run scripts/build`);
  return [resolve(file)];
}
