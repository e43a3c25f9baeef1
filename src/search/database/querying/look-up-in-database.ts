import type { KnownTerm } from "../../../contract/terms.ts";
import type { Statements } from "../../../postgres/database.ts";
import { listNamesLike, sortMatches } from "../../generation/repositories.ts";
import { lookUpTerms, type NamedTerms } from "../../look-up.ts";
import type { LookupQuery } from "../../search-index.ts";
import type { SearchParts } from "../../search-parts.ts";
import type { BlockList } from "../blocks/block-list.ts";
import type { GenerationInUse } from "../generation-in-use.ts";
import { isInUse } from "../generation-rows.ts";
import { countList, createReader } from "./find-in-database.ts";
import { findSimilar, listKeysLike } from "./near-repositories.ts";

/** @returns undefined if the generation was removed meanwhile. */
export async function lookUpInDatabase(
  statements: Statements,
  generation: GenerationInUse,
  asked: LookupQuery,
  parts: Pick<SearchParts, "places" | "vocabulary">,
): Promise<readonly KnownTerm[] | undefined> {
  const found = await lookUpTerms(readNamedTerms(statements, generation), asked, parts);
  return (await isInUse(statements, generation.id)) ? found : undefined;
}

function readNamedTerms(statements: Statements, generation: GenerationInUse): NamedTerms {
  const { terms } = generation;
  const reader = createReader(statements, generation);
  return {
    peopleByPlace: () => terms.resolve(reader, ({ peopleByPlace }) => peopleByPlace),
    count: (keys) => terms.resolve(reader, (lists) => keys.map((key) => lists.postings(key).count)),
    async findRepositories(way, text, limit) {
      const named =
        way === "complete"
          ? listNamesLike(text, await listKeysLike(statements, generation, text, limit))
          : await findSimilar(statements, generation.id, text, limit);
      const lists = await terms.resolve(reader, ({ repository }) =>
        named.map(({ name }) => repository(name)),
      );
      const counts = await Promise.all(
        lists.map((list: BlockList) => countList(statements, generation, list)),
      );
      const matches = named.map((match, at) => ({ ...match, people: counts[at] ?? 0 }));
      return way === "complete" ? sortMatches(matches).slice(0, limit) : matches;
    },
  };
}
