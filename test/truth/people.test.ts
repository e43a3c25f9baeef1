/** The truths of labelled logins and of the most active authors, on invented ones. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { countBedPeople } from "../../scripts/measure/bed/people.ts";
import { askGit } from "../../scripts/measure/git/ask-git.ts";
import { truthOfBots } from "../../scripts/measure/truth/bots.ts";
import { truthOfPeople } from "../../scripts/measure/truth/people.ts";
import { inventRepository } from "../ingest/git/invented-repository.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder("git");

function write(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

const valuesOf = ({ rows }: { readonly rows: readonly { name: string; value: number }[] }) =>
  Object.fromEntries(rows.map(({ name, value }) => [name, value]));

test("labelled logins are judged by name, and by behaviour where there are commits", async () => {
  const file = write("labels.csv", [
    "contributor,bot",
    "exemplarbot,1",
    "nightly[bot],bot",
    "zorkmid,1",
    "ada-talbot,0",
  ]);
  const commits = ["exemplarbot", "ada-talbot"].flatMap((login, at) =>
    Array.from({ length: 6 }, (_, number) => ({
      author: `${login} <${at + 1}+${login}@users.noreply.github.com>`,
      message: at === 0 ? `Nightly build ${number}` : `Words of ${"abcdef"[number]} own`,
    })),
  );
  const found = await truthOfBots(file, [inventRepository(join(folder, "bots.git"), commits)]);
  expect(valuesOf(found)).toEqual({
    "bots.name.precision": 1,
    "bots.name.recall": 1 / 3,
    "bots.looked": 2 / 3,
    "bots.behaviour.precision": 1,
    "bots.behaviour.recall": 1,
  });
  await expect(truthOfBots(write("empty", ["x"]), [])).rejects.toThrow("has no line");
});

test("the most active authors are each one person, and no two are joined", async () => {
  const authors = [
    "Ada Exemplar <ada@x.example>",
    "Ada Exemplar <ada@y.example>",
    "Ben Sampler <1+ben-a@users.noreply.github.com>",
    "Ben Sampler <2+ben-b@users.noreply.github.com>",
  ];
  const path = inventRepository(
    join(folder, "people.git"),
    authors.map((author) => ({ author })),
  );
  const found = await truthOfPeople([path], { expected: write("nobody.tsv", ["# nobody"]) });
  // Both of Ben's are torn, since their accounts are two.
  const values = { "people.whole": 1 / 3, "people.apart": 1, "people.leaders": 1 };
  expect(valuesOf(found)).toEqual({ ...values, "people.expected": 1 });
  expect(found.misses?.[0]).toMatch(/^torn: Ben Sampler .* \| Ben Sampler/);
});

test("what we say of the most active authors is held against what was expected", async () => {
  const commits = (author: string, path: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      author,
      message: `Draw the graph ${"abcdefghijklmnopqrst"[at]}`,
      at: `2024-0${1 + (at % 9)}-${10 + at}`,
      files: { [path]: `package main\n// ${at}\n` },
    }));
  const path = inventRepository(join(folder, "lines+expected.git"), [
    ...commits("Ada Exemplar <ada@x.example>", "graph.go", 15),
    ...commits("Ben Sampler <ben@x.example>", "other.go", 4),
  ]);
  const expected = write("expected.tsv", [
    "repository\trank\troles\tskills",
    "lines/expected\t1\tnone|backend\tgo|rust",
    "lines/expected\t2\tgamedev\tgo python|ruby",
  ]);
  const found = await truthOfPeople([path], { expected });
  expect(valuesOf(found)).toMatchObject({ "people.leaders": 1, "people.expected": 0.5 });
  expect(found.misses).toEqual([
    "otherwise: lines/expected 2: role backend, not gamedev; without python|ruby",
  ]);
  expect(found.listing?.[0]).toMatch(
    /^lines\/expected 1 {2}Ada Exemplar {2}score [\d.]+, 1 of its/,
  );
  await expect(
    truthOfPeople([path], { expected: write("wrong.tsv", ["lines/expected\t1"]) }),
  ).rejects.toThrow("four columns");
});

test("people of the bed are counted by what they changed, from a ledger that is kept", async () => {
  const directory = inventRepository(join(folder, "bed.git"), [
    { author: "Ada Exemplar <ada@x.example>", files: { "a.ts": "1\n" } },
    { author: "Ben Sampler <ben@x.example>", files: { "b.ts": "1\n" } },
  ]);
  const head = String(askGit(directory, ["rev-parse", "HEAD"])).trim();
  const toSighting = (...files: string[]) => ({
    rule: "",
    skill: "",
    sample: "",
    files: new Set(files),
  });
  const sightings = [toSighting("a.ts"), toSighting("a.ts", "b.ts"), toSighting()];
  const bed = { name: "bed", directory, head, sightings };
  const ledger = join(folder, "bed.db");
  await expect(countBedPeople([{ ...bed, commits: 3 }], ledger)).rejects.toThrow("has 2 commits");
  const peopleOf = await countBedPeople([{ ...bed, commits: 2 }], ledger);
  expect(sightings.map(peopleOf)).toEqual([1, 2, 0]);
  // A repository that is there at its commit is not checked again.
  await countBedPeople([{ ...bed, commits: 3 }], ledger);
});
