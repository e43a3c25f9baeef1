import { openPeopleWork, type PeopleWork } from "../../src/ingest/git/assemble-work.ts";
import type { RepositoryDigest } from "../../src/ingest/git/commits/repository-digest.ts";
import { countRepositories } from "../../src/ingest/git/count-commits.ts";
import { openGit } from "../../src/ingest/git/git-command.ts";
import {
  type Community,
  identifyPeople,
  openIdentityContext,
} from "../../src/ingest/git/identify-people.ts";
import { identifyTouched } from "../../src/ingest/git/identify-touched.ts";
import { createIdentityRules, noFiles } from "../../src/ingest/git/identity/rules.ts";
import { readRepositories } from "../../src/ingest/git/read-repositories.ts";
import { findRepositories } from "../../src/ingest/git/repository/find-repositories.ts";
import { type Ledger, openLedger } from "../../src/ingest/ingest.ts";
import type { Vocabulary } from "../../src/vocabulary/vocabulary.ts";
import { UnusableInput } from "./measurement.ts";
import { repositoriesAt } from "./repositories-at.ts";

/** People with their work, while the ledger is open. */
export interface IngestedCommunity {
  readonly community: Community;
  readonly work: PeopleWork;
  readonly repositories: readonly { readonly path: string; readonly name: string }[];
}

/**
 * Reads and counts repositories as `ingest git` does, all as one pool, up to the point where facts are assembled.
 *
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
    const community = identifyAll(ledger, asOf);
    const work = openPeopleWork(ledger, { asOf, vocabulary })(community);
    return use({ community, work, repositories: [...ledger.repositories.all().values()] });
  } finally {
    ledger.close();
  }
}

/** Identifies the authors of counted repositories as `ingest git` does. */
export function identifyDigests(digests: readonly RepositoryDigest[]): Community {
  const ledger = openLedger(":memory:", { version: "truth", now: () => new Date() });
  try {
    for (const [at, digest] of digests.entries()) {
      ledger.repositories.save(at + 1, [], "", digest);
    }
    return identifyAll(ledger, new Date().toISOString().slice(0, 10));
  } finally {
    ledger.close();
  }
}

function identifyAll(ledger: Ledger, asOf: string): Community {
  const context = openIdentityContext(ledger, createIdentityRules(noFiles, []));
  identifyTouched(ledger, context, asOf);
  return identifyPeople(context, "all");
}
