/** The runs of one size, in the order in which a company has them, with each of the programs in turn. */
import { join } from "node:path";
import { UnusableInput } from "../measurement.ts";
import type { Programs } from "./compare-programs.ts";
import { type Histories, openMirrors, pushes } from "./histories.ts";
import { asOf, dayAfter } from "./invent-work.ts";
import { measureRun, type RunUse } from "./measure-run.ts";

/**
 * `asking`: nothing is new, in as many repositories of one commit each; `idle`: nothing is new; `new`: some commits were
 * pushed; `forget` and `merge`: of one person, and of two; `day`: a new day to judge as of.
 */
export type RunKind = "first" | "asking" | "idle" | "new" | "forget" | "merge" | "day";

/** By round, and in it by program. There is one round of `first` and of `day`. */
export type Series = Readonly<Record<RunKind, readonly (readonly RunUse[])[]>>;

/** One is forgotten, two are merged. */
const peoplePerRound = 3;

interface SeriesPlan {
  readonly histories: Histories;
  /** As many repositories, of one commit each. */
  readonly single: Histories;
  readonly programs: Programs;
  readonly rounds: number;
  readonly work: string;
}

export async function runSeries(plan: SeriesPlan): Promise<Series> {
  const { histories, single, programs, rounds, work } = plan;
  if (histories.addresses.length < peoplePerRound * rounds)
    throw new UnusableInput(`--people: ${histories.people} are too few for ${rounds} rounds.`);
  const mirrors = openMirrors(histories, join(work, `${histories.commits}-mirrors`));
  const dataOf = (at: number) => join(work, `${histories.commits}-data-${at}`);
  const ingest = (day = asOf, folder = mirrors.folder) => {
    return ["ingest", "git", folder, "--as-of", day, "--quiet"];
  };
  const each = async (kind: RunKind, args: readonly string[], data = dataOf) => {
    const uses: RunUse[] = [];
    for (const [at, program] of programs.entries()) {
      const use = await measureRun([...program, ...args, "--data", data(at), "--json"]);
      const figures = `${use.cpu.toFixed(1)} s of CPU, ${Math.round(use.peakMb)} MB`;
      console.error(`${histories.commits} commits, ${kind} of ${program.at(-1)}: ${figures}`);
      uses.push(use);
    }
    return uses;
  };
  const first = await each("first", ingest());
  requireNew(first, histories.commits);
  const elsewhere = (at: number) => join(work, `${histories.commits}-single-${at}`);
  const ask = ingest(asOf, single.folder);
  await each("asking", ask, elsewhere);
  const found: Record<"asking" | "idle" | "new" | "forget" | "merge", RunUse[][]> = {
    ...{ asking: [], idle: [], new: [], forget: [], merge: [] },
  };
  for (let round = 1; round <= rounds; round++) {
    found.asking.push(await each("asking", ask, elsewhere));
    found.idle.push(await each("idle", ingest()));
    mirrors.push(round);
    const pushed = await each("new", ingest());
    requireNew(pushed, Object.keys(histories.steps).length * pushes.commits);
    found.new.push(pushed);
    const [person = "", ...two] = histories.addresses.slice(peoplePerRound * (round - 1));
    const merge = ["identity", "merge", ...two.slice(0, 2), "--as-of", asOf];
    found.forget.push(await each("forget", ["forget", person]));
    found.merge.push(await each("merge", merge));
  }
  return { first: [first], ...found, day: [await each("day", ingest(dayAfter))] };
}

function requireNew(uses: readonly RunUse[], commits: number): void {
  for (const { said } of uses) {
    if (said["newCommits"] !== commits) {
      throw new Error(`${said["newCommits"]} commits were read instead of ${commits}`);
    }
  }
}
