/**
 * Reads one forge: walks through its lists, asks for the accounts of commit authors, and computes all people again from git
 * and all forges. The pool changes once, at the end, and only after a complete walk.
 */
import { Fault } from "../../contract/fault.ts";
import type { ImportCounts, ImportLock, Pool } from "../../pool/pool.ts";
import { findRepositories } from "../git/find-repositories.ts";
import { openGit } from "../git/git-command.ts";
import { noFiles } from "../git/identity/rules.ts";
import { type GitIngest, ingestGit } from "../git/pipeline.ts";
import { readRepositories } from "../git/read-repositories.ts";
import type { GitIngestReport } from "../git/report.ts";
import { startTimeLimit } from "../time-limit.ts";
import { type ForgeAccess, openForge } from "./adapters/open-forge.ts";
import {
  type ForgeLedger,
  type ForgeSource,
  type KnownAccount,
  toSubject,
  type Walk,
} from "./forge-ledger.ts";
import { getMirrorHome, mirrorRepositories, warnOfLeftMirrors } from "./mirror-repositories.ts";
import { digestForgeContent, openForgeLedger } from "./sqlite-forge-ledger.ts";
import { type WalkProgress, type WalkReport, walkSource } from "./walk-source.ts";

export interface ForgeIngest extends Omit<GitIngest, "paths" | "onProgress"> {
  readonly source: ForgeSource;
  readonly access: ForgeAccess;
  readonly forges: ForgeLedger;
  readonly now: () => Date;
  readonly onProgress?: ((progress: WalkProgress) => void) | undefined;
}

export interface ForgeIngestReport extends WalkReport {
  /** People and repositories of the source that are known now. */
  readonly people: number;
  readonly repositories: number;
  /** What became of the pool; undefined after a walk that has still to go on. */
  readonly counted?: GitIngestReport | undefined;
}

/**
 * A second run over the same data changes nothing. A walk that a rate limit stops reports when it may continue, keeps what it
 * has read, and leaves the pool unchanged; the next run continues it.
 *
 * @throws Fault at once, while another import runs; when the token is refused or the forge cannot be reached; the
 *   signal's reason when it is aborted. The pool is then unchanged.
 */
export async function ingestForge(request: ForgeIngest): Promise<ForgeIngestReport> {
  const lock = await request.pool.lockImports(request.source.id);
  const limit = startLimit(request);
  try {
    const { signal } = limit;
    return await ingestLocked({ ...request, access: { ...request.access, signal }, signal }, lock);
  } finally {
    limit.end();
    await lock.release();
  }
}

const hourMs = 3_600_000;

/** @returns a signal that is also aborted when the source has been asked for long enough. */
function startLimit({ source, access: { limitMs }, signal }: ForgeIngest) {
  if (limitMs === undefined) return { signal, end: () => {} };
  const fault = new Fault(
    "time_limit",
    `Source ${source.id} was not read whole within ${limitMs / hourMs} hours (its setting maxHours): what was read is kept, and the next run goes on.`,
  );
  const limit = startTimeLimit(limitMs, fault);
  return { ...limit, signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal };
}

async function ingestLocked(request: ForgeIngest, lock: ImportLock): Promise<ForgeIngestReport> {
  const { source, access, forges, pool, ledger, now, onProgress, ...rest } = request;
  const { client, adapter, forge } = await openForge(source, access);
  forges.addSource({ ...source, forge });
  if (access.noreplyHost !== undefined) forges.setNoreplyHost(source.id, access.noreplyHost);
  const findForgotten = createForgottenFinder(pool);
  const { maxPeople } = access;
  const walking = { source, client, adapter, ledger: forges, histories: ledger, maxPeople };
  const asking = { ...walking, now, onProgress };
  let paths: readonly string[] = [];
  const onListed = async (walk: Pick<Walk, "repositories">) => {
    const mirrors = await mirrorSource(request, forge, walk);
    paths = mirrors.paths;
    return mirrors.warnings;
  };
  const report = await walkSource({ ...asking, findForgotten, onListed });
  const files = { ...(request.files ?? noFiles), forges };
  const counted = report.isComplete
    ? await ingestGit({ ...rest, files, pool, ledger, lock, paths })
    : undefined;
  return { ...report, ...countSource(forges, source.id), counted };
}

/** Mirrors the chosen repositories and reads them, so that the forge can be asked about their authors. */
async function mirrorSource(request: ForgeIngest, forge: string, walk: Pick<Walk, "repositories">) {
  const { source, access, forges, ledger, onProgress, signal, memoryMiB, timeoutMs } = request;
  const { mirror, token, authorities, environment } = access;
  if (!mirror) return { paths: [], warnings: [] };
  const { id, url } = source;
  const { onProgress: _, ...reading } = request;
  const repositories = walk.repositories();
  const known = forges.accounts().filter((account) => account.source === id);
  const mirrors = await mirrorRepositories({
    ...{ ...mirror, token, authorities, environment, url, forge },
    ...{ signal, memoryMiB, timeoutMs },
    repositories,
    people: new Set(known.map(({ number }) => number)),
    onProgress: (what) => onProgress?.({ source: id, what, requests: 0, people: known.length }),
  });
  const { read } = await readRepositories(
    openGit(request),
    findRepositories(mirrors.paths),
    reading,
  );
  const kin = new Set(forges.sources().flatMap((one) => (one.forge === forge ? one.id : [])));
  const others = forges.repositories().filter((one) => one.source !== id && kin.has(one.source));
  const names = new Set([...repositories, ...others].map(({ name }) => name));
  const left = warnOfLeftMirrors(getMirrorHome(mirror.folder, forge), ledger.places(), names);
  return { warnings: [...mirrors.warnings, ...left], paths: read.map(({ path }) => path) };
}

/**
 * Removes a source. It changes the pool first, so that a refused run leaves everything unchanged.
 *
 * @throws Fault not_found; when it would remove too many people, or another import runs.
 */
export async function forgetForge({
  id,
  forges,
  ...request
}: Omit<GitIngest, "paths"> & {
  readonly id: string;
  readonly forges: ForgeLedger | undefined;
}): Promise<Pick<ImportCounts, "added" | "replaced" | "unchanged" | "removed">> {
  if (!forges?.sources().some((source) => source.id === id)) {
    throw new Fault("not_found", `No source is called ${id}.`);
  }
  const lock = await request.pool.lockImports(id);
  try {
    const files = { ...(request.files ?? noFiles), forges: withoutSource(forges, id) };
    const { imported } = await ingestGit({ ...request, files, lock, paths: [] });
    forges.forgetSource(id);
    return imported ?? { added: 0, replaced: 0, unchanged: 0, removed: 0 };
  } finally {
    await lock.release();
  }
}

function withoutSource(forges: ForgeLedger, id: string): ForgeLedger {
  const rest: ForgeLedger = {
    ...forges,
    sources: () => forges.sources().filter((source) => source.id !== id),
    accounts: () => forges.accounts().filter(({ source }) => source !== id),
    repositories: () => forges.repositories().filter(({ source }) => source !== id),
    fingerprint: () => digestForgeContent(rest),
  };
  return rest;
}

/** Reports what a walk would bring, and writes nothing. */
export async function tryForge(
  request: Pick<ForgeIngest, "source" | "access" | "now" | "onProgress"> & {
    readonly pool: Pick<Pool, "erasing" | "revision">;
  },
): Promise<ForgeIngestReport> {
  const { source, access, now, pool, onProgress } = request;
  const { client, adapter, forge } = await openForge(source, access);
  const ledger = openForgeLedger(":memory:");
  try {
    ledger.addSource({ ...source, forge });
    const findForgotten = createForgottenFinder(pool);
    const report = await walkSource({
      ...{ source, client, adapter, ledger, now, onProgress, findForgotten },
      maxPeople: access.maxPeople,
    });
    return { ...report, ...countSource(ledger, source.id) };
  } finally {
    ledger.close();
  }
}

function countSource(forges: ForgeLedger, source: string) {
  const known = forges.sources().find(({ id }) => id === source);
  return { people: known?.people ?? 0, repositories: known?.repositories ?? 0 };
}

/** Reads the suppression list again whenever the pool has changed, since a person may be forgotten while a walk waits. */
function createForgottenFinder(pool: Pick<Pool, "erasing" | "revision">) {
  let known: { readonly revision: number; readonly isForgotten: IsForgotten } | undefined;
  return async (): Promise<IsForgotten> => {
    const revision = await pool.revision();
    if (known?.revision !== revision) {
      const { isSuppressed } = await pool.erasing.suppression();
      known = { revision, isForgotten: (account) => isSuppressed(toSubject(account)) };
    }
    return known.isForgotten;
  };
}

type IsForgotten = (account: KnownAccount) => boolean;
