/** Reads git repositories into an open data folder, with progress. */
import type { DataFolder } from "../../appliance/appliance.ts";
import {
  chooseJobs,
  type GitIngest,
  type GitIngestReport,
  type GitProgress,
  ingestGit,
} from "../../ingest/ingest.ts";
import type { CliContext, Flags } from "./cli-context.ts";
import type { Step } from "./progress.ts";

/** @param how overrides the default options. */
export function readGit(
  context: CliContext,
  folder: DataFolder,
  flags: Flags,
  how: Pick<GitIngest, "paths"> & Partial<GitIngest>,
): Promise<GitIngestReport> {
  const { timeoutMs, gitMemoryMiB: memoryMiB } = context.config(flags).ingest;
  const jobs = how.jobs ?? chooseJobs();
  return context.withProgress(
    (show) =>
      ingestGit({
        ...createIngest(context, folder, context.asOf(flags)),
        ...{ timeoutMs, memoryMiB, ...how, jobs },
        onProgress: (at) => show(toStep(at, jobs)),
      }),
    folder.modules.pool,
  );
}

/** Creates the options of runs that count people. */
export function createIngest({ signal }: CliContext, folder: DataFolder, asOf: string) {
  const { modules, judge, modelVersion, vocabulary, ledger, publishCommitEmails } = folder;
  return {
    ...{ pool: modules.pool, ledger: ledger(), files: folder.identityFiles(), vocabulary },
    ...{ asOf, judge: judge(asOf), modelVersion: modelVersion(), publishCommitEmails, signal },
  };
}

function toStep(at: GitProgress, jobs: number): Step {
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
