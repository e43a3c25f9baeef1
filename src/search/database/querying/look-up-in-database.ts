import type { KnownTerm } from "../../../contract/terms.ts";
import { listNamesLike, sortMatches } from "../../generation/repositories.ts";
import { lookUpTerms, type NamedTerms } from "../../look-up.ts";
import type { LookupQuery } from "../../search-index.ts";
import type { SearchParts } from "../../search-parts.ts";
import type { SearchedIndex } from "../generation-in-use.ts";
import { isInUse } from "../generation-rows.ts";
import { countList, resolveLists } from "./find-in-database.ts";
import { findSimilar, listKeysLike } from "./near-repositories.ts";

/** @returns undefined if the generation was removed meanwhile. */
export async function lookUpInDatabase(
  index: SearchedIndex,
  asked: LookupQuery,
  parts: Pick<SearchParts, "places" | "vocabulary">,
): Promise<readonly KnownTerm[] | undefined> {
  const found = await lookUpTerms(readNamedTerms(index), asked, parts);
  return (await isInUse(index.statements, index.generation.id)) ? found : undefined;
}

function readNamedTerms(index: SearchedIndex): NamedTerms {
  return {
    peopleByPlace: () => resolveLists(index, ({ peopleByPlace }) => peopleByPlace),
    count: (keys) => resolveLists(index, (lists) => keys.map((key) => lists.postings(key).count)),
    async findRepositories(way, text, limit) {
      const named =
        way === "complete"
          ? listNamesLike(text, await listKeysLike(index, text, limit))
          : await findSimilar(index, text, limit);
      const lists = await resolveLists(index, ({ repository }) =>
        named.map(({ name }) => repository(name)),
      );
      const counts = await Promise.all(lists.map((list) => countList(index, list)));
      const matches = named.map((match, at) => ({ ...match, people: counts[at] ?? 0 }));
      return way === "complete" ? sortMatches(matches).slice(0, limit) : matches;
    },
  };
}
