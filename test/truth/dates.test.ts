/** The dates of packages, held against the manifests' own history. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { truthOfDates } from "../../scripts/measure/truth/dates.ts";
import {
  ada,
  ben,
  type InventedCommit,
  inventRepository,
} from "../ingest/git/invented-repository.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder("git");

const withReact = 'import React from "react";\n';
const manifest = (...names: string[]) =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, "1"])) });

const truthOf = (name: string, commits: readonly InventedCommit[]) =>
  truthOfDates([inventRepository(join(folder, name), commits)]);

test("a package that arrived later is nobody's before, also where a branch brought it", async () => {
  const { rows, counts } = await truthOf("later.git", [
    { author: ada, at: "2020-01-01", files: { "a.ts": "export {};\n" } },
    { author: ben, at: "2022-01-01", files: { "package.json": manifest("react") } },
    { author: ada, at: "2021-01-01", parents: [0], files: { "package.json": manifest("vue") } },
    {
      author: ben,
      at: "2022-02-01",
      parents: [1, 2],
      files: { "package.json": manifest("react") },
    },
    { author: ada, at: "2023-01-01", files: { "a.ts": withReact } },
  ]);
  expect(rows).toEqual([{ name: "dates.in-time", value: 1, bar: 1, sense: "least", met: true }]);
  expect(counts).toContain("3 packages of authors held against manifests, 0 too early");
});

test("what is too early is found: code that imported a package before any manifest named it as such", async () => {
  const { rows, misses } = await truthOf("early.git", [
    // The manifest of 2020 is too large to be read, so the code dates the package; git says 2022.
    { author: ada, at: "2020-01-01", files: { "a.ts": withReact } },
    {
      author: ben,
      at: "2022-01-01",
      files: { "package.json": `${manifest("react")}${" ".repeat(300_000)}` },
    },
  ]);
  expect(rows[0]).toMatchObject({ met: false });
  expect(misses).toEqual([expect.stringContaining("import npm:react: 2020-01")]);
});
