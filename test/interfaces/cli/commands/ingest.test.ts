import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { ada, ben, inventRepository } from "../../../ingest/git/invented-repository.ts";
import { openCommandLine } from "../command-line.ts";

const line = openCommandLine();
const data = ["--data", line.folder];
const shelf = join(line.folder, "..", "shelf");
inventRepository(join(shelf, "one"), [{ author: ada }, { author: ben }]);
inventRepository(join(shelf, "two"), [{ author: ada, message: "Other" }]);
afterAll(() => line.close());

test("repositories are read once, listed, and forgotten by name", async () => {
  expect(await line.json("ingest", "git", shelf, ...data)).toMatchObject({
    repositoriesRead: { read: 2, unchanged: 0, reread: 0 },
    commits: 3,
    newCommits: 3,
    authors: 2,
    developers: { human: 2 },
    added: 2,
  });
  expect(await line.json("ingest", "git", shelf, "--jobs", "1", ...data)).toMatchObject({
    repositoriesRead: { read: 0, unchanged: 2, reread: 0 },
    commits: 3,
    newCommits: 0,
    authors: 2,
    added: 0,
    unchanged: 2,
  });
  expect(await line.json("ingest", "list", ...data)).toMatchObject([
    {
      name: "one",
      path: join(shelf, "one"),
      commits: 2,
      people: 2,
      lastCommit: expect.any(String),
    },
    { name: "two", path: join(shelf, "two"), commits: 1, people: 1 },
  ]);
  const { code, err } = await line.run("ingest", "forget", "one", ...data);
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(err).toContain("1 replaced, 0 unchanged, 1 removed");
  expect(await line.json("ingest", "list", ...data)).toHaveLength(1);
});

test("a repository of which nothing was read for long is named by the list and by doctor", async () => {
  inventRepository(join(shelf, "old"), [
    { author: ada, at: Date.parse("2024-10-24T12:00:00Z") / 1000 },
  ]);
  expect((await line.run("ingest", "git", shelf, ...data)).code).toBe(0);
  const rows = (await line.json("ingest", "list", ...data)) as { name: string }[];
  expect(rows.find(({ name }) => name === "old")).toMatchObject({
    lastCommit: "2024-10-24",
    isStale: true,
  });
  expect((await line.run("ingest", "list", ...data)).out).toMatch(/^old .* 2024-10-24 \*/m);
  const findings = JSON.stringify(await line.json("doctor", ...data));
  expect(findings).toContain("days old in old 2024-10-24");
});

test("a repository that is not known, and a number of jobs that is none, are refused", async () => {
  const unknown = await line.run("ingest", "forget", "nobody/nothing", ...data);
  expect(unknown.code).toBe(4);
  expect(unknown.err).toContain("nobody/nothing");
  const jobs = await line.run("ingest", "git", shelf, "--jobs", "0", ...data);
  expect(jobs.code).toBe(2);
  expect(jobs.err).toContain("--jobs");
});
