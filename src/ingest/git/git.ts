/**
 * Reads clones, bare mirrors and bundles into facts about the people in them. Needs the git command,
 * no network and no token; changes nothing in what it reads.
 */
import type { AsOf } from "../../analysis/analysis.ts";
import type { Facts } from "../../contract/facts/facts.ts";
import type { Vocabulary } from "../../vocabulary/vocabulary.ts";
import { openLinguist } from "../linguist/linguist.ts";
import { dayNumber } from "./commits/count.ts";
import { Fingerprints } from "./commits/fingerprints.ts";
import { readContents } from "./evidence/contents.ts";
import { readTouchstones } from "./evidence/packages.ts";
import { mainLanguage, readTree } from "./evidence/tree.ts";
import { GitFault, openGit } from "./git-command.ts";
import type { Suggestion } from "./identity/people.ts";
import { openPersonas } from "./identity/personas.ts";
import { authorsReport } from "./people/authors-report.ts";
import { type Community, openCommunity } from "./people/community.ts";
import { factsOf } from "./people/facts.ts";
import {
  type FoundRepository,
  listPlaces,
  openPlace,
  type Refusal,
} from "./repositories/repositories.ts";
import { type Digest, scanRepository } from "./scan.ts";

export interface ReadOptions {
  readonly vocabulary: Pick<Vocabulary, "pathClasses" | "packageSkill">;
  /** Commits dated later are flagged and not counted. */
  readonly asOf: AsOf;
  /** Where git is; default: found on the path. */
  readonly program?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: GitProgress) => void) | undefined;
}

export interface GitProgress {
  /** The repository being read. */
  readonly path: string;
  readonly repositoriesDone: number;
  readonly repositories: number;
  /** Commits of this repository: read so far, and in all. */
  readonly commits: number;
  readonly commitsInAll: number;
}

export interface RepositorySummary {
  readonly path: string;
  /** All reachable from HEAD. */
  readonly commits: number;
  readonly merges: number;
  /** Non-merge commits by class of author, before any deduplication. */
  readonly human: number;
  readonly bot: number;
  readonly assistant: number;
  /** Distinct (name, e-mail) pairs of non-merge commits after the mailmap: lines of the authors report. */
  readonly authors: number;
  /** Human authors after identity merging. */
  readonly people: number;
}

export interface Reading {
  /** Everybody once, bots and assistants too, made as they are asked for. */
  readonly people: Iterable<Facts>;
  readonly summaries: readonly RepositorySummary[];
  /** Distinct human authors over all repositories; never more than lines in the authors report. */
  readonly humanAuthors: number;
  /** Lines `commits TAB name <email>`; see `authorsReport` for order and bytes. */
  readonly authorsReport: readonly string[];
  /** What was not read, and why. */
  readonly refused: readonly Refusal[];
  /** Pairs of people who may be one; nothing was done about them. */
  readonly suggestions: readonly Suggestion[];
}

/**
 * Reads one repository after the other, in an order of its own, so that the same repositories in any
 * order give the same facts.
 *
 * @param paths repositories, bundles, or folders that hold some.
 * @throws GitFault when there is no git; the signal's reason when it is aborted.
 */
export async function readRepositories(
  paths: readonly string[],
  options: ReadOptions,
): Promise<Reading> {
  const { signal } = options;
  const git = openGit({ program: options.program, signal });
  const refused: Refusal[] = [];
  const digests: Digest[] = [];
  const reader = openReader(git, options);
  const places = listPlaces(paths);
  for (const [done, place] of places.entries()) {
    signal?.throwIfAborted();
    const opened = "reason" in place ? place : await openPlace(git, place);
    if ("reason" in opened) {
      refused.push(opened);
      continue;
    }
    try {
      digests.push(await reader.read(opened, { done, all: places.length }));
    } catch (error) {
      if (!(error instanceof GitFault)) throw error;
      refused.push({ path: opened.path, reason: error.message });
    } finally {
      opened.close();
    }
  }
  const community = openCommunity(digests);
  return {
    people: { [Symbol.iterator]: () => everybody(community) },
    summaries: digests.map((digest) => summarise(digest, community)),
    humanAuthors: community.humans,
    authorsReport: authorsReport(digests),
    refused,
    suggestions: community.suggestions,
  };
}

function openReader(git: ReturnType<typeof openGit>, options: ReadOptions) {
  const { vocabulary, onProgress } = options;
  const linguist = openLinguist();
  const shared = {
    git,
    vocabulary: rememberClasses(vocabulary),
    asOfDay: dayNumber(options.asOf),
    personas: openPersonas(),
    seen: new Fingerprints(),
    contents: new Fingerprints(),
  };
  return {
    read: async (
      repository: FoundRepository,
      at: { done: number; all: number },
    ): Promise<Digest> => {
      const { directory, head, path } = repository;
      const files = await readTree(git, repository);
      const contents = await readContents(git, directory, files, linguist);
      const kindOf = linguist.forTree(
        files.map((file) => file.path),
        contents,
      );
      const touchstones = await readTouchstones(git, directory, files, vocabulary);
      const commitsInAll = onProgress
        ? Number(await git.read(directory, ["rev-list", "--count", head]))
        : 0;
      const report = (commits: number): void =>
        onProgress?.({
          path,
          repositoriesDone: at.done,
          repositories: at.all,
          commits,
          commitsInAll,
        });
      report(0);
      const tree = { kindOf, touchstones, language: mainLanguage(files, kindOf) };
      return scanRepository({ ...shared, onCommits: report }, repository, tree);
    },
  };
}

/** Paths repeat from commit to commit; their classes need not be worked out again. */
function rememberClasses(
  vocabulary: Pick<Vocabulary, "pathClasses">,
): Pick<Vocabulary, "pathClasses"> {
  const known = new Map<string, readonly string[]>();
  return {
    pathClasses: (path) => {
      let classes = known.get(path);
      if (!classes) {
        if (known.size >= 50_000) known.clear();
        classes = vocabulary.pathClasses(path);
        known.set(path, classes);
      }
      return classes;
    },
  };
}

function* everybody(community: Community): Generator<Facts> {
  for (const named of community.everybody) {
    const facts = factsOf(named, community);
    if (facts) yield facts;
  }
}

function summarise(digest: Digest, community: Community): RepositorySummary {
  const count = { human: 0, bot: 0, assistant: 0 };
  for (const [persona, { commits }] of digest.tallies) {
    count[community.personOf(persona).classified.class] += commits;
  }
  return {
    path: digest.path,
    commits: digest.commits,
    merges: digest.merges,
    ...count,
    authors: digest.authors.size,
    people: community.humanAuthors(digest),
  };
}
