/** Finds who knows each repository, or each file of a change, best. */
import type { WhoData } from "../contract/people/who-knows.ts";
import type { FirstKnower } from "../knowledge/knowledge.ts";
import type { Modules } from "./operation.ts";
import type { RequestedKnowledge } from "./requested-knowledge.ts";

type KnownRepositories = Awaited<ReturnType<Modules["knowledge"]["repositories"]>>;

/** A repository with at most three people who know it best; none for a repository that was not measured. */
export type RepositoryWithKnowers = KnownRepositories[number] & {
  readonly first: readonly FirstKnower[];
  /** The commits of each of the last weeks, oldest first. Only for the repositories with most of them. */
  readonly weeks?: readonly number[] | undefined;
};

/** Reads all repositories, those with the newest commits first. Only the first `most` are measured, because it takes time. */
export async function readRepositoryKnowers(
  { knowledge }: Pick<Modules, "knowledge">,
  most: number,
): Promise<readonly RepositoryWithKnowers[]> {
  const repositories = (await knowledge.repositories()).toSorted((a, b) => b.lastDay - a.lastDay);
  const recent = await knowledge.recentWork(knowledge.today());
  const weeks = new Map(recent.repositories.map((one) => [one.id, one.weeks]));
  const found: RepositoryWithKnowers[] = [];
  for (const repository of repositories.slice(0, most)) {
    const first = await findRepositoryKnowers(repository, knowledge);
    found.push({ ...repository, first, weeks: weeks.get(repository.id) });
  }
  return [...found, ...repositories.slice(most).map((one) => ({ ...one, first: [] }))];
}

/** Finds who knows most of a whole repository, without those who have left. */
export async function findRepositoryKnowers(
  repository: Pick<KnownRepositories[number], "id" | "lastDay">,
  knowledge: Modules["knowledge"],
): Promise<readonly FirstKnower[]> {
  const untilDay = Math.min(repository.lastDay, knowledge.today());
  const asked = { repository, untilDay, without: [], paths: [""] };
  const [first = []] = await knowledge.firstKnowers(asked);
  return first.filter(({ hasLeft }) => !hasLeft);
}

/** A file of a change. `first` is undefined for a file that was never there, or that only programs wrote. */
export interface FileWithKnowers {
  readonly path: string;
  readonly first: readonly FirstKnower[] | undefined;
}

/** Lists the first `most` known files of a change, those that nobody who stays knows first, and then the files that are not known. */
export async function readChangedFiles(
  { answer: { repositories, untilDay } }: Pick<RequestedKnowledge, "answer">,
  { paths, unknownPaths = [] }: Pick<WhoData, "paths" | "unknownPaths">,
  { knowledge }: Pick<Modules, "knowledge">,
  most: number,
): Promise<readonly FileWithKnowers[]> {
  const shown = paths.slice(0, most);
  const [repository] = repositories;
  const asked = { untilDay, without: [], paths: shown };
  const found = repository ? await knowledge.firstKnowers({ ...asked, repository }) : [];
  const known = shown.map((path, at) => {
    return { path, first: (found[at] ?? []).filter(({ hasLeft }) => !hasLeft) };
  });
  return [
    ...known.toSorted((a, b) => Number(a.first.length > 0) - Number(b.first.length > 0)),
    ...unknownPaths.map((path) => ({ path, first: undefined })),
  ];
}
