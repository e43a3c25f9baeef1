/** Runs of the real program over known histories that are killed at drawn moments: the next one ends as if nothing had happened. */
import { expect, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readOutput } from "../child-output.ts";
import { openProgram, type Program } from "../ingest/forges/program.ts";
import { showDifferences } from "../ingest/git/describe-data.ts";
import { type InventedCommit, inventRepository } from "../ingest/git/invented-repository.ts";
import { openRosterFolder } from "../ingest/git/roster-folder.ts";
import { isLong } from "../long.ts";
import { createRandom, drawSeed } from "../random.ts";

const kills = isLong ? 400 : 4;

const kinds = ["push", "merge", "forget", "leave", "fresh", "push", "merge", "forget"] as const;

/** People who share commits, name each other in trailers and have two addresses each. Each step has other people. */
function inventCommits(count: number, repository: string, step = 0): InventedCommit[] {
  const email = (number: number, at: number) =>
    `person${number}@${at % 2 === 0 ? "home" : "work"}.example`;
  return Array.from({ length: count }, (_, at) => {
    const number = step + (at % 9);
    return {
      author: `Person Number${number} <${email(number, at)}>`,
      at: 1_700_000_000 + at * 40_000,
      message:
        `Change ${at} of ${repository}, because it was wrong\n\n` +
        `Reviewed-by: Person Number${number + 1} <${email(number + 1, 0)}>\n` +
        `Co-authored-by: Person Number${number + 2} <${email(number + 2, 1)}>\n`,
      files: { [`src/${at % 7}.go`]: `package main // ${at}\n` },
    };
  });
}

/** Writes the repositories of a step: one with a drawn number of commits, its fork, and one with new commits at each step. */
function writeRepositories(folder: string, step: number, random: () => number): void {
  const below = (count: number) => Math.floor(random() * count);
  rmSync(folder, { recursive: true, force: true });
  const one = inventCommits(20 + below(60), "one");
  inventRepository(join(folder, "one.git"), one);
  inventRepository(join(folder, "fork.git"), [
    ...one.slice(0, 5 + below(15)),
    ...inventCommits(1 + below(9), "fork"),
  ]);
  inventRepository(
    join(folder, "rewritten.git"),
    inventCommits(12 + below(9), `round ${step}`, step),
  );
}

async function describeFolder({ data }: Program): Promise<string> {
  const folder = openRosterFolder(() => new Date(), data);
  const shown = await folder.describe();
  folder.close();
  return shown;
}

interface Step {
  readonly command: readonly string[];
  /** What an operator runs next: the command again, and what brings everybody up to date. */
  readonly next: readonly (readonly string[])[];
}

async function drawStep(
  kind: (typeof kinds)[number],
  roster: Program,
  folder: string,
  random: () => number,
): Promise<Step> {
  const ingest = ["ingest", "git", folder, "--allow-removals"];
  const people = kind === "fresh" ? [] : await roster.people();
  const drawn = () => people[Math.floor(random() * people.length)]?.login ?? "nobody";
  const step = (command: readonly string[], ...more: (readonly string[])[]) => ({
    command,
    next: [command, ...more],
  });
  if (kind === "forget") return step(["forget", drawn(), "--yes"], ingest);
  // Without a path: the folder still has a repository that was forgotten.
  const recount = ["ingest", "git", "--allow-removals"];
  // A decision that was recorded and not applied is refused the second time; the next run applies it.
  if (kind === "merge") return step(["identity", "merge", drawn(), drawn()], recount);
  const leave = ["ingest", "forget", join(folder, "fork.git"), "--allow-removals"];
  return kind === "leave" ? step(leave, recount) : step(ingest);
}

/** @returns whether it was killed before it ended. */
async function runKilled(
  roster: Program,
  command: readonly string[],
  milliseconds: number,
): Promise<boolean> {
  const run = roster.spawn(command);
  const output = readOutput(run);
  await Bun.sleep(milliseconds);
  run.kill("SIGKILL");
  await output;
  return run.signalCode === "SIGKILL";
}

/** Allows exit codes 2 to 4: a decision is refused, or a person or repository is already gone. */
async function runAll(roster: Program, commands: readonly (readonly string[])[]): Promise<void> {
  for (const command of commands) {
    const { code, out, err } = await roster.attempt(command);
    if (code > 4) throw new Error(`roster ${command.join(" ")}: exit ${code}\n${out}${err}`);
  }
}

/**
 * Runs a command on a copy of the folder, and on the folder until it is killed; then what is next on both.
 * @returns what both folders show, and whether the command was killed before it ended.
 */
async function compareKilled(
  kind: (typeof kinds)[number],
  roster: Program,
  { folder, random }: { readonly folder: string; readonly random: () => number },
) {
  const { command, next } = await drawStep(kind, roster, folder, random);
  using other = openProgram();
  if (kind !== "fresh") cpSync(roster.data, other.data, { recursive: true });
  const began = performance.now();
  await runAll(other, [command]);
  const moment = (0.1 + 0.95 * random()) * (performance.now() - began);
  const isKilled = await runKilled(roster, command, moment);
  await runAll(roster, next);
  await runAll(other, next);
  const found = await describeFolder(roster);
  const expected = await describeFolder(other);
  const what = `${kind} killed after ${Math.round(moment)} ms: ${command.join(" ")}`;
  return { isKilled, what, found, expected };
}

test("runs that are killed at any moment lose and double nothing", async () => {
  const seed = drawSeed("killed runs");
  const random = createRandom(seed);
  let roster = openProgram();
  const folder = join(roster.folder, "..", `roster-mirrors-${process.pid}`);
  writeRepositories(folder, 0, random);
  await roster.ingestGit(folder);
  let killed = 0;
  for (let step = 0; killed < kills; step++) {
    if (step > 3 * kills) throw new Error(`Only ${killed} of ${step} runs were killed.`);
    const kind = kinds[step % kinds.length] ?? "push";
    if (kind === "push" || kind === "fresh") writeRepositories(folder, step + 1, random);
    if (kind === "fresh") {
      roster[Symbol.dispose]();
      roster = openProgram();
    }
    const { isKilled, what, found, expected } = await compareKilled(kind, roster, {
      folder,
      random,
    });
    if (found !== expected)
      throw new Error(
        `TEST_SEED=${seed}, step ${step}, ${what}\n${showDifferences(found, expected)}`,
      );
    if (isKilled) killed += 1;
    if (step % 50 === 49) process.stderr.write(`${killed} of ${step + 1} runs were killed\n`);
    // The repository that was forgotten is read again for the next step.
    if (kind === "leave") await roster.ingestGit(folder, "--allow-removals");
  }
  roster[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
  expect(killed).toBe(kills);
}, 7_200_000);
