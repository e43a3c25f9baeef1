/** Reading in parts must come to the same people as reading at once, and must not read twice. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Facts } from "../../../src/contract/people/facts.ts";
import { forgetLocations, listLocations } from "../../../src/ingest/git/ledger/locations.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { ada, ben, git, type InventedCommit, inventRepository } from "./invented-repository.ts";
import { judgeAsOf, openData } from "./opened-data.ts";
import { asOf } from "./read.ts";

const folder = makeFolder("git");
let made = 0;
const cara = "Cara Third <cara@example.net>";

const work: readonly InventedCommit[] = [
  { author: ada, at: "2025-01-01", files: { "old.ts": 'import React from "react";\n'.repeat(3) } },
  { author: ben, at: "2025-01-02", files: { "test/a.py": "import django\n", "x.h": "int x;\n" } },
  { author: ada, at: "2025-01-03", message: `fix: pair\n\nCo-authored-by: ${ben}` },
  { author: cara, at: "2025-01-05", rename: ["old.ts", "web/new.ts"], message: "Move it" },
  { author: ben, at: "2024-12-30", parents: [1], files: { "c.cpp": "int c;\n".repeat(9) } },
  { author: ada, at: "2025-01-07", parents: [3, 4], files: {}, message: "Merge" },
  { author: ada, at: "2025-01-08" },
  { author: ben, at: "2025-01-09", files: { "x.h": "int y;\n", "d.cpp": "int d;\n" } },
];

/** A repository whose branch can be set to any of its commits, oldest first. */
function invent(commits: readonly InventedCommit[], name = `repository-${made++}`) {
  const path = inventRepository(join(folder, name), commits);
  const all = git(path, "rev-list", "--reverse", "--topo-order", "HEAD").toString().trim();
  const setTip = (at: number): void => {
    git(path, "update-ref", "refs/heads/main", all.split("\n").at(at) ?? "");
  };
  return { path, setTip };
}

test("the second run reads nothing and judges nobody; new commits only are read after", async () => {
  const { path, setTip } = invent(work);
  const data = openData();
  setTip(-3);
  expect(await data.statuses([path])).toEqual([["new", 6]]);
  const [judged, revision] = [data.judged(), await data.pool.revision()];
  const again = await data.ingest([path]);
  expect(again.summaries).toMatchObject([{ status: "unchanged", newCommits: 0, commits: 6 }]);
  expect(again.imported).toMatchObject({ added: 0, replaced: 0, unchanged: 3, removed: 0 });
  expect(again.developers.human).toBe(3);
  expect([data.judged(), await data.pool.revision()]).toEqual([judged, revision]);
  setTip(-1);
  expect(await data.statuses([path])).toEqual([["continued", 2]]);
  // By another version of the model everybody is judged again, once.
  const before = data.judged();
  for (let run = 0; run < 2; run++) await data.ingest([path], { modelVersion: "2" });
  expect(data.judged() - before).toBe(3);
});

test("a pool that was emptied is filled again", async () => {
  const { path } = invent(work);
  const [data, emptied] = [openData(), openData()];
  await data.ingest([path]);
  const { imported } = await emptied.ingest([path], { ledger: data.ledger });
  expect(imported).toMatchObject({ added: 3 });
  expect(await emptied.exported()).toBe(await data.exported());
});

test("a run that is cut off leaves the pool as it was, and the next one goes on with the next repository", async () => {
  const three = [
    invent(work, "cut/1"),
    invent([{ author: cara }], "cut/2"),
    invent([{}], "cut/3"),
  ].map(({ path }) => path);
  const data = openData();
  const stop = new AbortController();
  const cut = data.ingest(three, {
    ...{ jobs: 1, signal: stop.signal },
    onProgress: ({ repositoriesDone }) => {
      if (repositoriesDone === 1) stop.abort(new Error("interrupted"));
    },
  });
  await expect(cut).rejects.toThrow("interrupted");
  expect(await data.pool.size()).toBe(0);
  // The one at hand had been read to its end.
  expect(await data.statuses(three)).toEqual([
    ["unchanged", 0],
    ["unchanged", 0],
    ["new", 1],
  ]);
  const whole = openData();
  await whole.ingest(three.toReversed());
  expect(await data.exported()).toBe(await whole.exported());
});

test("a repository that is forgotten takes its people along, but not those whom others know", async () => {
  const [one, two] = [invent(work), invent([{ author: ben, message: "Only here" }])];
  const data = openData();
  await data.ingest([one.path, two.path]);
  const told = {
    source: "forge.example.com",
    profile: { name: "Ada Example", location: "Berlin" },
  };
  const load = await data.pool.beginImport("forge.example.com");
  await load.put([judgeAsOf(asOf)({ ...((await data.person("Ada Example")) as Facts), ...told })]);
  await load.commit();
  await data.ingest([one.path]);
  const place = listLocations(data.ledger).find(({ path }) => path === one.path);
  forgetLocations(data.ledger, [place?.id ?? 0]);
  expect(await data.person("Cara Third")).toBeDefined();
  await data.ingest([]);
  expect(await data.person("Cara Third")).toBeUndefined();
  expect((await data.person("Ben Sample"))?.commits?.total).toBe(1);
  const rest = await data.person("Ada Example");
  expect(rest).toMatchObject({ profile: { location: "Berlin" }, evidence: [], repositories: [] });
  expect(rest?.commits).toBeUndefined();
});
