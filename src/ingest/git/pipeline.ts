/**
 * Runs the stages of an ingest, from `git log` to a score. Each stage is a folder. Its result is stored, and made again only when
 * its input has changed. The pool changes once, at the end, so it never mixes the people of two runs.
 * - read, notes: the new commits of each repository, what paths mean, and what notes say
 * - tally: which copy of a commit counts, and what each author did
 * - identify: the people behind all authors, without erased people
 * - describe: figures of repositories that depend on their people
 * - assemble: the facts of each person
 * - publish: the judged people, in one change of the pool
 * - authorship: who changed which file, for `who_knows`
 */
import type { AsOf } from "../../analysis/analysis.ts";
import { isFault } from "../../contract/fault.ts";
import type { Facts } from "../../contract/people/facts.ts";
import type { ImportLock, Pool } from "../../pool/pool.ts";
import { countUnasked } from "../forges/ask-authors.ts";
import { deriveNoreplyHosts } from "../forges/derive-noreply-hosts.ts";
import { assemblePeople } from "./assemble/assemble-facts.ts";
import { digestPerson } from "./assemble/digest-people.ts";
import { type PeopleWork, preparePeopleWork } from "./assemble/people-work.ts";
import { publishAuthorship } from "./authorship/authorship.ts";
import { requireIntact } from "./check-ledger.ts";
import { describeRepositories } from "./describe/describe.ts";
import { type IdentifiedSources, identifyRemembered } from "./erase/identify-remembered.ts";
import { refuseGone } from "./find-left-out.ts";
import { type GitOptions, openGit } from "./git-command.ts";
import type { IdentifiedPerson } from "./identify/identified-people.ts";
import { noFiles, type OperatorFiles } from "./identify/rules.ts";
import { readApplied, readBrought, readPoolMark, writeApplied } from "./ledger/applied.ts";
import { extendIndex } from "./ledger/commit-index.ts";
import { guardLedger, type Ledger } from "./ledger/ledger.ts";
import { forgetLocations, listLocations, openSamples } from "./ledger/locations.ts";
import { listSuperseded } from "./ledger/recognise.ts";
import { type IngestCounts, type PublishOptions, publishPeople } from "./publish/publish.ts";
import { type CloneOptions, readRepositories } from "./read-repositories.ts";
import { countClasses, type GitIngestReport, reportIngest, reportNothingRead } from "./report.ts";
import { type FoundMirrors, findRepositories } from "./repository/find-repositories.ts";

export interface GitIngest
  extends CloneOptions,
    GitOptions,
    Pick<PublishOptions, "judge" | "canRemoveMany"> {
  /** Paths of repositories, of bundles, or of folders that contain them. If empty, the stored repositories are counted again. */
  readonly paths: readonly string[];
  /** Mirrors at or below `paths`. What was read before stays if they could not be fetched. */
  readonly mirrors?: FoundMirrors | undefined;
  readonly pool: Pool;
  /** Commits after this day are reported but not counted. */
  readonly asOf: AsOf;
  /** The operator's files of aliases and classes; default: none. */
  readonly files?: OperatorFiles | undefined;
  /** The import lock if the caller holds it. By default, the run takes the lock. */
  readonly lock?: ImportLock | undefined;
  /** Version of the model that `judge` uses. */
  readonly modelVersion: string;
  /** Whether `judge` publishes e-mail addresses from commits; default: false. */
  readonly publishCommitEmails?: boolean | undefined;
  /** Whether the report lists every author of the repositories that were read. */
  readonly wantsAuthors?: boolean | undefined;
  /** Ids of the repository locations to forget at the end of the run. */
  readonly forgetting?: readonly number[] | undefined;
}

/**
 * Reads new commits and updates every affected developer. Facts from other sources stay. People who are no longer in git are
 * removed. After an error, the pool is unchanged.
 * @throws Fault when git is missing or another import runs. @throws the signal's reason when the signal is aborted.
 */
export async function ingestGit(request: GitIngest): Promise<GitIngestReport> {
  const lock = request.lock ?? (await request.pool.lockImports("git"));
  try {
    const { files, ledger, asOf, anew } = request;
    const report = await guardLedger(ledger, () => {
      // A run that publishes everybody checks all stored content first.
      const isChecked = anew === true || readApplied(ledger)?.asOf !== asOf;
      if (isChecked) requireIntact(ledger);
      return runStages(request, lock, isChecked);
    }).catch((error: unknown) => {
      const isKnown = isFault(error) && error.code !== "damaged";
      if (!isKnown && !request.signal?.aborted) requireIntact(ledger);
      throw error;
    });
    if (!files?.forges) return report;
    const unasked = countUnasked(files.forges.content(), openSamples(ledger), () => new Date(asOf));
    return unasked.length > 0 ? { ...report, unasked } : report;
  } finally {
    if (!request.lock) await lock.release();
  }
}

async function runStages(
  request: GitIngest,
  lock: ImportLock,
  isChecked: boolean,
): Promise<GitIngestReport> {
  const { ledger, pool, asOf, paths, mirrors, files = noFiles, signal } = request;
  const { sqlite } = ledger;
  const locations = findRepositories(paths, mirrors);
  const outcome = await readRepositories(openGit(request), locations, request);
  const { read } = outcome;
  const refuse = (leaving: readonly number[]) => {
    const staying = listLocations(ledger).filter(({ id }) => !leaving.includes(id));
    return [...outcome.refused, ...refuseGone(staying, paths, outcome.refused)];
  };
  if (paths.length > 0 && read.length === 0) return reportNothingRead(refuse([]));
  extendIndex(sqlite);
  const leaving = [...new Set([...(request.forgetting ?? []), ...listSuperseded(ledger)])];
  const refused = refuse(leaving);
  const found = await identifyRemembered({
    ...{ ...request, leaving, files },
    beforeIdentity: () => files.forges && deriveNoreplyHosts(files.forges, openSamples(ledger)),
    onProgress: reportPhase(request, "counting commits", "repositories"),
  });
  const { context, identified } = found;
  const { people } = identified;
  const known = { sqlite, people, asOf, ...context };
  const repositories = describeRepositories(known);
  const work = preparePeopleWork({ ...known, repositories }, request.vocabulary);
  const { isJudged, ...run } = await describeRun(request, found);
  const isWhole = request.anew === true || !isJudged;
  const isUnchanged = paths.length > 0 && read.every(({ status }) => status === "unchanged");
  const change = findChange(ledger, work, isWhole);
  // If people changed although nothing new was read, a stored row may be damaged.
  const isOdd = isWhole || (isUnchanged && change.pending.size > 0);
  if (isOdd && !isChecked) requireIntact(ledger);
  const counts = await publish(request, { ...change, lock, isJudged, leaving, work, found });
  await publishAuthorship({
    ...{ ledger, pool, people, isWhole, signal, repositories, forges: context.forges },
    onProgress: reportPhase(request, "noting who changed which files", "repositories"),
  });
  const poolMark = await readPoolMark(pool, context.rules);
  writeApplied(ledger, { ...run, poolMark }, change.shown);
  const imported = { ...counts, suppressed: counts.suppressed + found.suppressed };
  const { authors } = context;
  return reportIngest({ read, refused, imported, ledger, people, authors, request });
}

/** Describes this run, and tells whether the pool still shows the result of an earlier run with the same settings. */
async function describeRun(
  { ledger, pool, asOf, modelVersion, publishCommitEmails = false }: GitIngest,
  { context: { rules }, erasures }: IdentifiedSources,
) {
  const applied = readApplied(ledger);
  const isJudged =
    applied !== undefined &&
    applied.asOf === asOf &&
    applied.modelVersion === modelVersion &&
    (applied.publishCommitEmails ?? false) === publishCommitEmails &&
    applied.poolMark === (await readPoolMark(pool, rules));
  const identity = rules.fingerprint();
  return { isJudged, asOf, modelVersion, identity, publishCommitEmails, erasures };
}

interface Change {
  /** The people to publish: everybody, or people whose facts in the pool may be out of date. */
  readonly pending: ReadonlySet<IdentifiedPerson>;
  /** Digests of the facts that the pool should show, by login in lower case; null for people to remove. */
  readonly shown: ReadonlyMap<string, string | null>;
}

/** Compares what the pool shows with what it should show. */
function findChange(ledger: Ledger, work: PeopleWork, isWhole: boolean): Change {
  const brought = readBrought(ledger);
  const gone = new Set(brought.keys());
  const pending = new Set<IdentifiedPerson>();
  const shown = new Map<string, string | null>();
  for (const person of work.people.all) {
    if (!person.isShown) continue;
    const login = person.login.toLowerCase();
    const digest = digestPerson(work, person);
    gone.delete(login);
    if (!isWhole && brought.get(login) === digest) continue;
    pending.add(person);
    shown.set(login, digest);
  }
  for (const login of gone) shown.set(login, null);
  return { pending, shown };
}

interface Publication extends Change {
  readonly lock: ImportLock;
  readonly isJudged: boolean;
  readonly leaving: readonly number[];
  readonly work: PeopleWork;
  readonly found: IdentifiedSources;
}

async function publish(
  request: GitIngest,
  { pending, shown, lock, isJudged, leaving, work, found: { identified } }: Publication,
): Promise<IngestCounts> {
  const { ledger, pool } = request;
  const { all } = identified.people;
  const current = new Set(
    all.flatMap(({ isShown, login }) => (isShown ? [login.toLowerCase()] : [])),
  );
  const others = current.size - pending.size;
  if (shown.size === 0 && leaving.length === 0) {
    return {
      ...{ revision: await pool.revision(), added: 0, replaced: 0, unchanged: others, removed: 0 },
      ...{ demoRemoved: 0, joined: 0, suppressed: 0 },
    };
  }
  const reportPeople = reportPhase(request, "publishing people", "people");
  const people = (): Iterable<Facts> =>
    assemblePeople(work, identified.communitiesOf(pending), pending);
  const counts = await publishPeople(people, {
    ...{ ...request, lock, isJudged, current },
    onProgress: (done) => reportPeople(done, pending.size),
    shouldRemoveDemo: countClasses(identified.people).human > 0,
    beforeCommit: () => leaving.length > 0 && forgetLocations(ledger, leaving),
  });
  return { ...counts, unchanged: counts.unchanged + others };
}

/** @returns a function that reports the progress of a phase. */
function reportPhase(
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
