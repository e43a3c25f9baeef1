/** The histories that `scripts/bench runs` invents are what it says of them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Histories,
  openHistories,
  openMirrors,
  pushes,
} from "../../scripts/measure/runs/histories.ts";
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
