import type { Card } from "./developer.ts";
import type { Facts } from "./facts.ts";
import type { ProfileAnalysis } from "./profile-analysis.ts";

/** Everything the pool stores about one developer: what sources say, and what analysis concludes from it. */
export interface Assessment {
  readonly facts: Facts;
  readonly analysis: ProfileAnalysis;
  readonly card: Card;
  readonly standing: RankingFeatures;
}

/** What ranks and filters one developer in the search index. Scores are whole numbers, 0 to 100. */
export interface RankingFeatures {
  readonly login: string;
  /** False for bots and assistants: stored, shown by login, never found by search. */
  readonly searchable: boolean;
  readonly profile: number;
  readonly activity: number;
  /** The tech-stack score for the best role, used when a query names neither role nor skills. */
  readonly techStack: number;
  readonly experienceTenths: number;
  readonly hireable: boolean;
  /** Day of the last counted commit, YYYY-MM-DD. */
  readonly lastActive?: string;
  /** The places of the location text, without those that contain them. */
  readonly places: readonly string[];
  readonly roles: readonly RoleFeatures[];
  /** Skills and languages with enough evidence for a search, by concept id of the vocabulary. */
  readonly concepts: readonly ConceptFeatures[];
  /** Normalized words of topics, bio and repository names, for skills that the vocabulary does not know. */
  readonly words: readonly string[];
  /** Repositories with work of the developer. */
  readonly repositories: readonly NamedRepository[];
  /** Skills and languages with too little evidence for a search; an explanation names them. */
  readonly weakConcepts: readonly ConceptFeatures[];
}

/** `owner/name`, or the name of the folder. */
export interface NamedRepository {
  readonly name: string;
  /** Host of its forge, if a forge was asked. */
  readonly forge?: string;
}

/**
 * Lists the repositories with counted commits of the developer; if no commits were counted, the developer's own ones that are no forks.
 * Sorted, each once.
 *
 * @param asOf UTC day; later work is left out.
 */
export function listWorkedRepositories(
  repositories: Facts["repositories"],
  asOf: string,
): readonly NamedRepository[] {
  const worked = repositories.filter(({ owned, fork, commits, firstCommit }) => {
    if (firstCommit !== undefined && firstCommit > asOf) return false;
    return commits === undefined ? owned && !fork : commits > 0;
  });
  const found = new Map(
    worked.map(({ name, forge }) => [
      `${name}\n${forge ?? ""}`,
      forge === undefined ? { name } : { name, forge },
    ]),
  );
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, repository]) => repository);
}

interface RoleFeatures {
  readonly role: string;
  readonly match: number;
  readonly techStack: number;
}

interface ConceptFeatures {
  readonly concept: string;
  readonly strength: number;
}
