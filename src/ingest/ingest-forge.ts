/**
 * Reads the accounts of one forge. Then computes all people again from git and all forges. The pool changes only after the forge
 * has been read completely.
 */
import { Fault, isFault } from "../contract/fault.ts";
import type { ImportCounts, ImportLock, Pool } from "../pool/pool.ts";
import { type IsForgotten, toSubject } from "./forges/accounts.ts";
import type { ForgeRepository } from "./forges/forge.ts";
import { freezeForges, readForgeContent } from "./forges/forge-content.ts";
import { type ForgeLedger, openForgeLedger } from "./forges/forge-ledger.ts";
import { type ForgeAccess, openForge } from "./forges/open-forge.ts";
import { findRepositoryName, listOfSource, listWalked } from "./forges/repositories.ts";
import {
  addSource,
  countSource,
  type ForgeSource,
  findSource,
  forgetSource,
  setNoreplyHost,
  toForgeName,
} from "./forges/sources.ts";
import { lockWalk } from "./forges/walk-lock.ts";
import { type Tell, type WalkProgress, type WalkReport, walkSource } from "./forges/walk-source.ts";
import type { Walk } from "./forges/walks.ts";
import { openGit } from "./git/git-command.ts";
import { noFiles } from "./git/identify/rules.ts";
import { listLocations, openSamples } from "./git/ledger/locations.ts";
import { type GitIngest, ingestGit } from "./git/pipeline.ts";
import { readRepositories } from "./git/read-repositories.ts";
import type { GitIngestReport } from "./git/report.ts";
import { findRepositories } from "./git/repository/find-repositories.ts";
import { countRepositories } from "./git/tally/tally.ts";
import {
  getMirrorHome,
  type MirrorSettings,
  mirrorRepositories,
  warnOfLeftMirrors,
} from "./mirrors/mirror-repositories.ts";
import { startTimeLimit } from "./time-limit.ts";

export interface ForgeIngest extends Omit<GitIngest, "paths" | "onProgress"> {
  readonly source: ForgeSource;
  readonly access: ForgeAccess & {
    /** Environment variables for git. */
    readonly environment?: Readonly<Record<string, string>> | undefined;
    /** Which repositories to mirror; default: none. */
    readonly mirror?: MirrorSettings | undefined;
  };
  readonly forges: ForgeLedger;
  readonly now: () => Date;
  readonly onProgress?: ((progress: WalkProgress) => void) | undefined;
  /** The longest wait for other imports, in milliseconds; default: an hour. */
  readonly lockWaitMs?: number | undefined;
}

export interface ForgeIngestReport extends WalkReport {
  readonly people: number;
  readonly repositories: number;
  /** The changes to the pool; undefined if the walk is not complete. */
  readonly counted?: GitIngestReport | undefined;
}

/**
 * Reads a source. A second run over the same data changes nothing. If a rate limit stops a run, the next run continues its work.
 * The import lock is held only during writes.
 * @throws Fault when another run reads this source, the token is refused, or the forge cannot be reached.
 * @throws the signal's reason when the signal is aborted.
 */
export async function ingestForge(request: ForgeIngest): Promise<ForgeIngestReport> {
  const release = lockWalk(request.forges, request.source.id, request.now());
  const limit = startLimit(request);
  try {
    const { signal } = limit;
    return await ingestLocked({ ...request, access: { ...request.access, signal }, signal });
  } finally {
    limit.end();
    release();
  }
}

const hourMs = 3_600_000;

/** @returns a signal that the request's signal or its time limit aborts. */
function startLimit({ source, access: { limitMs }, signal }: ForgeIngest) {
  if (limitMs === undefined) return { signal, end: () => {} };
  const message = `Source ${source.id} was not read completely within ${limitMs / hourMs} hours (setting maxHours). The next run continues from there.`;
  const limit = startTimeLimit(limitMs, new Fault("time_limit", message));
  return { ...limit, signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal };
}

async function ingestLocked(request: ForgeIngest): Promise<ForgeIngestReport> {
  const { source, access, forges, ledger } = request;
  const walking = await prepareWalk(request, forges);
  if (access.noreplyHost !== undefined) setNoreplyHost(forges, source.id, access.noreplyHost);
  let paths: readonly string[] = [];
  const onListed = async (walk: Walk, tell: Tell) => {
    const mirrors = await mirrorSource(request, walk, tell);
    paths = mirrors.paths;
    // Counts histories first. The walk then looks up the accounts of the authors in these histories.
    await countRepositories(ledger, { asOf: request.asOf, signal: request.signal });
    return mirrors.warnings;
  };
  let counted: GitIngestReport | undefined;
  const publish = async (tell: Tell) => {
    counted = await writeAlone(request, tell, (lock) => countPeople(request, paths, lock, tell));
  };
  const histories = openSamples(ledger);
  const report = await walkSource({ ...walking, histories, onListed, publish });
  return { ...report, ...countSource(forges, source.id), counted };
}

type WalkSubject = Pick<ForgeIngest, "source" | "access" | "now" | "onProgress"> & {
  readonly pool: Pick<Pool, "erasing">;
};

async function prepareWalk(request: WalkSubject, ledger: ForgeLedger) {
  const { source, access, pool } = request;
  const { client, adapter, forge } = await openForge(source, access);
  addSource(ledger, { ...source, forge });
  const findForgotten = () => readForgotten(pool);
  return { ...request, client, adapter, ledger, maxPeople: access.maxPeople, findForgotten };
}

/** Waits for other imports, and then writes under the import lock. @throws Fault `time_limit` if the wait is too long. */
async function writeAlone<Result>(
  { pool, source, signal, lockWaitMs = hourMs }: ForgeIngest,
  tell: Tell,
  write: (lock: ImportLock) => Promise<Result>,
): Promise<Result> {
  const onBusy = (message: string) => tell(`waiting: ${message}`);
  const lock = await pool
    .lockImports(source.id, { longestMs: lockWaitMs, signal, onBusy })
    .catch((error: unknown) => {
      if (!isFault(error, "import_running")) throw error;
      const text = `${error.message} The wait for it has ended. What was read of source ${source.id} is stored, and the next run continues from there.`;
      throw new Fault("time_limit", text, { cause: error });
    });
  try {
    return await write(lock);
  } finally {
    await lock.release();
  }
}

/** Computes all people again from git and all forges. The repositories at `paths` are included. */
function countPeople(request: ForgeIngest, paths: readonly string[], lock: ImportLock, tell: Tell) {
  const files = { ...(request.files ?? noFiles), forges: freezeForges(request.forges) };
  tell("counting people");
  return ingestGit({
    ...{ ...request, files, lock, paths },
    onProgress: ({ phase }) => {
      if (!phase) return;
      const { doing, done, total, unit } = phase;
      tell(`${doing}: ${total === undefined ? done : `${done} of ${total}`} ${unit}`);
    },
  });
}

/** Mirrors the selected repositories, and reads the histories of the mirrors. */
async function mirrorSource(request: ForgeIngest, walk: Walk, tell: Tell) {
  const { access, forges, ledger } = request;
  const { mirror } = access;
  if (!mirror) return { paths: [], warnings: [] };
  const { id } = request.source;
  const { forge } = walk;
  const repositories = listWalked(walk);
  const mirrors = await updateMirrors(request, { mirror, forge, repositories }, tell);
  const { read, refused } = await writeAlone(request, tell, () =>
    readRepositories(openGit(request), findRepositories(mirrors.paths), {
      ...request,
      onProgress: ({ repositoriesDone, repositories }) =>
        tell(`the commits of ${repositoriesDone} of ${repositories} mirrors`),
    }),
  );
  const { repositories: all } = readForgeContent(forges);
  const others = all.filter((one) => one.source !== id && one.forge === forge);
  const names = new Set([...repositories, ...others].map(({ name }) => name));
  const left = warnOfLeftMirrors(getMirrorHome(mirror.folder, forge), listLocations(ledger), names);
  const unread = refused.map(({ path, reason, remedy }) => `left out ${path}: ${reason} ${remedy}`);
  return {
    warnings: [...mirrors.warnings, ...unread, ...left],
    paths: read.map(({ path }) => path),
  };
}

function updateMirrors(
  { source: { id, url }, access, forges, signal, memoryMiB, timeoutMs }: ForgeIngest,
  what: {
    readonly mirror: MirrorSettings;
    readonly forge: string;
    readonly repositories: readonly ForgeRepository[];
    readonly only?: ReadonlySet<string>;
  },
  tell: Tell,
) {
  const { token, authorities, environment } = access;
  const owners = readForgeContent(forges).accounts.filter(({ source }) => source === id);
  return mirrorRepositories({
    ...{ ...what.mirror, ...what, token, authorities, environment, url },
    ...{ signal, memoryMiB, timeoutMs },
    people: new Set(owners.map(({ number }) => number)),
    onProgress: tell,
  });
}

/**
 * Fetches and reads the mirrors of some repositories, such as after a push. No list of the forge is read.
 * @throws Fault `not_found` for a repository of which the forge has not told, or that has no mirror.
 */
export async function ingestMirrors(
  request: ForgeIngest,
  names: readonly string[],
): Promise<GitIngestReport> {
  const { source, access, forges, onProgress } = request;
  const { mirror } = access;
  if (!mirror) {
    throw new Fault("not_found", `Source ${source.id} has no mirrors: set mirror to read commits.`);
  }
  const only = new Set(
    names.map((name) => {
      const known = findRepositoryName(forges, source.id, name);
      if (known !== undefined) return known;
      throw new Fault("not_found", `Source ${source.id} has not told of a repository "${name}".`);
    }),
  );
  const tell: Tell = (what) =>
    onProgress?.({
      ...countSource(forges, source.id),
      ...{ source: source.id, what, requests: 0 },
    });
  const repositories = listOfSource(forges, source.id);
  const what = { mirror, forge: toForgeName(source.url), repositories, only };
  const { paths, warnings } = await updateMirrors(request, what, tell);
  if (paths.length === 0) {
    const reason = warnings[0] ?? `${names.join(", ")} is not mirrored.`;
    throw new Fault("not_found", reason);
  }
  const { refused, ...report } = await writeAlone(request, tell, (lock) =>
    countPeople(request, paths, lock, tell),
  );
  const left = warnings.map((reason) => ({ path: source.url, reason, remedy: "" }));
  return { ...report, refused: [...refused, ...left] };
}

/**
 * Removes a forge's source. The pool is changed first. If this fails, the source remains.
 * @throws Fault `not_found` if no source has the id.
 * @throws Fault when too many people would be removed, or during another import.
 */
export async function forgetForge({
  id,
  forges,
  ...request
}: Omit<GitIngest, "paths"> & {
  readonly id: string;
  readonly forges: ForgeLedger | undefined;
  readonly now: () => Date;
}): Promise<Pick<ImportCounts, "added" | "replaced" | "unchanged" | "removed">> {
  if (!forges || !findSource(forges, id)) {
    throw new Fault("not_found", `There is no source with the id ${id}.`);
  }
  const release = lockWalk(forges, id, request.now());
  try {
    const files = { ...(request.files ?? noFiles), forges: freezeForges(forges, id) };
    const { imported } = await ingestGit({ ...request, files, paths: [] });
    forgetSource(forges, id);
    return imported ?? { added: 0, replaced: 0, unchanged: 0, removed: 0 };
  } finally {
    release();
  }
}

/** Reports what a walk would find, without storing anything. */
export async function tryForge(request: WalkSubject): Promise<ForgeIngestReport> {
  const ledger = openForgeLedger(":memory:");
  try {
    const report = await walkSource(await prepareWalk(request, ledger));
    return { ...report, ...countSource(ledger, request.source.id) };
  } finally {
    ledger.close();
  }
}

/** Reads the suppression list for each page of a walk, because a person may be forgotten during the walk. */
async function readForgotten({ erasing }: Pick<Pool, "erasing">): Promise<IsForgotten> {
  const { isSuppressed } = await erasing.suppression();
  return (account) => isSuppressed(toSubject(account));
}
