/**
 * The second run of real mirrors, in which each has one new commit. The mirrors are cloned first, and the commits are made
 * in clones of these copies and pushed to the copies: what was given is only read.
 */
import { mkdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { findRepositories } from "../../../src/ingest/git/repository/find-repositories.ts";
import { UnusableInput } from "../measurement.ts";
import { median, type Row } from "../rows.ts";
import { comparePrograms, type Programs } from "./compare-programs.ts";
import { measureRun, type RunUse } from "./measure-run.ts";
import { openPusher, runGit } from "./pusher.ts";

/** More take hours at the first run. */
const mirrorsMax = 20;

interface MirrorsPlan {
  readonly programs: Programs;
  readonly rounds: number;
  readonly work: string;
}

export async function measureMirrors(
  given: string,
  { programs, rounds, work }: MirrorsPlan,
): Promise<Row[]> {
  const places = findRepositories([given])
    .flatMap((place) => ("reason" in place || place.kind === "bundle" ? [] : [place.directory]))
    .slice(0, mirrorsMax);
  if (places.length === 0) throw new UnusableInput(`${given} holds no repository`);
  const [mirrors, clones] = [join(work, "mirrors"), join(work, "clones")];
  for (const folder of [mirrors, clones]) mkdirSync(folder);
  const pushers = places.map((place, at) => {
    const folder = resolve(place).replace(/\/(repo|\.git)$/, "");
    const name = `${at}-${basename(folder, ".git")}.git`;
    runGit("clone", "-q", "--bare", "--shared", resolve(place), join(mirrors, name));
    return openPusher(join(mirrors, name), join(clones, name));
  });
  const now = Date.now() / 1000;
  const asOf = new Date(now * 1000).toISOString().slice(0, 10);
  const each = async (commits?: number): Promise<RunUse[]> => {
    const uses: RunUse[] = [];
    for (const [at, program] of programs.entries()) {
      const options = ["--as-of", asOf, "--quiet", "--data", join(work, `data-${at}`), "--json"];
      uses.push(await measureRun([...program, "ingest", "git", mirrors, ...options]));
    }
    for (const { said } of uses) {
      if (commits !== undefined && said["newCommits"] !== commits)
        throw new Error(`${said["newCommits"]} commits were read instead of ${commits}`);
    }
    return uses;
  };
  const first = await each();
  const idle: RunUse[][] = [];
  const second: RunUse[][] = [];
  for (let round = 1; round <= rounds; round++) {
    idle.push(await each(0));
    for (const pusher of pushers) {
      const author = { name: "Newcomer Quillbrook", email: "new@example.org" };
      pusher.commit(author, Math.floor(now) - 60 * (rounds - round + 1));
      pusher.push();
    }
    second.push(await each(pushers.length));
  }
  const commits = Number(first[0]?.said["commits"]);
  return [
    { name: "mirrors.repositories", value: pushers.length, unit: "mirrors" },
    { name: "mirrors.commits", value: commits, unit: "commits" },
    ...toRows("first", [first], programs),
    ...toRows("idle", idle, programs),
    ...toRows("second", second, programs),
  ];
}

function toRows(kind: string, rounds: readonly (readonly RunUse[])[], programs: Programs): Row[] {
  const over = (value: (use: RunUse) => number) =>
    median(rounds.map(([ours]) => value(ours as RunUse)));
  const name = `mirrors.${kind}`;
  const unit = "s of CPU";
  return [
    { name, value: over(({ cpu }) => cpu), unit },
    { name: `${name}-git`, value: over(({ git }) => git), unit },
    { name: `${name}-peak`, value: over(({ peakMb }) => peakMb), unit: "MB" },
    ...comparePrograms(name, rounds, programs),
  ];
}
