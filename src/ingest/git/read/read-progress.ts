/** How far a run over repositories is. */

export interface GitProgress {
  /** The repository of the latest event. */
  readonly path: string;
  readonly repositoriesDone: number;
  readonly repositories: number;
  /** Over all repositories: commits read, and commits to read in the repositories counted so far. */
  readonly commits: number;
  readonly commitsInAll: number;
  /** What the run does once the repositories are read; undefined until then. */
  readonly phase?:
    | {
        /** In words, as in "counting people". */
        readonly doing: string;
        readonly done: number;
        /** undefined when it is unknown. */
        readonly total: number | undefined;
        /** What is counted: people, repositories. */
        readonly unit: string;
      }
    | undefined;
}

/** @param repositories how many the run reads in all. */
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
