import type { Facts } from "../../../src/contract/people/facts.ts";
import { assemblePeople } from "../../../src/ingest/git/assemble/assemble-facts.ts";
import { openGit } from "../../../src/ingest/git/git-command.ts";
import { createIdentityRules, noFiles } from "../../../src/ingest/git/identify/rules.ts";
import type { MergeSuggestion } from "../../../src/ingest/git/identify/suggest.ts";
import { openLedger } from "../../../src/ingest/git/ledger/ledger.ts";
import { listLocations } from "../../../src/ingest/git/ledger/locations.ts";
import type { GitIngest } from "../../../src/ingest/git/pipeline.ts";
import { readRepositories } from "../../../src/ingest/git/read-repositories.ts";
import {
  formatAuthorsReport,
  type RepositorySummary,
  readSummary,
} from "../../../src/ingest/git/report.ts";
import { findRepositories } from "../../../src/ingest/git/repository/find-repositories.ts";
import type { RepositoryRefusal } from "../../../src/ingest/git/repository/refusal.ts";
import { countRepositories, digestLocations } from "../../../src/ingest/git/tally/tally.ts";
import { preparePeople } from "../identified-people.ts";

export type ReadOptions = Pick<
  GitIngest,
  | "asOf"
  | "vocabulary"
  | "files"
  | "jobs"
  | "timeoutMs"
  | "memoryMiB"
  | "program"
  | "signal"
  | "onProgress"
>;

interface RepositoriesReading {
  /** All people once, bots and assistants included. */
  readonly people: Iterable<Facts>;
  readonly summaries: readonly (RepositorySummary & { readonly path: string })[];
  /** Distinct human authors over all repositories; never more than lines in the authors report. */
  readonly humanAuthors: number;
  /** Lines `commits TAB name <email>`; see `formatAuthorsReport` for order and bytes. */
  readonly authorsReport: readonly string[];
  /** Repositories that were not read, and why. */
  readonly refused: readonly RepositoryRefusal[];
  /** Pairs of people who may be one person. They are not merged. */
  readonly suggestions: readonly MergeSuggestion[];
}

/**
 * Runs the stages from find to assemble over these repositories only. It keeps and publishes nothing.
 * @param paths repositories, bundles, or folders that contain some.
 * @throws Fault when there is no git; the signal's reason when it is aborted.
 */
export async function readFacts(
  paths: readonly string[],
  options: ReadOptions,
): Promise<RepositoriesReading> {
  const ledger = openLedger(":memory:", { version: "", now: () => new Date(0) });
  try {
    const found = findRepositories(paths);
    const { read, refused } = await readRepositories(openGit(options), found, {
      ...options,
      ledger,
    });
    const rules = createIdentityRules(options.files ?? noFiles, []);
    await countRepositories(ledger, { asOf: options.asOf });
    const { community, work, people } = preparePeople(ledger, { rules, ...options });
    const byDirectory = new Map(listLocations(ledger).map((place) => [place.directory, place]));
    const summaries = read.flatMap(({ path, directory }) => {
      const place = byDirectory.get(directory);
      const summary = place && readSummary(ledger, place);
      return summary ? [{ ...summary, path }] : [];
    });
    const places = new Set(read.flatMap(({ directory }) => byDirectory.get(directory)?.id ?? []));
    const humans = community.everybody.filter(
      ({ person }) =>
        person.classified.class === "human" && person.identities.some(({ commits }) => commits > 0),
    );
    return {
      people: [...assemblePeople(work, [community], new Set(people.all))],
      summaries,
      humanAuthors: humans.length,
      authorsReport: formatAuthorsReport(digestLocations(ledger, options.asOf, places)),
      refused,
      suggestions: community.suggestions(),
    };
  } finally {
    ledger.close();
  }
}
