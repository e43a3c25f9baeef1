import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openGit } from "../../../src/ingest/git/git-command.ts";
import { findRepositories } from "../../../src/ingest/git/repository/find-repositories.ts";
import { openClone } from "../../../src/ingest/git/repository/open-repository.ts";
import { openLinguist } from "../../../src/ingest/linguist/linguist.ts";
import { readListLines } from "../../../src/vocabulary/list-lines.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { type BedRepository, countBedPeople } from "../bed/people.ts";
import { openPackageRules, openPathRules } from "../bed/rules.ts";
import { listSightings } from "../bed/sightings.ts";
import { defineMeasurement, type Findings } from "../measurement.ts";
import { atLeast, toShare } from "../rows.ts";

export const measurement = defineMeasurement({
  about: "Which lines of the vocabulary the repositories of the bed meet.",
  takes: "PATH...",
  options: { ledger: "" },
  run: ({ paths, ledger }) => truthOfBed(paths, ledger),
});

/**
 * Lists what the newest trees of bed/repositories.tsv meet: rule, skill, repository, files, people and a sample, separated by
 * tabs. `bed.right` is the share of pairs of a line and a repository that bed/expected.tsv has.
 * @param paths clones or mirrors, or folders that contain some. Those that are not in the list are left out.
 * @param ledger a file that keeps the histories for the next run. Without one, the column of people has a dash.
 */
async function truthOfBed(paths: readonly string[], ledger: string): Promise<Findings> {
  const git = openGit({});
  const pinned = readPinned();
  const bed: BedRepository[] = [];
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
  const skipped: string[] = [];
  for (const place of findRepositories(paths)) {
    if ("reason" in place) continue;
    const found = await openClone(git, place);
    const { head, origin } = found;
    const { name } = origin;
    const pin = pinned.get(name);
    if (pin && head === pin.head) {
      const sightings = await listSightings(found, context);
      bed.push({ name, directory: place.directory, ...pin, sightings });
    } else if (pin) skipped.push(`${name} is at ${head}, and the bed at ${pin.head}`);
    found.close();
    pinned.delete(name);
  }
  skipped.push(...[...pinned.keys()].map((name) => `${name} is not at these paths`));
  const peopleOf = ledger ? await countBedPeople(bed, ledger) : () => "-";
  const found = bed.flatMap(({ name, sightings }) => sightings.map((one) => [name, one] as const));
  const listing = found.map(([name, one]) =>
    [one.rule, one.skill, name, one.files.size, peopleOf(one), one.sample].join("\t"),
  );
  const judged = found.filter(([, { rule }]) => /^(package|path) /.test(rule));
  const misses = judged.flatMap(([name, { rule, skill }]) =>
    right.has([rule, skill, name].join("\t")) ? [] : [`${rule} ${skill} ${name}`],
  );
  const share = toShare("bed.right", judged.length - misses.length, judged.length);
  return { rows: [atLeast(1, share)], counts: `${judged.length} pairs`, listing, skipped, misses };
}

/** @returns the commit of each repository of the bed, and how many commits there are. */
function readPinned() {
  const rows = readRows("repositories.tsv").filter(([name]) => name !== "repository");
  return new Map(
    rows.map(([name = "", head = "", commits]) => [name, { head, commits: Number(commits) }]),
  );
}

function readRows(file: string): readonly string[][] {
  const text = readFileSync(join(import.meta.dir, "../bed", file), "utf8");
  return readListLines(text).map((line) => line.split("\t"));
}
