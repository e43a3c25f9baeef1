import type { Card } from "./developer.ts";
import type { Facts } from "./facts.ts";
import type { ProfileAnalysis } from "./profile-analysis.ts";

/** Everything the pool stores about one developer: the facts from sources, and the results of the analysis. */
export interface Assessment {
  readonly facts: Facts;
  readonly analysis: ProfileAnalysis;
  readonly card: Card;
  readonly standing: RankingFeatures;
}

/** The data by which the search index ranks and filters one developer. Scores are whole numbers, 0 to 100. */
export interface RankingFeatures {
  readonly login: string;
  /** False for bots and assistants, which no search finds. */
  readonly searchable: boolean;
  readonly profile: number;
  readonly activity: number;
  /** The tech-stack score for the best role. It is used if a query names neither a role nor skills. */
  readonly techStack: number;
  readonly experienceTenths: number;
  readonly hireable: boolean;
  /** Day of the last counted commit, YYYY-MM-DD. */
  readonly lastActive?: string;
  /** The places in the location text: of `Lyon, France` only Lyon. */
  readonly places: readonly string[];
  readonly roles: readonly RoleFeatures[];
  /** Skills and languages with enough evidence for a search. */
  readonly concepts: readonly ConceptFeatures[];
  /** Normalized words from topics, bio and repository names. A search for a skill outside the vocabulary uses them. */
  readonly words: readonly string[];
  /** Repositories in which the developer has worked. */
  readonly repositories: readonly NamedRepository[];
  /** Skills and languages with too little evidence for a search. */
  readonly weakConcepts: readonly ConceptFeatures[];
  /** Company, as in the profile. */
  readonly company?: string;
  readonly followers?: number;
}

/** A repository, named `owner/name` or by its folder. */
export interface NamedRepository {
  readonly name: string;
  /** Host of the forge from which the repository was read. */
  readonly forge?: string;
}

/**
 * Lists the repositories with counted commits of the developer. A repository whose commits were not counted is listed if it is
 * the developer's own and no fork.
 * @param asOf UTC day. Repositories in which the developer started later are left out.
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
