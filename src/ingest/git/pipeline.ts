/**
 * From `git log` to a score in eight stages, each in a file of this folder: find, read log and keep (repository by
 * repository), count, identify, assemble, publish, authorship. Each repository is stored as soon as it is read. The pool
 * changes once, at the end: it shows the people of the previous run or those of this one, never a mixture.
 */
import type { AsOf } from "../../analysis/analysis.ts";
import type { ImportLock, Pool } from "../../pool/pool.ts";
import { countUnasked } from "../forges/ask-authors.ts";
import { deriveNoreplyHosts } from "../forges/derive-noreply-hosts.ts";
import type { Judge } from "../judge.ts";
import { assembleFacts } from "./assemble-facts.ts";
import { countCommits } from "./count-commits.ts";
import { findRepositories } from "./find-repositories.ts";
import { eraseForgotten } from "./forget-people.ts";
import { type GitOptions, openGit } from "./git-command.ts";
import { type Community, identifyPeople } from "./identify-people.ts";
import {
  createIdentityRules,
  type IdentityRules,
  noFiles,
  type OperatorFiles,
} from "./identity/rules.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { isAuthorshipStored, publishAuthorship } from "./publish-authorship.ts";
import { publishPeople, readPoolMark } from "./publish-people.ts";
import { type CloneOptions, readRepositories } from "./read-repositories.ts";
import {
  type GitIngestReport,
  reportIngest,
  reportNothingRead,
  reportUnchanged,
  summariseOutcome,
  summariseRepositories,
} from "./report.ts";

export interface GitIngest extends CloneOptions, GitOptions {
  /** Repositories, bundles, or folders of them; empty: recount what the ledger has. */
  readonly paths: readonly string[];
  readonly pool: Pick<
    Pool,
    | "lockImports"
    | "findFacts"
    | "sources"
    | "size"
    | "revision"
    | "erasing"
    | "decisions"
    | "authorship"
  >;
  /** Commits dated later are flagged and not counted. */
  readonly asOf: AsOf;
  /** The operator's alias and class file; default: none. Decisions come from the pool. */
  readonly files?: OperatorFiles | undefined;
  readonly judge: Judge;
  /** The import lock, if the caller holds it; default: the run takes it before it reads anything. */
  readonly lock?: ImportLock | undefined;
  /** Version of the model that `judge` uses. */
  readonly modelVersion: string;
  /** Whether `judge` publishes addresses of commits; default: false. */
  readonly publishCommitEmails?: boolean | undefined;
  /** Whether the report lists every author, which needs a recount even when nothing is new. */
  readonly wantsAuthors?: boolean | undefined;
  /** Whether the run may remove more people than `readRemovalsMax` allows. */
  readonly canRemoveMany?: boolean | undefined;
  /** Places to forget, in the moment when the pool shows the people without them. */
  readonly forgetting?: readonly number[] | undefined;
}

/**
 * Reads the new commits of repositories and updates every affected developer in the pool. New facts replace earlier
 * facts from git; facts from other sources stay. People who no longer occur in git are removed, and so are the demo
 * developers once there are real ones. The same input again changes nothing.
 *
 * @throws Fault when git is missing; at once, while another import runs; the signal's reason when it is aborted. The pool
 *   is then unchanged, and the next run continues where this one ended.
 */
export async function ingestGit(request: GitIngest): Promise<GitIngestReport> {
  const lock = request.lock ?? (await request.pool.lockImports("git"));
  try {
    const report = await ingestLocked(request, lock);
    const { files, ledger, asOf } = request;
    if (!files?.forges) return report;
    const unasked = countUnasked(files.forges, ledger, () => new Date(asOf));
    return unasked.length > 0 ? { ...report, unasked } : report;
  } finally {
    if (!request.lock) await lock.release();
  }
}

async function ingestLocked(request: GitIngest, lock: ImportLock): Promise<GitIngestReport> {
  const { ledger, pool, asOf, modelVersion, paths, forgetting = [] } = request;
  const { publishCommitEmails = false } = request;
  const git = openGit(request);
  const { read, refused } = await readRepositories(git, findRepositories(paths), request);
  if (paths.length > 0 && read.length === 0) return reportNothingRead(refused);
  if (request.files?.forges) deriveNoreplyHosts(request.files.forges, ledger);

  const rules = createIdentityRules(request.files ?? noFiles, await pool.decisions.list());
  const applied = ledger.applied();
  // Another day, model, version of Roster or way to judge may change everyone's figures.
  const isJudged =
    applied?.asOf === asOf &&
    applied.modelVersion === modelVersion &&
    (applied.publishCommitEmails ?? false) === publishCommitEmails &&
    applied.poolMark === (await readPoolMark(pool, rules));
  const isCounted = applied?.isCurrent && applied.identity === rules.fingerprint();
  const isSame = isCounted && isJudged && !request.wantsAuthors && forgetting.length === 0;
  if (isSame && (await isAuthorshipStored({ ledger, pool }))) {
    return reportUnchanged({ read, refused, outcome: applied.outcome, ledger, pool });
  }

  const rest = leaveOut(ledger, forgetting);
  const { community, suppressed } = await identifyRemembered({ ledger: rest, pool, asOf }, rules);
  const outcome = summariseOutcome(community);
  const shouldRemoveDemo = outcome.developers.human > 0;
  const { gone, ...counts } = await publishPeople(() => assembleFacts(community), {
    ...request,
    lock,
    isJudged,
    shouldRemoveDemo,
    beforeCommit: () => forgetting.length > 0 && ledger.forget(forgetting),
  });
  await publishAuthorship({ ledger, pool, community, signal: request.signal });
  const identity = rules.fingerprint();
  const poolMark = await readPoolMark(pool, rules);
  const judged = { asOf, modelVersion, publishCommitEmails };
  const run = { ...judged, identity, poolMark, outcome };
  ledger.setApplied(run, gone, summariseRepositories(community));
  const imported = { ...counts, suppressed: counts.suppressed + suppressed };
  return reportIngest({ read, refused, outcome, imported, community, places: ledger.places() });
}

/** Returns the ledger without some places. */
function leaveOut(ledger: Ledger, placeIds: readonly number[]): Ledger {
  return { ...ledger, places: () => ledger.places().filter(({ id }) => !placeIds.includes(id)) };
}

/**
 * The stages count and identify, without forgotten people: they are erased from the ledgers, and the rest is counted
 * again with their commits belonging to no one.
 */
export async function identifyRemembered(
  {
    ledger,
    pool,
    asOf,
  }: Pick<GitIngest, "ledger" | "asOf"> & { pool: Pick<Pool, "erasing" | "findFacts"> },
  rules: IdentityRules,
): Promise<{ readonly community: Community; readonly suppressed: number }> {
  const identify = () => identifyPeople(countCommits(ledger, asOf, rules), rules);
  const community = identify();
  const suppressed = await eraseForgotten(community, { ledger, forges: rules.forges }, pool);
  if (suppressed === undefined) return { community, suppressed: 0 };
  return { community: identify(), suppressed };
}
