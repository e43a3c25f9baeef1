import { countCommits } from "../../src/ingest/git/count-commits.ts";
import { findRepositories } from "../../src/ingest/git/find-repositories.ts";
import { openGit } from "../../src/ingest/git/git-command.ts";
import { type Community, identifyPeople } from "../../src/ingest/git/identify-people.ts";
import { createIdentityRules, noFiles } from "../../src/ingest/git/identity/rules.ts";
import { readRepositories } from "../../src/ingest/git/read-repositories.ts";
import { openLedger } from "../../src/ingest/ingest.ts";
import type { Vocabulary } from "../../src/vocabulary/vocabulary.ts";
import { UnusableInput } from "./measurement.ts";
import { repositoriesAt } from "./repositories-at.ts";

/**
 * Reads and counts repositories as `ingest git` does, all as one pool, up to the point where facts are assembled.
 *
 * @param ledger a file that keeps what was read, so that the next run need not read it again; default: none.
 */
export async function ingestCommunity(
  paths: readonly string[],
  options: { readonly vocabulary: Vocabulary; readonly ledger?: string | undefined },
): Promise<Community> {
  const now = () => new Date();
  const ledger = openLedger(options.ledger ?? ":memory:", { version: "truth", now });
  try {
    const { vocabulary } = options;
    const places = findRepositories(repositoriesAt(paths));
    const { refused } = await readRepositories(openGit({}), places, { ledger, vocabulary });
    const [first] = refused;
    if (first) throw new UnusableInput(`${first.path}: ${first.reason}`);
    const rules = createIdentityRules(noFiles, []);
    return identifyPeople(countCommits(ledger, now().toISOString().slice(0, 10), rules), rules);
  } finally {
    ledger.close();
  }
}
