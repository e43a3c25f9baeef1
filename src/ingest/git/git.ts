/**
 * Reads clones, bare mirrors and bundles into facts about the people in them. Needs the git command,
 * no network and no token; changes nothing in what it reads.
 */
import type { AsOf } from "../../analysis/analysis.ts";
import type { Facts } from "../../contract/people/facts.ts";
import type { RepositoryDigest } from "./commits/digest-repository.ts";
import { type GitOptions, openGit } from "./git-command.ts";
import { noFiles } from "./identity/operator-files.ts";
import { createIdentityRules } from "./identity/rules.ts";
import type { MergeSuggestion } from "./identity/suggest.ts";
import { openLedger } from "./ledger/ledger.ts";
import { formatAuthorsReport } from "./people/authors-report.ts";
import type { Community } from "./people/community.ts";
import {
  countPeople,
  type PeopleCount,
  type RepositorySummary,
  summariseRepository,
} from "./people/count-people.ts";
import { buildFacts } from "./people/facts.ts";
import { type CloneOptions, type CloneReading, readClones } from "./read-clones.ts";
import type { RepositoryRefusal } from "./repositories/repositories.ts";

export type { RepositorySummary };

export interface ReadOptions extends Omit<CloneOptions, "ledger">, GitOptions {
  /** Commits dated later are flagged and not counted. */
  readonly asOf: AsOf;
}

export interface RepositoriesReading {
  /** Everybody once, bots and assistants too, made as they are asked for. */
  readonly people: Iterable<Facts>;
  readonly summaries: readonly RepositorySummary[];
  /** Distinct human authors over all repositories; never more than lines in the authors report. */
  readonly humanAuthors: number;
  /** Lines `commits TAB name <email>`; see `authorsReport` for order and bytes. */
  readonly authorsReport: readonly string[];
  /** What was not read, and why. */
  readonly refused: readonly RepositoryRefusal[];
  /** Pairs of people who may be one; nothing was done about them. */
  readonly suggestions: readonly MergeSuggestion[];
}

/**
 * Reads these repositories and no others, and keeps nothing. The same repositories in any order give the
 * same facts.
 *
 * @param paths repositories, bundles, or folders that hold some.
 * @throws Fault when there is no git; the signal's reason when it is aborted.
 */
export async function readRepositories(
  paths: readonly string[],
  options: ReadOptions,
): Promise<RepositoriesReading> {
  const git = openGit(options);
  const ledger = openLedger(":memory:", { version: "", now: () => new Date(0) });
  try {
    const { read, refused } = await readClones(git, paths, { ...options, ledger });
    const { community, digests } = countPeople(
      ledger,
      options.asOf,
      createIdentityRules(noFiles, []),
    );
    const found = selectDigests(read, { community, digests }, ledger.places());
    return {
      people: { [Symbol.iterator]: () => listEverybody(community) },
      summaries: found.map(({ path, digest }) => ({
        ...summariseRepository(digest, community),
        path,
      })),
      humanAuthors: community.humans,
      authorsReport: formatAuthorsReport([...new Set(found.map(({ digest }) => digest))]),
      refused,
      suggestions: community.suggestions(),
    };
  } finally {
    ledger.close();
  }
}

/** What was counted at the places that were read, in their order. */
export function selectDigests(
  read: readonly CloneReading[],
  { digests }: PeopleCount,
  places: readonly { readonly id: number; readonly directory: string | null }[],
): { readonly path: string; readonly id: number; readonly digest: RepositoryDigest }[] {
  const byDirectory = new Map(places.map(({ id, directory }) => [directory, id]));
  return read.flatMap(({ path, directory }) => {
    const id = byDirectory.get(directory);
    const digest = id === undefined ? undefined : digests.get(id);
    return id !== undefined && digest ? [{ path, id, digest }] : [];
  });
}

export function* listEverybody(community: Community): Generator<Facts> {
  for (const named of community.everybody) {
    const facts = buildFacts(named, community);
    if (facts) yield facts;
  }
}
