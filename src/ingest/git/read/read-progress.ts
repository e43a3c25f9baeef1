/** The progress of a run that reads repositories. */
import type { ProgressNote } from "../../../pool/pool.ts";

export interface GitProgress {
  /** The repository of the latest event. */
  readonly path: string;
  readonly repositoriesDone: number;
  readonly repositories: number;
  /** Commits read so far in all repositories. `commitsInAll` grows while repositories are counted. */
  readonly commits: number;
  readonly commitsInAll: number;
  /** What the run does after the repositories are read; undefined until then. */
  readonly phase?:
    | (Pick<ProgressNote, "done" | "total" | "unit"> & {
        /** The activity in words, as in "counting people". */
        readonly doing: string;
      })
    | undefined;
}

export function createReadProgress(
  { onProgress }: { readonly onProgress?: ((progress: GitProgress) => void) | undefined },
  repositories: number,
) {
  let [repositoriesDone, commits, commitsInAll] = [0, 0, 0];
  const report = (path: string): void =>
    onProgress?.({ path, repositoriesDone, repositories, commits, commitsInAll });
  return {
    repositoryDone: (): void => {
      repositoriesDone += 1;
    },
    now: report,
    commit: (path: string): void => {
      commits += 1;
      if (commits % 500 === 0) report(path);
    },
    count: (commits: number): void => {
      commitsInAll += commits;
    },
  };
}
