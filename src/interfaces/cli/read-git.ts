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
  const { modules, judge, modelVersion, vocabulary, ledger, identityFiles } = folder;
  const asOf = context.asOf(flags);
  const { timeoutMs, gitMemoryMiB: memoryMiB } = context.config(flags).ingest;
  const jobs = how.jobs ?? chooseJobs();
  return context.withProgress(
    (show) =>
      ingestGit({
        pool: modules.pool,
        judge: judge(asOf),
        modelVersion: modelVersion(),
        publishCommitEmails: folder.publishCommitEmails,
        files: identityFiles(),
        ...{ vocabulary, asOf, timeoutMs, memoryMiB, ledger: ledger(), signal: context.signal },
        ...how,
        jobs,
        onProgress: (at) => show(toStep(at, jobs)),
      }),
    modules.pool,
  );
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
    // The total counts only repositories that were opened.
    ...(repositoriesDone + jobs < repositories && { isTotalGrowing: true }),
  };
}
