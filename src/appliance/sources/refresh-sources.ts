/** Reads sources of all kinds into an open data folder, and notes how that went. */
import type { AsOf } from "../../analysis/analysis.ts";
import type { Config, ForgeSettings, RepositorySettings } from "../../config/config.ts";
import { Fault } from "../../contract/fault.ts";
import { parseGitAddress } from "../../contract/git-address.ts";
import { readTextFile } from "../../contract/text-file.ts";
import type { SourceState } from "../../control/source-records.ts";
import {
  chooseJobs,
  type ForgeIngest,
  type ForgeIngestReport,
  type ForgeSelection,
  fetchAddresses,
  findRepositoryIn,
  type GitIngest,
  type GitIngestReport,
  type GitProgress,
  getAddressHome,
  ingestForge,
  ingestGit,
  ingestMirrors,
  listSources,
} from "../../ingest/ingest.ts";
import type { DataFolder } from "../data-folder.ts";
import { chooseIngestFolder } from "./ingest-folder.ts";
import type { SourceEntry } from "./source-book.ts";

export interface RefreshRequest
  extends Pick<
    ForgeIngest,
    "source" | "access" | "now" | "onProgress" | "signal" | "timeoutMs" | "memoryMiB"
  > {
  readonly asOf: AsOf;
  readonly canRemoveMany?: boolean;
}

export interface RefreshOptions
  extends Pick<ForgeIngest, "now" | "signal">,
    Pick<RefreshRequest, "asOf" | "canRemoveMany"> {
  readonly config: Pick<Config, "data" | "environment" | "ingest" | "userEnvironment">;
  readonly onWalk?: ForgeIngest["onProgress"];
  readonly onRead?: (progress: GitProgress) => void;
  /** Reads only these repositories of the source. Undefined reads the whole source. */
  readonly repositories?: readonly string[] | undefined;
}

export type SourceReport = ForgeIngestReport | (GitIngestReport & { readonly source: string });

/**
 * Refreshes one forge, and builds all profiles again. Also finishes erasures, because a forge may reveal that an account belongs
 * to an erased person.
 * @returns the report. `unfinished` says what prevented the erasures. @throws Fault like `ingestForge`.
 */
export async function refreshForge(
  folder: DataFolder,
  request: RefreshRequest,
): Promise<ForgeIngestReport & { readonly unfinished?: string }> {
  const ingest = { ...createSourceIngest(folder, request), forges: folder.forges() };
  const report = await ingestForge(ingest);
  const unfinished = await folder.erasure.finish();
  return { ...report, ...(unfinished !== undefined && { unfinished }) };
}

/**
 * Refreshes several sources at a time. A fault of one source does not stop the others.
 * @returns the outcome of each source, in order. `unfinished` says what prevented the erasures.
 */
export async function refreshSources(
  folder: DataFolder,
  sources: readonly SourceEntry[],
  options: RefreshOptions,
): Promise<{
  readonly outcomes: readonly PromiseSettledResult<SourceReport>[];
  readonly unfinished: string | undefined;
}> {
  const outcomes: PromiseSettledResult<SourceReport>[] = [];
  const open = [...sources.entries()];
  const work = async () => {
    for (let next = open.shift(); next; next = open.shift()) {
      const [at, source] = next;
      const [outcome] = await Promise.allSettled([readSource(folder, source, options)]);
      // One repository says nothing about the whole source.
      if (!options.repositories && !options.signal?.aborted) {
        const state = describeState(folder, source, outcome, options);
        await folder.control.sources.noteState(source.id, state);
      }
      outcomes[at] = outcome;
    }
  };
  await Promise.all(Array.from({ length: chooseJobs() }, work));
  return { outcomes, unfinished: await folder.erasure.finish() };
}

async function readSource(
  folder: DataFolder,
  source: SourceEntry,
  options: RefreshOptions,
): Promise<SourceReport> {
  const { settings, id } = source;
  const { repositories, config, onWalk, ...rest } = options;
  const limits = { timeoutMs: config.ingest.timeoutMs, memoryMiB: config.ingest.gitMemoryMiB };
  const request = { ...rest, ...limits };
  const read = (what: Pick<GitIngest, "paths" | "mirrors">) =>
    readPaths(folder, id, { ...request, onWalk }, what);
  if (settings.kind === "folder") {
    const path = source.isFromFile ? settings.path : requireAllowed(settings.path, config);
    return read({ paths: repositories?.map((name) => requireRepository(path, name)) ?? [path] });
  }
  if (settings.kind === "git") return read(await fetchRepository(settings, options));
  const forge = { ...request, onProgress: onWalk, ...describeForge(settings, config) };
  const ingest = { ...createSourceIngest(folder, forge), forges: folder.forges() };
  if (!repositories) return ingestForge(ingest);
  return { source: id, ...(await ingestMirrors(ingest, repositories)) };
}

function requireRepository(folder: string, name: string): string {
  const path = findRepositoryIn(folder, name);
  if (path !== undefined) return path;
  throw new Fault("not_found", `There is no repository "${name}" in ${folder}.`);
}

/** Fetches the mirror of a repository. */
async function fetchRepository(
  { id, url, allowHttp, caFile, tokenFile, readToken }: RepositorySettings,
  { config, onWalk, signal }: RefreshOptions,
) {
  const { environment, userEnvironment, ingest } = config;
  const address = parseGitAddress(url, allowHttp ? ["http"] : []);
  const mirrors = await fetchAddresses([{ address, readToken, tokenFile }], {
    ...{ home: getAddressHome(config.data), environment, userEnvironment, signal },
    ...{ timeoutMs: ingest.timeoutMs, memoryMiB: ingest.gitMemoryMiB },
    ...(caFile !== undefined && { authorities: readNamedFile(caFile, id) }),
    onProgress: (what) => onWalk?.({ source: id, what, people: 0, requests: 0 }),
  });
  return { paths: [...mirrors.keys()], mirrors };
}

/** The setting `ingest.roots` may have changed since the source was added. */
function requireAllowed(path: string, { ingest }: RefreshOptions["config"]): string {
  const chosen = chooseIngestFolder(path, ingest.roots ?? []);
  if (!chosen.ok) throw new Fault("configuration", `${path} is not read: ${chosen.message}`);
  return chosen.path;
}

const lockWaitMs = 3_600_000;

/** Waits for other imports, and reads the histories at some paths. */
async function readPaths(
  folder: DataFolder,
  source: string,
  { onRead, onWalk, ...request }: Omit<RefreshOptions, "config">,
  what: Pick<GitIngest, "paths" | "mirrors">,
) {
  const { signal } = request;
  const onBusy = (text: string) =>
    onWalk?.({ source, what: `waiting: ${text}`, people: 0, requests: 0 });
  const wait = { longestMs: lockWaitMs, signal, onBusy };
  const lock = await folder.modules.pool.lockImports(source, wait);
  try {
    const ingest = createSourceIngest(folder, { ...request, onProgress: onRead });
    const report = await ingestGit({ ...ingest, lock, ...what });
    const [refused] = report.refused.filter(({ isEmpty }) => !isEmpty);
    if (report.imported || !refused) return { ...report, source };
    throw new Fault("git", `${refused.path}: ${refused.reason} ${refused.remedy}`);
  } finally {
    await lock.release();
  }
}

export function createSourceIngest<Request extends Pick<RefreshRequest, "asOf">>(
  folder: DataFolder,
  request: Request,
) {
  const { modules, ledger, identityFiles, vocabulary, publishCommitEmails } = folder;
  return {
    ...request,
    ...{ judge: folder.judge(request.asOf), modelVersion: folder.modelVersion() },
    ...{ pool: modules.pool, ledger: ledger(), files: identityFiles() },
    ...{ vocabulary, publishCommitEmails },
  };
}

/** Describes how the last reading went, for the pages of all nodes. */
function describeState(
  folder: DataFolder,
  { id, stored }: SourceEntry,
  outcome: PromiseSettledResult<SourceReport>,
  { now }: RefreshOptions,
): SourceState {
  if (outcome.status === "rejected") {
    return { ...stored?.state, fault: (outcome.reason as Error).message };
  }
  if ("summaries" in outcome.value) {
    const { people, summaries } = outcome.value;
    return { completedAt: now().toISOString(), people, repositories: summaries.length };
  }
  const known = listSources(folder.findForges()).find((one) => one.id === id);
  const { completedAt, people = 0, repositories = 0 } = known ?? {};
  return { ...(completedAt !== undefined && { completedAt }), people, repositories };
}

const defaultWaitMs = 15 * 60_000;
const hourMs = 3_600_000;

/** @throws Fault if a file that the settings name cannot be read. */
function describeForge(
  settings: ForgeSettings,
  { environment }: Pick<Config, "environment">,
): Pick<RefreshRequest, "source" | "access"> {
  const { id, kind, url, select, limit, caFile, requestsPerHour, noreplyHost } = settings;
  const { maxHours, maxPeople } = settings;
  return {
    source: { id, kind, url, selections: select.flatMap(readSelection) },
    access: {
      ...{ token: settings.readToken(), waitMax: defaultWaitMs, requestsPerHour, noreplyHost },
      ...{ canUseHttp: settings.allowHttp, limitMs: maxHours * hourMs, maxPeople, environment },
      ...(caFile !== undefined && { authorities: readNamedFile(caFile, id) }),
      ...(settings.mirror !== undefined && {
        mirror: {
          folder: settings.mirror,
          perPerson: settings.mirrorPerPerson,
          megabytes: settings.mirrorMegabytes,
        },
      }),
    },
  };

  function readSelection(text: string): readonly ForgeSelection[] {
    if (text === "all") return [{ kind: "all" }];
    const colon = text.indexOf(":");
    const [what, name] = [text.slice(0, colon), text.slice(colon + 1)];
    if (what === "file") return listLogins(readNamedFile(name, id));
    if (what === "search") return [{ kind: what, name, ...(limit !== undefined && { limit }) }];
    return [{ kind: what, name } as ForgeSelection];
  }
}

export function listLogins(text: string): readonly ForgeSelection[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((name) => ({ kind: "user", name }));
}

function readNamedFile(path: string, source: string): string {
  return readTextFile(path, `${path}, which the source ${source} names, cannot be read`);
}
