import type { PeopleWork } from "../../src/ingest/git/assemble/people-work.ts";
import { openGit } from "../../src/ingest/git/git-command.ts";
import type { Community } from "../../src/ingest/git/identify/community.ts";
import { createIdentityRules, noFiles } from "../../src/ingest/git/identify/rules.ts";
import { listLocations } from "../../src/ingest/git/ledger/locations.ts";
import { readRepositories } from "../../src/ingest/git/read-repositories.ts";
import { findRepositories } from "../../src/ingest/git/repository/find-repositories.ts";
import type { RepositoryDigest } from "../../src/ingest/git/tally/digest-repository.ts";
import { countRepositories } from "../../src/ingest/git/tally/tally.ts";
import { writeTally } from "../../src/ingest/git/tally/tally-rows.ts";
import { type Ledger, openLedger } from "../../src/ingest/ingest.ts";
import type { Vocabulary } from "../../src/vocabulary/vocabulary.ts";
import { identifyEverybody, preparePeople } from "./identified-people.ts";
import { UnusableInput } from "./measurement.ts";
import { repositoriesAt } from "./repositories-at.ts";

/** People with their work, while the ledger is open. */
export interface IngestedCommunity {
  readonly ledger: Ledger;
  readonly community: Community;
  readonly work: PeopleWork;
  readonly repositories: readonly { readonly path: string; readonly name: string }[];
}

const rules = createIdentityRules(noFiles, []);

/**
 * Reads and counts repositories as `ingest git` does, all as one pool, up to the point where facts are assembled.
 * @param ledger a file that keeps what was read, so that the next run need not read it again; default: none.
 */
export async function ingestCommunity<Result>(
  paths: readonly string[],
  options: { readonly vocabulary: Vocabulary; readonly ledger?: string | undefined },
  use: (ingested: IngestedCommunity) => Result,
): Promise<Result> {
  const now = () => new Date();
  const ledger = openLedger(options.ledger ?? ":memory:", { version: "truth", now });
  try {
    const { vocabulary } = options;
    const places = findRepositories(repositoriesAt(paths));
    const { refused } = await readRepositories(openGit({}), places, { ledger, vocabulary });
    const [first] = refused;
    if (first) throw new UnusableInput(`${first.path}: ${first.reason}`);
    const asOf = now().toISOString().slice(0, 10);
    await countRepositories(ledger, { asOf });
    const { community, work } = preparePeople(ledger, { rules, asOf, vocabulary });
    return use({ ledger, community, work, repositories: listLocations(ledger) });
  } finally {
    ledger.close();
  }
}

/** Identifies the authors of counted repositories as `ingest git` does. */
export function identifyDigests(digests: readonly RepositoryDigest[]): Community {
  const ledger = openLedger(":memory:", { version: "truth", now: () => new Date() });
  try {
    for (const [at, digest] of digests.entries()) {
      writeTally(ledger.sqlite, { repository: at + 1, places: [], inputs: "", digest });
    }
    return identifyEverybody(ledger, rules);
  } finally {
    ledger.close();
  }
}
