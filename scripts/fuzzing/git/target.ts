/** Ingests hostile repositories with `roster ingest git`, each beside a good one. */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { defineTarget, type OpenTarget } from "../campaign.ts";
import { crashIn, runProgram } from "../program.ts";
import { makeRepository, runGit } from "./make.ts";
import { type HostileRepository, repositories } from "./repositories.ts";

interface Summary {
  readonly path: string;
  readonly status: string;
  readonly commits: number;
  readonly merges: number;
  readonly human: number;
  readonly bot: number;
  readonly assistant: number;
  readonly nobody: number;
  readonly counted: number;
  readonly excluded: Readonly<Record<string, number>>;
}

interface Report {
  readonly repositories: readonly Summary[];
  readonly refused: readonly {
    readonly path: string;
    readonly reason: string;
    readonly isEmpty?: boolean;
  }[];
}

const goodCommits = 3;

export const openGitTarget: OpenTarget = async (folder) => {
  const good = join(folder, "good");
  makeGood(good);
  const ran = join(folder, "ran");
  const canary = join(folder, "canary");
  writeFileSync(canary, `#!/bin/sh\necho "$0 $*" >> '${ran}'\n`, { mode: 0o755 });
  let memory = 0;
  const tally = { read: 0, refused: 0 };
  const ingest = async (source: string, data: string) => {
    const argv = ["ingest", "git", source, "--data", data, "--json", "--as-of", "2026-11-21"];
    const { exitCode, stdout, stderr, ...done } = await runProgram(folder, argv);
    memory = done.memory;
    const crash = crashIn(stderr);
    if (crash) throw new Error(`crash: ${crash}`);
    const report = exitCode === 0 || exitCode === 3 ? (JSON.parse(stdout) as Report) : undefined;
    // 3 says that some were left out; an empty one is not.
    if (!report || report.refused.some(({ isEmpty }) => !isEmpty) !== (exitCode === 3)) {
      throw new Error(`ingest ended with ${exitCode}: ${stderr.slice(-300)}`);
    }
    const out = join(data, "people");
    const exported = await runProgram(folder, ["export", out, "--data", data]);
    if (exported.exitCode !== 0) throw new Error(`export ended with ${exported.exitCode}`);
    return { report, people: readFileSync(out, "utf8") };
  };
  return defineTarget<readonly HostileRepository[]>({
    cases: fc.array(repositories, { minLength: 1, maxLength: 3 }),
    tryCase: async (hostile) => {
      const source = join(folder, "source");
      const data = join(folder, "data");
      for (const path of [source, data]) rmSync(path, { recursive: true, force: true });
      cpSync(good, join(source, "good"), { recursive: true });
      for (const [at, one] of hostile.entries())
        makeRepository(join(source, `hostile-${at}`), one, canary);
      const before = listing(source);
      const first = await ingest(source, data);
      checkReport(first.report, source, hostile);
      const second = await ingest(source, data);
      if (first.people !== second.people) throw new Error("a second run tells of other people");
      compareRuns(first.report, second.report);
      if (listing(source) !== before) throw new Error("the run changed what it read");
      if (existsSync(ran))
        throw new Error(`a repository ran a program: ${readFileSync(ran, "utf8")}`);
      tally.read += first.report.repositories.length - 1;
      tally.refused += first.report.refused.length;
    },
    reproduce: (hostile) => JSON.stringify(hostile).slice(0, 3000),
    memory: () => memory,
    isLasting: false,
    notes: () => `; ${tally.read} repositories read, ${tally.refused} left out`,
    end: async () => [],
  });
};

function makeGood(path: string): void {
  mkdirSync(path);
  runGit(path, ["init", "--quiet", "--initial-branch=main"]);
  for (let commit = 0; commit < goodCommits; commit += 1) {
    writeFileSync(join(path, "a.go"), `package a // ${commit}\n`);
    runGit(path, ["add", "a.go"]);
    const author = ["-c", "user.name=Good", "-c", "user.email=good@example.com"];
    const date = `--date=2026-0${commit + 1}-01T12:00:00Z`;
    runGit(path, [...author, "commit", "--quiet", `--message=Change ${commit}`, date]);
  }
}

function checkReport(report: Report, source: string, hostile: readonly HostileRepository[]): void {
  const good = report.repositories.find(({ path }) => path === join(source, "good"));
  if (good?.commits !== goodCommits) throw new Error("the good repository beside it was not read");
  for (const {
    path,
    commits,
    merges,
    human,
    bot,
    assistant,
    nobody,
    counted,
    excluded,
  } of report.repositories) {
    const classes = merges + human + bot + assistant + nobody;
    if (commits !== classes) throw new Error(`${path}: ${commits} commits, ${classes} by class`);
    const all = Object.values(excluded).reduce((sum, some) => sum + some, counted);
    if (commits !== all) throw new Error(`${path}: ${commits} commits, ${all} by reason`);
  }
  const told = [...report.repositories, ...report.refused].map(({ path }) => path);
  for (const [at, { damages }] of hostile.entries()) {
    const path = join(source, `hostile-${at}`);
    // A folder without a HEAD is no repository.
    const isNone = damages.some((damage) => "path" in damage && damage.path === "HEAD");
    if (!isNone && told.filter((one) => one === path).length !== 1) {
      throw new Error(`${path} is neither read nor left out with a reason`);
    }
  }
}

function compareRuns(first: Report, second: Report): void {
  const figures = ({ repositories }: Report) =>
    repositories.map(({ path, commits, counted, excluded }) => ({
      path,
      commits,
      counted,
      excluded,
    }));
  if (!Bun.deepEquals(figures(first), figures(second)))
    throw new Error("a second run has other figures");
  if (first.refused.length !== second.refused.length)
    throw new Error("a second run leaves out others");
}

/**
 * @returns name, size and time of the last change of everything in a folder. Links are not followed, because some lead in
 * circles.
 */
function listing(folder: string): string {
  const paths = [...new Bun.Glob("**/*").scanSync({ cwd: folder, dot: true })].sort();
  return paths
    .map((path) => {
      const { size, mtimeMs } = lstatSync(join(folder, path));
      return `${path} ${size} ${mtimeMs}`;
    })
    .join("\n");
}
