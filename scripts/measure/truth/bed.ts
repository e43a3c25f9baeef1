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

export const measurement = defineMeasurement({
  about: "Which lines of the vocabulary the repositories of the bed meet.",
  takes: "PATH...",
  run: ({ paths }) => truthOfBed(paths),
});

/**
 * Lists what the newest trees of bed/repositories.tsv meet: rule, skill, repository, files and a sample, separated by tabs.
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
  const listing: string[] = [];
  const skipped: string[] = [];
  for (const place of findRepositories(paths)) {
    if ("reason" in place) continue;
    const found = await openClone(git, place);
    const { name } = found.origin;
    const pin = pinned.get(name);
    if (!pin) continue;
    if (found.head !== pin) skipped.push(`${name} is at ${found.head}, and the bed at ${pin}`);
    for (const { rule, skill, files, sample } of await listSightings(found, context)) {
      listing.push([rule, skill, name, files, sample].join("\t"));
    }
    found.close();
    pinned.delete(name);
  }
  skipped.push(...[...pinned.keys()].map((name) => `${name} is not at these paths`));
  return { rows: [], listing, skipped };
}

/** @returns the commit of each repository of the bed. */
function readPinned(): Map<string, string> {
  const text = readFileSync(join(import.meta.dir, "../bed/repositories.tsv"), "utf8");
  return new Map(
    text.split("\n").flatMap((line) => {
      const [name = "", commit] = line.split("\t");
      return line.startsWith("#") || !name.includes("/") || !commit ? [] : [[name, commit]];
    }),
  );
}
