import type { Facts } from "../../../src/contract/people/facts.ts";
import { assembleFacts } from "../../../src/ingest/git/assemble-facts.ts";
import { openPeopleWork } from "../../../src/ingest/git/assemble-work.ts";
import { countRepositories, digestPlaces } from "../../../src/ingest/git/count-commits.ts";
import { openGit } from "../../../src/ingest/git/git-command.ts";
import { identifyPeople, openIdentityContext } from "../../../src/ingest/git/identify-people.ts";
import { identifyTouched } from "../../../src/ingest/git/identify-touched.ts";
import { createIdentityRules, noFiles } from "../../../src/ingest/git/identity/rules.ts";
import type { MergeSuggestion } from "../../../src/ingest/git/identity/suggest.ts";
import { openLedger } from "../../../src/ingest/git/ledger/sqlite-ledger.ts";
import type { GitIngest } from "../../../src/ingest/git/pipeline.ts";
import { readRepositories } from "../../../src/ingest/git/read-repositories.ts";
import {
  formatAuthorsReport,
  type RepositorySummary,
  summariseRepository,
} from "../../../src/ingest/git/report.ts";
import { findRepositories } from "../../../src/ingest/git/repository/find-repositories.ts";
import type { RepositoryRefusal } from "../../../src/ingest/git/repository/refusal.ts";

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
  readonly summaries: readonly RepositorySummary[];
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
 *
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
    const context = openIdentityContext(ledger, rules);
    identifyTouched(ledger, context, options.asOf);
    const community = identifyPeople(context, "all");
    const byDirectory = new Map(ledger.places().map(({ id, directory }) => [directory, id]));
    const placeOf = (directory: string) => byDirectory.get(directory) ?? Number.NaN;
    const all = ledger.repositories.all();
    const summaries = read.flatMap(({ path, directory }) => {
      const [id = Number.NaN] = ledger.repositories.ofPlaces([placeOf(directory)]);
      const repository = all.get(id);
      return repository ? [{ ...summariseRepository(repository, ledger), path }] : [];
    });
    const places = new Set(read.map(({ directory }) => placeOf(directory)));
    const humans = community.everybody.filter(
      ({ person }) =>
        person.classified.class === "human" && person.identities.some(({ commits }) => commits > 0),
    );
    return {
      people: [...assembleFacts(community, openPeopleWork(ledger, options)(community))],
      summaries,
      humanAuthors: humans.length,
      authorsReport: formatAuthorsReport(digestPlaces(ledger, options.asOf, places)),
      refused,
      suggestions: community.suggestions(),
    };
  } finally {
    ledger.close();
  }
}
