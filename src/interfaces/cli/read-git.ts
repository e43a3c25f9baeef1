/** Reads git repositories into an open data folder, with progress. */
import type { DataFolder } from "../../appliance/appliance.ts";
import { readTokenFile } from "../../config/config.ts";
import {
  type AddressRequest,
  chooseJobs,
  fetchNamed,
  type GitIngest,
  type GitIngestReport,
  type GitProgress,
  getAddressHome,
  ingestGit,
} from "../../ingest/ingest.ts";
import type { CliContext, Flags } from "./cli-context.ts";
import type { Step } from "./progress.ts";

/**
 * Fetches addresses and the mirrors at or below the paths, and reads the paths and all these mirrors.
 * @param how overrides the default options.
 */
export function readGit(
  context: CliContext,
  folder: DataFolder,
  flags: Flags,
  {
    addresses = [],
    ...how
  }: Pick<GitIngest, "paths"> &
    Partial<GitIngest> & { readonly addresses?: readonly AddressRequest[] },
): Promise<GitIngestReport> {
  const { data, ingest, environment, userEnvironment } = context.config(flags);
  const home = getAddressHome(data);
  const limits = { timeoutMs: ingest.timeoutMs, memoryMiB: ingest.gitMemoryMiB };
  const jobs = how.jobs ?? chooseJobs();
  return context.withProgress(async (show) => {
    const found = await fetchNamed(
      { paths: how.paths, addresses },
      {
        ...{ ...limits, home, environment, userEnvironment },
        ...{ readToken: readTokenFile, signal: context.signal },
        onProgress: (label) => show({ done: 0, total: undefined, unit: "commits", label }),
      },
    );
    return ingestGit({
      ...createIngest(context, folder, context.asOf(flags)),
      ...{ ...limits, ...how, ...found, jobs },
      onProgress: (at) => show(toStep(at, jobs)),
    });
  }, folder.modules.pool);
}

/** Creates the options of runs that count people. */
export function createIngest({ signal }: CliContext, folder: DataFolder, asOf: string) {
  const { modules, judge, modelVersion, vocabulary, ledger, publishCommitEmails } = folder;
  return {
    ...{ pool: modules.pool, ledger: ledger(), files: folder.identityFiles(), vocabulary },
    ...{ asOf, judge: judge(asOf), modelVersion: modelVersion(), publishCommitEmails, signal },
  };
}

export function toStep(at: GitProgress, jobs: number): Step {
  const { path, commits, commitsInAll, repositoriesDone, repositories, phase } = at;
  if (phase) return { done: phase.done, total: phase.total, unit: phase.unit, label: phase.doing };
  return {
    done: commits,
    total: Math.max(commits, commitsInAll),
    unit: "commits",
    parts: { done: repositoriesDone, total: repositories, unit: "repositories" },
    label: `at ${path}`,
    // The total grows until all repositories are open.
    ...(repositoriesDone + jobs < repositories && { isTotalGrowing: true }),
  };
}
