/** The histories that `scripts/bench runs` invents are what it says of them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Histories, openHistories } from "../../scripts/measure/runs/histories.ts";
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
