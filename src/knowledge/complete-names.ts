/** Completes names of repositories and paths while the user types them. */
import type { AuthorshipStore, KnownRepository } from "../pool/pool.ts";
import { findRepository, refuseDamaged } from "./find-files.ts";
import type { HeadCache } from "./head-cache.ts";
import { type NamedPath, suggestPaths } from "./walk-paths.ts";

export function createNameCompletion(authorship: AuthorshipStore, heads: HeadCache) {
  return {
    /** @param text a part of a name. @returns at most `most` names, best first. */
    completeRepository: async (text: string, most: number) =>
      rankRepositories(await authorship.repositories(), text, most),
    /**
     * @param repository may be empty if only one repository is known.
     * @param text the beginning of a path.
     * @returns at most `most` paths; none if the repository is unknown or ambiguous.
     */
    async completePath(
      repository: string,
      text: string,
      most: number,
    ): Promise<readonly NamedPath[]> {
      const edition = await authorship.edition();
      const known = await authorship.repositories();
      const [only] = known.length === 1 && repository === "" ? known : [];
      const named = only ?? findRepository(known, repository);
      if ("isKnown" in named) return [];
      const stored = await heads.open(named.id, edition);
      if (!stored) return [];
      return suggestPaths(stored, text, most).catch((thrown) => {
        refuseDamaged(thrown);
        return [];
      });
    },
  };
}

/**
 * Returns the repositories whose name contains the text, ignoring case. Names that begin with the text and names like
 * `owner/text` come first.
 */
function rankRepositories(known: readonly KnownRepository[], text: string, most: number) {
  const wanted = text.trim().toLowerCase();
  const rankOf = ({ forge, name }: KnownRepository): number => {
    const lower = name.toLowerCase();
    if (lower.startsWith(wanted) || lower.includes(`/${wanted}`)) return 0;
    return lower.includes(wanted) || `${forge ?? ""}/${lower}`.startsWith(wanted) ? 1 : 2;
  };
  const ranked = [0, 1].flatMap((rank) => known.filter((one) => rankOf(one) === rank));
  return ranked.slice(0, most).map((one) => ({
    name: formatAskedName(one, known),
    files: one.files,
  }));
}

/** @returns the name of the repository, with its forge if several repositories have the name. */
export function formatAskedName(
  { forge, name }: Pick<KnownRepository, "forge" | "name">,
  known: readonly KnownRepository[],
): string {
  const isAlone = known.filter((one) => one.name === name).length === 1;
  return isAlone || forge === undefined ? name : `${forge}/${name}`;
}
