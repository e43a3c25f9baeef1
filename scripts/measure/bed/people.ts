/** Counts the people that a rule touches, by the histories that a ledger keeps. */
import { followRenames } from "../../../src/ingest/git/commit/follow-renames.ts";
import { formatSignedName } from "../../../src/ingest/git/commit/logged-commit.ts";
import { iterateCommits } from "../../../src/ingest/git/commit/stored-commits.ts";
import type { Person } from "../../../src/ingest/git/identify/author-identity.ts";
import { readStoredHistory } from "../../../src/ingest/git/ledger/histories.ts";
import { listLocations, listMentions } from "../../../src/ingest/git/ledger/locations.ts";
import { openLedger } from "../../../src/ingest/ingest.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { askGit } from "../git/ask-git.ts";
import { type IngestedCommunity, ingestCommunity } from "../ingested-community.ts";
import { UnusableInput } from "../measurement.ts";
import type { Sighting } from "./sightings.ts";

/** A repository at the commit that the bed has, and what its newest tree meets. */
export interface BedRepository {
  readonly name: string;
  readonly directory: string;
  readonly head: string;
  /** Its commits, as `git rev-list --count` is to count them. */
  readonly commits: number;
  readonly sightings: readonly Sighting[];
}

/**
 * Reads the repositories that the ledger does not have at this commit, once `git fsck` has passed.
 * @returns counts the people who changed files of a sighting, under any of their names.
 * @throws UnusableInput for a repository that lacks something.
 */
export async function countBedPeople(
  repositories: readonly BedRepository[],
  file: string,
): Promise<(sighting: Sighting) => number> {
  const before = openLedger(file, { version: "truth", now: () => new Date() });
  const kept = new Set(listLocations(before).map(({ directory, head }) => `${directory} ${head}`));
  before.close();
  const fresh = repositories.filter((one) => !kept.has(`${one.directory} ${one.head}`));
  const commits = fresh.reduce((sum, one) => sum + one.commits, 0);
  console.error(
    `${file} has ${repositories.length - fresh.length} of ${repositories.length} repositories. ` +
      `Checks and reads ${fresh.length} with ${commits} commits, ${minutes(commits, 40_000)}; ` +
      `then counts people, ${minutes(repositories.length, 60)}.`,
  );
  for (const one of fresh) verify(one);
  const paths = repositories.map(({ directory }) => directory);
  return ingestCommunity(paths, { vocabulary: createVocabulary(), ledger: file }, (ingested) => {
    const counts = new Map<Sighting, number>();
    for (const { directory, sightings } of repositories) {
      const people = listPeople(directory, sightings, ingested);
      for (const one of sightings) {
        const all = [...one.files].flatMap((path) => [...(people.get(path) ?? [])]);
        counts.set(one, new Set(all).size);
      }
    }
    return (sighting) => counts.get(sighting) ?? 0;
  });
}

function minutes(amount: number, perMinute: number): string {
  return `about ${Math.ceil(amount / perMinute)} min`;
}

function verify({ name, directory, commits }: BedRepository): void {
  const counted = Number(askGit(directory, ["rev-list", "--count", "HEAD"]));
  if (counted !== commits) {
    throw new UnusableInput(`${name} has ${counted} commits, and the bed ${commits}`);
  }
  const faults = askGit(directory, ["fsck", "--connectivity-only", "--no-dangling"]);
  if (/^(missing|broken|error)/m.test(faults.toString())) {
    throw new UnusableInput(`${name} is damaged: ${faults}`);
  }
}

/** @returns the humans who changed each file of the newest tree that a rule meets. */
function listPeople(
  directory: string,
  sightings: readonly Sighting[],
  { ledger, community }: IngestedCommunity,
): ReadonlyMap<string, ReadonlySet<Person>> {
  const place = listLocations(ledger).find((one) => one.directory === directory);
  if (!place) throw new UnusableInput(`${directory} was not read`);
  const { names, metadata, segments } = readStoredHistory(ledger.sqlite, place.id);
  const spellings = new Map(
    listMentions(ledger, [place.id]).map((one) => [formatSignedName(one), one.spelling]),
  );
  const authors = metadata.signatures.map((one) => {
    const identity = community.identityOf(spellings.get(formatSignedName(one)) ?? -1);
    const person = identity && community.personOf(identity);
    return person?.classified.class === "human" ? person : undefined;
  });
  const files = new Set(sightings.flatMap((one) => [...one.files]));
  const newestPath = followRenames(files, names);
  const found = new Map<string, Set<Person>>();
  for (const { author, files, isMerge } of iterateCommits(segments)) {
    const person = authors[author];
    if (!person || isMerge) continue;
    for (const { path } of files) {
      const newest = newestPath(names.paths[path] ?? "");
      if (newest) found.getOrInsertComputed(newest, () => new Set()).add(person);
    }
  }
  return found;
}
