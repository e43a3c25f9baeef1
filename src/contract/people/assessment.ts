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

/** What ranks and filters one developer; the search index reads nothing else. All scores are whole, 0 to 100. */
export interface RankingFeatures {
  readonly login: string;
  /** False for bots and assistants: stored, shown by login, never found by search. */
  readonly searchable: boolean;
  readonly profile: number;
  readonly activity: number;
  /** The best role's tech-stack score: used when a query names neither role nor skills. */
  readonly techStack: number;
  readonly experienceTenths: number;
  readonly hireable: boolean;
  /** Day of the last counted commit, YYYY-MM-DD. */
  readonly lastActive?: string;
  /** Places that the location text names, the finest only: places/ knows what contains them. */
  readonly places: readonly string[];
  /** Roles with any match. */
  readonly roles: readonly RoleFeatures[];
  /** Skills and languages with enough evidence to match a search, by concept id of the vocabulary. */
  readonly concepts: readonly ConceptFeatures[];
  /** Normalised words of topics, bio and repository names, for skills the vocabulary does not know. */
  readonly words: readonly string[];
  /** Repositories with work of the developer. */
  readonly repositories: readonly NamedRepository[];
  /** Skills and languages with too little evidence to match: nobody is found by them, and an explanation names them. */
  readonly weakConcepts: readonly ConceptFeatures[];
}

/** A repository as facts name it: `owner/name`, or the folder's name alone. */
export interface NamedRepository {
  readonly name: string;
  /** Host of the forge that told of it; absent when none was asked. */
  readonly forge?: string;
}

/**
 * Lists the repositories in which the developer has counted commits. Where no commits were counted, a repository of the
 * developer counts unless it is a fork. Sorted, each once, so that their order in the facts does not matter.
 *
 * @param asOf UTC day; what was begun later is left out.
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
