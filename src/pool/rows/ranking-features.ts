/** The stored form of ranking features. */
import { eq, like, sql } from "drizzle-orm";
import type { NamedRepository, RankingFeatures } from "../../contract/people/assessment.ts";
import type { Card } from "../../contract/people/developer.ts";
import type { PoolQueries } from "./pool-context.ts";
import { parseStored } from "./unpack.ts";

/** Numbers first, then flat lists. This form takes half the bytes of the object's JSON. */
type FeatureTuple = [
  login: string,
  searchable: 0 | 1,
  profile: number,
  activity: number,
  techStack: number,
  experienceTenths: number,
  hireable: 0 | 1,
  places: string[],
  roles: (string | number)[],
  concepts: (string | number)[],
  words: string[],
  /** Name and forge of each repository: `["ada/tool", "github.com"]`. Absent in old rows. */
  repositories?: string[],
  /** At most one day. Absent in old rows. */
  lastActive?: string[],
  /** The index does not read these concepts. Absent in old rows. */
  weakConcepts?: (string | number)[],
  /** At most one company. Absent in old rows, whose cards have it. */
  company?: string[],
  /** The number of followers and one; 0 if unknown. A row that ends with a number is not old. */
  followers?: number,
];

/** Selects the cards of old rows, whose features end with a list. Other rows have null. */
export function selectOldCard({ queries, tables: { cards, rankingFeatures } }: PoolQueries) {
  const { rowId, standing } = rankingFeatures;
  const card = queries.select({ card: cards.card }).from(cards).where(eq(cards.rowId, rowId));
  return sql<string | null>`CASE WHEN ${like(standing, "%]]")} THEN (${card}) END`.as("card");
}

/** Reads what the features of old rows lack. */
export function readFromCard(card: string): Pick<RankingFeatures, "company" | "followers"> {
  const { company, followers } = parseStored(card) as Partial<Card>;
  return {
    ...(company !== undefined && { company }),
    ...(followers !== undefined && { followers }),
  };
}

export function packFeatures(standing: RankingFeatures): string {
  const tuple: FeatureTuple = [
    standing.login,
    standing.searchable ? 1 : 0,
    standing.profile,
    standing.activity,
    standing.techStack,
    standing.experienceTenths,
    standing.hireable ? 1 : 0,
    [...standing.places],
    standing.roles.flatMap(({ role, match, techStack }) => [role, match, techStack]),
    packConcepts(standing.concepts),
    [...standing.words],
    standing.repositories.flatMap(({ name, forge = "" }) => [name, forge]),
    standing.lastActive === undefined ? [] : [standing.lastActive],
    packConcepts(standing.weakConcepts),
    standing.company === undefined ? [] : [standing.company],
    standing.followers === undefined ? 0 : standing.followers + 1,
  ];
  return JSON.stringify(tuple);
}

function packConcepts(concepts: RankingFeatures["concepts"]): (string | number)[] {
  return concepts.flatMap(({ concept, strength }) => [concept, strength]);
}

function unpackConcepts(flat: readonly (string | number)[]): RankingFeatures["concepts"] {
  const concepts = [];
  for (let at = 0; at < flat.length; at += 2) {
    concepts.push({ concept: flat[at] as string, strength: flat[at + 1] as number });
  }
  return concepts;
}

/**
 * @param card the card, from which company and followers are read if the row lacks them.
 * @param readRepositories reads the repositories for rows that lack them.
 */
export function unpackRankingFeatures(
  text: string,
  card: string | null | undefined,
  readRepositories: () => readonly NamedRepository[] = () => [],
): RankingFeatures {
  const tuple = parseStored(text) as FeatureTuple;
  const [login, searchable, profile, activity, techStack, experienceTenths, hireable] = tuple;
  const [places, flatRoles, flatConcepts, words] = [tuple[7], tuple[8], tuple[9], tuple[10]];
  const [repositories, [lastActive] = [], weakConcepts = []] = [tuple[11], tuple[12], tuple[13]];
  const [[company] = [], followers = 0] = [tuple[14], tuple[15]];
  const roles = [];
  for (let at = 0; at < flatRoles.length; at += 3) {
    const [role, match, tech] = flatRoles.slice(at, at + 3) as [string, number, number];
    roles.push({ role, match, techStack: tech });
  }
  return {
    login,
    searchable: searchable === 1,
    profile,
    activity,
    techStack,
    experienceTenths,
    hireable: hireable === 1,
    ...(lastActive !== undefined && { lastActive }),
    places,
    roles,
    concepts: unpackConcepts(flatConcepts),
    words,
    repositories: repositories ? unpackRepositories(repositories) : readRepositories(),
    weakConcepts: unpackConcepts(weakConcepts),
    ...(company !== undefined && { company }),
    ...(followers > 0 && { followers: followers - 1 }),
    ...(tuple[15] === undefined && card && readFromCard(card)),
  };
}

function unpackRepositories(flat: readonly string[]): readonly NamedRepository[] {
  const repositories: NamedRepository[] = [];
  for (let at = 0; at < flat.length; at += 2) {
    const [name = "", forge = ""] = [flat[at], flat[at + 1]];
    repositories.push(forge === "" ? { name } : { name, forge });
  }
  return repositories;
}
