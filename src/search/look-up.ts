/** Finds the places, skills, roles and repositories that a text names or begins to name. */
import { type KnownTerm, type TermKind, termKinds } from "../contract/terms.ts";
import type { Generation, PostingsKey } from "./generation/generation.ts";
import {
  findRepositoriesLike,
  type RepositoryMatch,
  suggestRepositories,
} from "./generation/repositories.ts";
import type { LookupQuery } from "./search-index.ts";
import type { SearchParts } from "./search-parts.ts";

interface Found {
  readonly term: KnownTerm;
  readonly fit: number;
}

/** How a name matches: it begins with the text, or is spelled similarly. */
type Way = "complete" | "similar";

/** @package The names in one generation, in memory or in PostgreSQL. */
export interface NamedTerms {
  /** Returns the number of people in each place, by place id. Places without people are absent. */
  peopleByPlace(): Promise<ReadonlyMap<string, number>>;
  count(keys: readonly PostingsKey[]): Promise<readonly number[]>;
  /** Returns repositories, best match first. */
  findRepositories(way: Way, text: string, limit: number): Promise<readonly RepositoryMatch[]>;
}

/** @package */
export function getNamedTerms(generation: Generation): NamedTerms {
  return {
    peopleByPlace: async () => generation.peopleByPlace,
    count: async (keys) => keys.map((key) => generation.postings(key).count),
    findRepositories: async (way, text, limit) =>
      (way === "complete" ? findRepositoriesLike : suggestRepositories)(text, generation, limit),
  };
}

/** @package Orders terms by fit, then by number of people. Similar names are used only if no name begins with the text. */
export async function lookUpTerms(
  terms: NamedTerms,
  { text, kind, limit }: LookupQuery,
  parts: Pick<SearchParts, "places" | "vocabulary">,
): Promise<readonly KnownTerm[]> {
  const kinds = kind === undefined ? termKinds : [kind];
  const find = async (way: Way) => {
    const asked = { terms, parts, text, limit };
    return (await Promise.all(kinds.map((each) => finders[each](way, asked)))).flat();
  };
  const complete = await find("complete");
  const found = complete.length > 0 ? complete : await find("similar");
  const inOrder = found.sort((a, b) => a.fit - b.fit || b.term.people - a.term.people);
  return inOrder.slice(0, limit).map(({ term }) => term);
}

interface AskedTerms {
  readonly terms: NamedTerms;
  readonly parts: Pick<SearchParts, "places" | "vocabulary">;
  readonly text: string;
  readonly limit: number;
}

type Finder = (way: Way, asked: AskedTerms) => Promise<readonly Found[]>;

const finders: Readonly<Record<TermKind, Finder>> = {
  place: async (way, { terms, parts: { places }, text, limit }) =>
    places[way](text, await terms.peopleByPlace(), limit).map(({ place, fit, people }) => ({
      term: { kind: "place", name: place.fullName, people },
      fit,
    })),
  skill: (way, asked) => findWords("skill", way, asked),
  role: (way, asked) => findWords("role", way, asked),
  repository: async (way, { terms, text, limit }) =>
    (await terms.findRepositories(way, text, limit)).map(({ fit, ...found }) => ({
      term: { kind: "repository", ...found },
      fit,
    })),
};

/** Finds skills or roles. Answers name a skill by its display name, and a role by its id. */
async function findWords(
  kind: "skill" | "role",
  way: Way,
  { terms, parts: { vocabulary }, text }: AskedTerms,
): Promise<readonly Found[]> {
  const known = vocabulary[way](text, kind);
  const list = kind === "skill" ? "concept" : "role";
  const people = await terms.count(known.map(({ id }): PostingsKey => `${list}:${id}`));
  return known.map(({ id, name, fit }, at) => ({
    term: { kind, name: kind === "skill" ? name : id, people: people[at] ?? 0 },
    fit,
  }));
}
