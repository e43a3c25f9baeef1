import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openGit } from "../../../src/ingest/git/git-command.ts";
import { findRepositories } from "../../../src/ingest/git/repository/find-repositories.ts";
import { openClone } from "../../../src/ingest/git/repository/open-repository.ts";
import { openLinguist } from "../../../src/ingest/linguist/linguist.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { openPackageRules, openPathRules } from "../bed/rules.ts";
import { listSightings } from "../bed/sightings.ts";
import { defineMeasurement, type Findings } from "../measurement.ts";
import { atLeast, toShare } from "../rows.ts";

export const measurement = defineMeasurement({
  about: "Which lines of the vocabulary the repositories of the bed meet.",
  takes: "PATH...",
  run: ({ paths }) => truthOfBed(paths),
});

/**
 * Lists what the newest trees of bed/repositories.tsv meet: rule, skill, repository, files and a sample, separated by tabs.
 * `bed.right` is the share of pairs of a line and a repository that bed/expected.tsv has.
 *
 * @param paths clones or mirrors, or folders that contain some. Those that are not in the list are left out.
 */
async function truthOfBed(paths: readonly string[]): Promise<Findings> {
  const git = openGit({});
  const pinned = readPinned();
  const context = {
    git,
    linguist: openLinguist(),
    vocabulary: createVocabulary(),
    packageRule: openPackageRules(),
    pathRules: openPathRules(),
  };
  const right = new Set(
    readRows("expected.tsv").flatMap(([rule, of, repositories = ""]) =>
      repositories.split(" ").map((repository) => [rule, of, repository].join("\t")),
    ),
  );
  const [listing, skipped, misses]: [string[], string[], string[]] = [[], [], []];
  let judged = 0;
  for (const place of findRepositories(paths)) {
    if ("reason" in place) continue;
    const found = await openClone(git, place);
    const { name } = found.origin;
    const pin = pinned.get(name);
    if (!pin) continue;
    if (found.head !== pin) skipped.push(`${name} is at ${found.head}, and the bed at ${pin}`);
    for (const { rule, skill, files, sample } of await listSightings(found, context)) {
      listing.push([rule, skill, name, files, sample].join("\t"));
      if (!/^(package|path) /.test(rule)) continue;
      judged++;
      if (!right.has([rule, skill, name].join("\t"))) misses.push(`${rule} ${skill} ${name}`);
    }
    found.close();
    pinned.delete(name);
  }
  skipped.push(...[...pinned.keys()].map((name) => `${name} is not at these paths`));
  const share = toShare("bed.right", judged - misses.length, judged);
  return { rows: [atLeast(1, share)], counts: `${judged} pairs`, listing, skipped, misses };
}

/** @returns the commit of each repository of the bed. */
function readPinned(): Map<string, string> {
  const rows = readRows("repositories.tsv").filter(([name]) => name !== "repository");
  return new Map(rows.map(([name = "", commit = ""]) => [name, commit]));
}

function readRows(file: string): readonly string[][] {
  return readFileSync(join(import.meta.dir, "../bed", file), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));
}
