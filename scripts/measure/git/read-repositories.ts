import type { Facts } from "../../../src/contract/people/facts.ts";
import { assembleFacts } from "../../../src/ingest/git/assemble-facts.ts";
import { countCommits } from "../../../src/ingest/git/count-commits.ts";
import { findRepositories } from "../../../src/ingest/git/find-repositories.ts";
import { openGit } from "../../../src/ingest/git/git-command.ts";
import { identifyPeople } from "../../../src/ingest/git/identify-people.ts";
import { createIdentityRules, noFiles } from "../../../src/ingest/git/identity/rules.ts";
import type { MergeSuggestion } from "../../../src/ingest/git/identity/suggest.ts";
import { openLedger } from "../../../src/ingest/git/ledger/sqlite-ledger.ts";
import type { GitIngest } from "../../../src/ingest/git/pipeline.ts";
import { readRepositories } from "../../../src/ingest/git/read-repositories.ts";
import {
  formatAuthorsReport,
  type RepositorySummary,
  selectDigests,
  summariseRepository,
} from "../../../src/ingest/git/report.ts";
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
  /** All people once, bots and assistants included, made while they are iterated. */
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
    const community = identifyPeople(countCommits(ledger, options.asOf, rules), rules);
    const digests = selectDigests(read, community, ledger.places());
    return {
      people: { [Symbol.iterator]: () => assembleFacts(community) },
      summaries: digests.map(({ path, digest }) => ({
        ...summariseRepository(digest, community),
        path,
      })),
      humanAuthors: community.humans,
      authorsReport: formatAuthorsReport([...new Set(digests.map(({ digest }) => digest))]),
      refused,
      suggestions: community.suggestions(),
    };
  } finally {
    ledger.close();
  }
}
