/**
 * From git history into the pool. What is read is kept repository by repository; what is shown changes
 * once, at the end of a run: the pool shows the people of before or those of after, never some of both.
 */

import type { Facts } from "../../contract/facts/facts.ts";
import { isGenericAddress, normaliseAddress } from "../../identity/address.ts";
import type { Pool } from "../../pool/pool.ts";
import type { Judge } from "../judge.ts";
import { listEverybody, type ReadOptions, selectDigests } from "./git.ts";
import { openGit } from "./git-command.ts";
import type { NamedPerson } from "./identity/login.ts";
import { noFiles, type OperatorFiles } from "./identity/operator-files.ts";
import type { RejectedStatement } from "./identity/people.ts";
import { createIdentityRules, type IdentityRules } from "./identity/rules.ts";
import type { AppliedRun, KnownClone, Ledger } from "./ledger/ledger.ts";
import { formatAuthorsReport } from "./people/authors-report.ts";
import {
  countPeople,
  type PeopleCount,
  type RepositorySummary,
  summariseRepository,
} from "./people/count-people.ts";
import { gitSource } from "./people/facts.ts";
import { type IngestCounts, importPeople } from "./people/import-people.ts";
import { type CloneReading, type ReadStatus, readClones } from "./read-clones.ts";
import type { RepositoryRefusal } from "./repositories/repositories.ts";

export interface GitIngest extends ReadOptions {
  /** Repositories, bundles, or folders that hold some; none: the people of all that is known. */
  readonly paths: readonly string[];
  /** What is known of repositories; people are counted over all of them. */
  readonly ledger: Ledger;
  readonly pool: Pick<
    Pool,
    "beginImport" | "findFacts" | "sources" | "revision" | "erasing" | "decisions"
  >;
  /** What the operator's files say of people; default: nothing. Decisions are the pool's. */
  readonly files?: OperatorFiles | undefined;
  readonly judge: Judge;
  /** Of the constants that it judges with. */
  readonly modelVersion: string;
  /** Whether the report names every author; it costs a counting even when nothing is new. */
  readonly wantsAuthors?: boolean | undefined;
}

/** Over all repositories that are known, not only those of this run. */
export interface GitIngestOutcome {
  /** People, and bots and assistants, which search does not show. */
  readonly developers: { readonly human: number; readonly bot: number; readonly assistant: number };
  /** Spellings of an author that were found to be somebody's second one. */
  readonly aliases: number;
  /** Pairs of people who may be one; nothing was done about them. */
  readonly suggestions: number;
  /** What was said of people and could not be followed. */
  readonly unheeded: readonly RejectedStatement[];
}

export interface GitIngestReport extends GitIngestOutcome {
  /** The repositories of this run. */
  readonly summaries: readonly (RepositorySummary & {
    readonly status: ReadStatus;
    /** Commits read now. */
    readonly newCommits: number;
  })[];
  /** What was not read, and why. */
  readonly refused: readonly RepositoryRefusal[];
  /** Distinct lines of the authors report. */
  readonly authors: number;
  /** Lines `commits TAB name <email>`, of this run's repositories; empty unless wanted. */
  readonly authorsReport: readonly string[];
  /** What became of the pool; undefined when nothing could be read and nothing was changed. */
  readonly imported: IngestCounts | undefined;
}

/**
 * Reads what is new in repositories and puts everybody affected into the pool, in place of what git told
 * of the same login before; what others told of it stays. People whom git no longer tells of leave; the
 * demo people leave when the first real ones come. The same input again changes nothing.
 *
 * @throws GitFault when there is no git; StoreFault while another import runs; the signal's reason when it
 *   is aborted: the pool is then as before, and the next run goes on where this one ended.
 */
export async function ingestGit(request: GitIngest): Promise<GitIngestReport> {
  const { ledger, pool, asOf, modelVersion } = request;
  const git = openGit(request);
  const { read, refused } = await readClones(git, request.paths, request);
  const places = ledger.places();
  if (request.paths.length > 0 && read.length === 0) {
    const rest = { summaries: [], refused, authors: 0, authorsReport: [], imported: undefined };
    return { ...nobody, ...rest };
  }
  const applied = ledger.applied();
  // Judged as of another day, by another model or Roster: then everybody's figures may differ.
  const isJudged =
    applied?.asOf === asOf &&
    applied.modelVersion === modelVersion &&
    applied.poolMark === (await poolMark(pool));
  const rules = createIdentityRules(request.files ?? noFiles, await pool.decisions.list());
  const isCounted = applied?.isCurrent && applied.identity === rules.fingerprint;
  if (isCounted && isJudged && !request.wantsAuthors) {
    return reportUnchanged({ read, refused, applied, places }, request);
  }
  const { counted, suppressed } = await recountWithoutForgotten(request, rules);
  const found = selectDigests(read, counted, places);
  const outcome = outcomeOf(counted);
  const imported = await importPeople(listEverybody(counted.community), {
    ...request,
    isJudged,
    demoLeaves: outcome.developers.human > 0,
  });
  const summaries = new Map(
    [...counted.digests].map(([id, digest]) => [
      id,
      summariseRepository(digest, counted.community),
    ]),
  );
  const { gone, ...rest } = imported;
  const shown = { ...rest, suppressed: rest.suppressed + suppressed };
  const identity = rules.fingerprint;
  const now = { asOf, modelVersion, identity, poolMark: await poolMark(pool), outcome };
  ledger.setApplied(now, gone, summaries);
  const lines = formatAuthorsReport([...new Set(found.map(({ digest }) => digest))]);
  return {
    ...outcome,
    summaries: summariesOf(read, ledger.places()),
    refused,
    authors: lines.length,
    authorsReport: lines,
    imported: shown,
  };
}

/**
 * Counts everybody but those who had themselves forgotten: they are erased from what is kept too, and what
 * is left is counted as if their commits were nobody's.
 */
export async function recountWithoutForgotten(
  { ledger, pool, asOf }: Pick<GitIngest, "ledger" | "asOf"> & { pool: Pick<Pool, "erasing"> },
  rules: IdentityRules,
): Promise<{ readonly counted: PeopleCount; readonly suppressed: number }> {
  const counted = countPeople(ledger, asOf, rules);
  // Also those of whom nothing counts, such as who only merged.
  const { isSuppressed } = await pool.erasing.suppression();
  const forgotten = counted.community.everybody.filter((named) => isSuppressed(identityOf(named)));
  if (forgotten.length === 0) return { counted, suppressed: 0 };
  const logins = new Set(forgotten.map(({ login }) => login.toLowerCase()));
  const spelling = (name: string, email: string) => `${name} <${normaliseAddress(email)}>`;
  // An address that several people use is theirs only under their own name.
  const spellings = new Set(
    forgotten
      .flatMap(({ person }) => person.identities)
      .map(({ name, rawEmail }) => spelling(name, rawEmail)),
  );
  const addresses = new Set(forgotten.flatMap(({ person }) => [...person.addresses]));
  ledger.erase({
    isTheirLogin: (login) => logins.has(login),
    isTheirs: ({ name, email, rawEmail }) =>
      spellings.has(spelling(name, rawEmail)) ||
      [email, rawEmail]
        .map(normaliseAddress)
        .some((address) => addresses.has(address) && !isGenericAddress(address)),
  });
  const { workOf } = counted.community;
  const suppressed = forgotten.filter(({ person }) => workOf(person).length > 0).length;
  return { counted: countPeople(ledger, asOf, rules), suppressed };
}

/** As much of a person as tells who it is. */
function identityOf({ login, person }: NamedPerson): Facts {
  const emails = [...person.addresses].map((address) => ({
    address,
    sources: ["commits"],
    published: false,
  }));
  return { login, source: gitSource, profile: {}, emails, repositories: [], evidence: [] };
}

const nobody: GitIngestOutcome = {
  developers: { human: 0, bot: 0, assistant: 0 },
  aliases: 0,
  suggestions: 0,
  unheeded: [],
};

/** Nothing is new, and the pool shows it all: what was found the last time holds. */
async function reportUnchanged(
  known: {
    readonly read: readonly CloneReading[];
    readonly refused: readonly RepositoryRefusal[];
    readonly applied: AppliedRun;
    readonly places: readonly KnownClone[];
  },
  { ledger, pool }: GitIngest,
): Promise<GitIngestReport> {
  const { read, refused, applied, places } = known;
  const outcome = applied.outcome as GitIngestOutcome;
  const { human, bot, assistant } = outcome.developers;
  const unchanged = human + bot + assistant;
  const summaries = summariesOf(read, places);
  const [first, ...others] = summaries;
  return {
    ...outcome,
    summaries,
    refused,
    authors: first && others.length === 0 ? first.authors : countLines(read, places, ledger),
    authorsReport: [],
    imported: {
      revision: await pool.revision(),
      added: 0,
      replaced: 0,
      unchanged,
      removed: 0,
      demoRemoved: 0,
      suppressed: 0,
    },
  };
}

function countLines(
  read: readonly CloneReading[],
  places: readonly KnownClone[],
  ledger: Ledger,
): number {
  const named = new Set(read.map(({ directory }) => directory));
  const lines = new Set<string>();
  for (const { id, directory } of places) {
    if (directory === null || !named.has(directory)) continue;
    for (const { line, commits, isErased } of ledger.sense(id).signatures) {
      if (commits > 0 && !isErased) lines.add(line);
    }
  }
  return lines.size;
}

function summariesOf(
  read: readonly CloneReading[],
  places: readonly KnownClone[],
): GitIngestReport["summaries"] {
  const byDirectory = new Map(places.map((place) => [place.directory, place]));
  return read.flatMap(({ path, directory, status, newCommits }) => {
    const summary = byDirectory.get(directory)?.summary as RepositorySummary | undefined;
    return summary ? [{ ...summary, path, status, newCommits }] : [];
  });
}

function outcomeOf({ community }: PeopleCount): GitIngestOutcome {
  const developers = { human: 0, bot: 0, assistant: 0 };
  let aliases = 0;
  for (const { person } of community.everybody) {
    aliases += person.identities.length - 1;
    if (community.workOf(person).length > 0) developers[person.classified.class] += 1;
  }
  const { unheeded } = community;
  return { developers, aliases, suggestions: community.suggestions().length, unheeded };
}

/** Moves with every import of git, by whomever: a restored or emptied pool is noticed. */
async function poolMark(pool: Pick<Pool, "sources">): Promise<string> {
  const git = (await pool.sources()).find(({ source }) => source === gitSource);
  return git ? `${git.lastImportAt} ${git.developers}` : "";
}
