/**
 * From `git log` to a score in nine stages, each in a file of this folder: find, read log, keep and notes (repository by
 * repository), count, identify, assemble, publish, authorship. Each stage stores its result in the ledger and marks what depends
 * on it, so a run costs what changed, and one that is cut off goes on where it ended. The pool changes once, at the end: it
 * shows the people of the previous run or those of this one, never a mixture.
 */
import type { AsOf } from "../../analysis/analysis.ts";
import { isFault } from "../../contract/fault.ts";
import type { ImportLock, Pool } from "../../pool/pool.ts";
import { countUnasked } from "../forges/ask-authors.ts";
import { deriveNoreplyHosts } from "../forges/derive-noreply-hosts.ts";
import type { Judge } from "../judge.ts";
import { assembleFacts } from "./assemble-facts.ts";
import { openPeopleWork } from "./assemble-work.ts";
import { refuseGone } from "./find-left-out.ts";
import { type GitOptions, openGit } from "./git-command.ts";
import { findPersonId, type IdentityContext, identifyParts } from "./identify-people.ts";
import { identifyRemembered } from "./identify-remembered.ts";
import type { NamedPerson } from "./identity/login.ts";
import {
  createIdentityRules,
  type IdentityRules,
  noFiles,
  type OperatorFiles,
} from "./identity/rules.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { listSuperseded } from "./ledger/recognise.ts";
import { listUnpublished, publishAuthorship } from "./publish-authorship.ts";
import { publishPeople, readPoolMark } from "./publish-people.ts";
import { type CloneOptions, type CloneReading, readRepositories } from "./read-repositories.ts";
import {
  type GitIngestReport,
  reportIngest,
  reportNothingRead,
  summariseOutcome,
  summariseRepositories,
} from "./report.ts";
import { findRepositories } from "./repository/find-repositories.ts";

export interface GitIngest extends CloneOptions, GitOptions {
  /** Repositories, bundles, or folders of them; empty: recount what the ledger has. */
  readonly paths: readonly string[];
  readonly pool: Pool;
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
  /** Whether the report lists every author of the named repositories. */
  readonly wantsAuthors?: boolean | undefined;
  /** Whether everything is read, counted, identified and published again, changed or not. */
  readonly anew?: boolean | undefined;
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
    const { files, ledger, asOf, anew } = request;
    // Who publishes everybody looks at everything that it publishes from.
    if (anew || ledger.applied()?.asOf !== asOf) ledger.requireIntact();
    const report = await ingestLocked(request, lock).catch((error: unknown) => {
      const isKnown = isFault(error) && error.code !== "damaged";
      if (!isKnown && !request.signal?.aborted) ledger.requireIntact();
      throw error;
    });
    if (!files?.forges) return report;
    const unasked = countUnasked(files.forges.content(), ledger, () => new Date(asOf));
    return unasked.length > 0 ? { ...report, unasked } : report;
  } finally {
    if (!request.lock) await lock.release();
  }
}

async function ingestLocked(request: GitIngest, lock: ImportLock): Promise<GitIngestReport> {
  const { ledger, pool, asOf, paths, anew = false } = request;
  const git = openGit(request);
  const outcome = await readRepositories(git, findRepositories(paths), request);
  const { read } = outcome;
  const refuse = (leaving: readonly number[]) => {
    const staying = ledger.places().filter(({ id }) => !leaving.includes(id));
    return [...outcome.refused, ...refuseGone(staying, paths, outcome.refused)];
  };
  if (paths.length > 0 && read.length === 0) return reportNothingRead(refuse([]));
  ledger.commits.update();
  const forgetting = [...new Set([...(request.forgetting ?? []), ...listSuperseded(ledger)])];
  const refused = refuse(forgetting);
  ledger.setLeaving(forgetting);
  // Another version may name other people in them.
  if (!ledger.applied()) ledger.identity.dueRepositories();
  const onProgress = tellPhase(request, "counting commits", "repositories");
  const forges = request.files?.forges;
  const remembered = { ...request, forges, onProgress };
  const { context, suppressed, erasures } = await identifyRemembered(remembered, async () => {
    if (forges) deriveNoreplyHosts(forges, ledger);
    return createIdentityRules(request.files ?? noFiles, await pool.decisions.list());
  });
  const { rules } = context;
  const isJudged = await isPublishedAlike(request, rules);
  const isWhole = anew || !isJudged;
  const isChecked = anew || ledger.applied()?.asOf !== asOf;
  if (!isChecked && (isWhole || isOdd(request, read))) ledger.requireIntact();
  const stored = await pool.authorship.fingerprints({ whole: isWhole });
  const published = await publishDue(
    { ...request, forgetting },
    { context, lock, isJudged, isWhole, stored },
  );
  const { counts, ...settled } = published;
  const run = {
    ...{ asOf, modelVersion: request.modelVersion, identity: rules.fingerprint() },
    publishCommitEmails: request.publishCommitEmails ?? false,
    poolMark: await readPoolMark(pool, rules),
    erasures,
  };
  ledger.setApplied(run, settled);
  const imported = { ...counts, suppressed: counts.suppressed + suppressed };
  return reportIngest({ read, refused, imported, ledger, request });
}

/** Whether people are due although nothing new was read: a flipped bit may have made them so. */
function isOdd({ paths, ledger }: GitIngest, read: readonly CloneReading[]): boolean {
  const isUnchanged = paths.length > 0 && read.every(({ status }) => status === "unchanged");
  return isUnchanged && ledger.people.due().length > 0;
}

/** Whether another day, model, version of Roster or way to judge could change nobody's figures, nor another import has. */
async function isPublishedAlike(
  { ledger, pool, asOf, modelVersion, publishCommitEmails = false }: GitIngest,
  rules: IdentityRules,
): Promise<boolean> {
  const applied = ledger.applied();
  return (
    applied !== undefined &&
    applied.asOf === asOf &&
    applied.modelVersion === modelVersion &&
    (applied.publishCommitEmails ?? false) === publishCommitEmails &&
    applied.poolMark === (await readPoolMark(pool, rules))
  );
}

interface Publication {
  readonly context: IdentityContext;
  readonly lock: ImportLock;
  readonly isJudged: boolean;
  /** Whether everybody is assembled, not only those whose facts may have changed. */
  readonly isWhole: boolean;
  /** What the pool has of repositories. */
  readonly stored: ReadonlyMap<string, string>;
}

/** Publishes the people and repositories that are due. @returns what is due no more. */
async function publishDue(
  request: GitIngest,
  { context, lock, isJudged, isWhole, stored }: Publication,
) {
  const { ledger, pool, forgetting = [] } = request;
  const due = new Set(isWhole ? ledger.people.ids() : ledger.people.due());
  const departed = ledger.people.departed();
  const repositories = new Set(ledger.people.repositoriesDue());
  for (const id of listUnpublished(ledger, stored)) repositories.add(id);
  const developers = summariseOutcome(ledger).developers;
  if (due.size === 0 && departed.length === 0 && forgetting.length === 0) {
    const counts = await countNothing(pool, developers);
    await publishRepositories(request, { context, repositories, stored });
    return { counts, gone: [], people: [], repositories: [...repositories], departed };
  }
  const work = openPeopleWork(ledger, request);
  const tellPeople = tellPhase(request, "publishing people", "people");
  function* people() {
    const spellings = isWhole ? ledger.spellings.all() : listSpellings(ledger, due);
    for (const community of identifyParts(context, spellings)) {
      const isDue = ({ person }: NamedPerson) =>
        community.isShown(person) && due.has(findPersonId(community, person));
      yield* assembleFacts(community, work(community), community.everybody.filter(isDue));
    }
  }
  const { gone, ...counts } = await publishPeople(people, {
    ...request,
    lock,
    isJudged,
    departed: isWhole ? undefined : departed,
    onProgress: (done) => tellPeople(done, due.size),
    shouldRemoveDemo: developers.human > 0,
    beforeCommit: () => forgetting.length > 0 && ledger.forget(forgetting),
  });
  const others = isWhole ? 0 : ledger.people.count() - due.size;
  await publishRepositories(request, { context, repositories, stored });
  return {
    counts: { ...counts, unchanged: counts.unchanged + others },
    ...{ gone, people: [...due], repositories: [...repositories], departed },
  };
}

async function publishRepositories(
  request: GitIngest,
  {
    context: { forges },
    repositories,
    stored,
  }: Pick<Publication, "context" | "stored"> & { readonly repositories: ReadonlySet<number> },
): Promise<void> {
  const { ledger, pool, signal } = request;
  const onProgress = tellPhase(request, "noting who changed which files", "repositories");
  await publishAuthorship({ ledger, forges, pool, repositories, stored, signal, onProgress });
  ledger.setSummaries(summariseRepositories(ledger, repositories));
}

/** @returns tells how far the run is with what it does after reading. */
function tellPhase(
  { onProgress }: Pick<GitIngest, "onProgress">,
  doing: string,
  unit: string,
): (done: number, total: number | undefined) => void {
  const nothingToRead = {
    path: "",
    repositoriesDone: 0,
    repositories: 0,
    commits: 0,
    commitsInAll: 0,
  };
  return (done, total) => onProgress?.({ ...nothingToRead, phase: { doing, done, total, unit } });
}

/** Of those who have a place in the pool: the others have no facts. */
function* listSpellings({ people }: Ledger, ids: Iterable<number>): Generator<number> {
  for (const id of ids) if (people.find(id)?.isShown) yield* people.spellingsOf(id);
}

async function countNothing(
  pool: Pick<Pool, "revision">,
  developers: Readonly<Record<string, number>>,
) {
  const unchanged = Object.values(developers).reduce((sum, count) => sum + count, 0);
  return {
    ...{ revision: await pool.revision(), added: 0, replaced: 0, unchanged, removed: 0 },
    ...{ demoRemoved: 0, joined: 0, suppressed: 0 },
  };
}
