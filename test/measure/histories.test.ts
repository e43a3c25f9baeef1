/** The histories that `scripts/bench runs` invents are what it says of them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Histories,
  openHistories,
  openMirrors,
  pushes,
} from "../../scripts/measure/runs/histories.ts";
import { asOf } from "../../scripts/measure/runs/invent-work.ts";
import { git } from "../ingest/git/invented-repository.ts";

const size = { commits: 600, repositories: 26, people: 40 };
const parent = mkdtempSync(join(tmpdir(), "roster-histories-"));
let histories: Histories;
beforeAll(async () => {
  histories = await openHistories(parent, size, 1);
});
afterAll(() => rmSync(parent, { recursive: true }));

const repositories = () => Object.keys(histories.tips).map((name) => join(histories.folder, name));
const ask = (directory: string, ...args: string[]) =>
  git(directory, ...args)
    .toString()
    .trim()
    .split("\n");

test("they have as many commits and repositories as asked for, and git finds no fault", () => {
  expect(repositories()).toHaveLength(size.repositories);
  const commits = repositories().map((one) => Number(ask(one, "rev-list", "--count", "HEAD")[0]));
  expect(commits.reduce((sum, count) => sum + count, 0)).toBe(size.commits);
  for (const one of repositories()) git(one, "fsck", "--strict");
});

test("dates ascend and end before the day as of which they are judged", () => {
  const latest = Date.parse(asOf) / 1000;
  for (const one of repositories()) {
    const seconds = ask(one, "log", "--all", "--topo-order", "--format=%ct").map(Number);
    expect(Math.max(...seconds)).toBeLessThan(latest);
    expect(ask(one, "log", "HEAD", "--format=%ct")).toEqual(
      ask(one, "log", "HEAD", "--topo-order", "--format=%ct"),
    );
  }
});

test("people have several spellings, share commits, and a fork has the commits of its origin", () => {
  const of = (...format: string[]) => new Set(repositories().flatMap((one) => ask(one, ...format)));
  const names = of("log", "--format=%aN");
  expect(of("log", "--format=%ae").size).toBeGreaterThan(names.size);
  const trailer = "%(trailers:key=Co-authored-by,valueonly,separator=%x2C)";
  expect(of("log", `--format=${trailer}`).size).toBeGreaterThan(3);
  expect(of("rev-list", "--min-parents=2", "HEAD").size).toBeGreaterThan(3);
  expect(of("rev-list", "HEAD").size).toBeLessThan(size.commits);
});

test("a push to mirrors adds its commits to its repositories, and leaves what is kept alone", () => {
  const mirrors = openMirrors(histories, join(parent, "mirrors"));
  const names = Object.keys(histories.tips);
  const count = (folder: string) =>
    names.map((name) => Number(ask(join(folder, name), "rev-list", "--count", "HEAD")[0]));
  const before = count(histories.folder);
  expect(count(mirrors.folder)).toEqual(before);
  for (let step = 1; step <= pushes.steps; step++) {
    mirrors.push(step);
    const added = count(mirrors.folder).map((commits, at) => commits - (before[at] ?? 0));
    const expected = Array(pushes.repositories).fill(pushes.commits * step);
    expect(added.filter((more) => more > 0)).toEqual(expected);
  }
  expect(count(histories.folder)).toEqual(before);
});

test("the same seed gives the same commits, another seed others, and kept ones are opened", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "roster-histories-"));
  try {
    expect((await openHistories(elsewhere, size, 1)).tips).toEqual(histories.tips);
    expect((await openHistories(elsewhere, size, 2)).tips).not.toEqual(histories.tips);
    expect(await openHistories(parent, size, 1)).toEqual(histories);
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});

test("what was made by halves is made anew", async () => {
  const small = { commits: 30, repositories: 2, people: 4 };
  const half = join(parent, "30-2-4-1.unfinished", "repositories", "half.git");
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, "HEAD"), "ref: refs/heads/main\n");
  const made = await openHistories(parent, small, 1);
  expect(Object.keys(made.tips)).toHaveLength(2);
  expect(Object.keys(made.tips)).not.toContain("half.git");
});
