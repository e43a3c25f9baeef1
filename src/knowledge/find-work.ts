/** Finds the repositories in which people worked, to say what is lost when they leave. */
import { type AuthorshipHead, commitFlags, type KnownRepository } from "../pool/pool.ts";
import {
  type FileAccess,
  type FoundFiles,
  isCopy,
  type KnowledgeRefusal,
  refuseAbsent,
} from "./find-files.ts";
import type { FileSelection } from "./measure-knowledge.ts";
import { selectPaths } from "./select-files.ts";

/** The most repositories, and files in all of them, that an answer measures. */
const [repositoriesMax, filesMax] = [50, 100_000];

/**
 * Finds all files of the repositories in which these people took part most often.
 * @param logins in lower case.
 */
export async function findWork(
  { authorship, open }: FileAccess,
  known: readonly KnownRepository[],
  logins: readonly string[],
): Promise<FoundFiles | KnowledgeRefusal> {
  const people: ReadonlySet<string | undefined> = new Set(logins);
  const worked: { readonly repository: KnownRepository; readonly times: number }[] = [];
  for (const [at, repository] of known.entries()) {
    // Lets other requests run.
    if (at % 16 === 15) await Bun.sleep(0);
    const authors = await authorship.logins(repository.id);
    if (!authors?.some((login) => people.has(login))) continue;
    const { head } = (await open(repository.id)) ?? {};
    if (head && !isCopy(head)) worked.push({ repository, times: countWork(head, people) });
  }
  worked.sort((a, b) => b.times - a.times);
  let files = 0;
  const measured = worked.slice(0, repositoriesMax).filter(({ repository }, at) => {
    if (at > 0 && files + repository.files > filesMax) return false;
    files += repository.files;
    return true;
  });
  const selections: FileSelection[] = [];
  for (const { repository } of measured) {
    const stored = await open(repository.id);
    if (!stored) continue;
    const { files } = await selectPaths(stored, [""]);
    const selection = { repository: repository.id, head: stored.head, files };
    selections.push({ ...selection, leftOut: commitFlags.isElsewhere });
  }
  if (selections.length === 0)
    return refuseAbsent("without: no repository has work by these people");
  return {
    ...{ repositories: measured.map(({ repository }) => repository), selections },
    ...{ paths: [], unknownPaths: [], unmeasured: worked.length - measured.length },
  };
}

/** Counts how often people took part in a commit or review. */
function countWork(
  { logins, columns: { author, others } }: AuthorshipHead,
  people: ReadonlySet<string | undefined>,
): number {
  const count = (sum: number, one: number) => sum + Number(people.has(logins[one]));
  return author.reduce(count, 0) + others.author.reduce(count, 0);
}
