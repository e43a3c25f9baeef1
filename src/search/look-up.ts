/** Finds names of places, skills, roles and repositories for a text, which a caller can then use in a search. */
import { type KnownTerm, type TermKind, termKinds } from "../contract/terms.ts";
import type { Generation } from "./generation/generation.ts";
import { findRepositoriesLike, suggestRepositories } from "./generation/repositories.ts";
import type { LookupQuery } from "./search-index.ts";
import type { SearchParts } from "./search-parts.ts";

interface Found {
  readonly term: KnownTerm;
  readonly fit: number;
}

/**
 * Orders terms by fit, then by people; similar names are used only if no name begins so.
 *
 * @package
 */
export function lookUpTerms(
  generation: Generation,
  { text, kind, limit }: LookupQuery,
  parts: Pick<SearchParts, "places" | "vocabulary">,
): readonly KnownTerm[] {
  const kinds = kind === undefined ? termKinds : [kind];
  const found = kinds.flatMap((each) => finders[each](text, "complete", parts, generation, limit));
  if (found.length === 0) {
    found.push(
      ...kinds.flatMap((each) => finders[each](text, "similar", parts, generation, limit)),
    );
  }
  const inOrder = found.sort((a, b) => a.fit - b.fit || b.term.people - a.term.people);
  return inOrder.slice(0, limit).map(({ term }) => term);
}

type Finder = (
  text: string,
  way: "complete" | "similar",
  parts: Pick<SearchParts, "places" | "vocabulary">,
  generation: Generation,
  limit: number,
) => Found[];

const finders: Readonly<Record<TermKind, Finder>> = {
  place: (text, way, { places }, { peopleByPlace }, limit) =>
    places[way](text, peopleByPlace, limit).map(({ place, fit, people }) => ({
      term: { kind: "place", name: place.fullName, people },
      fit,
    })),
  skill: (text, way, { vocabulary }, generation) =>
    vocabulary[way](text, "skill").map(({ id, name, fit }) => {
      const people = generation.postings(`concept:${id}`).count;
      return { term: { kind: "skill", name, people }, fit };
    }),
  role: (text, way, { vocabulary }, generation) =>
    vocabulary[way](text, "role").map(({ id, fit }) => {
      const people = generation.postings(`role:${id}`).count;
      return { term: { kind: "role", name: id, people }, fit };
    }),
  repository: (text, way, _, generation, limit) => {
    const find = way === "complete" ? findRepositoriesLike : suggestRepositories;
    return find(text, generation, limit).map(({ fit, ...found }) => ({
      term: { kind: "repository", ...found },
      fit,
    }));
  },
};
