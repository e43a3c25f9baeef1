import type { SearchQuery } from "../../../src/search/search-index.ts";
import type { Person } from "../synthetic-people.ts";
import { documentOf } from "./person-document.ts";
import type { Rival } from "./rival.ts";

/** The part of Orama that is used. Its types are missing, because it is installed only beside these scripts. */
interface Orama {
  create(options: object): object;
  insertMultiple(index: object, documents: readonly object[]): Promise<unknown>;
  search(index: object, asked: object): { count: number } | Promise<{ count: number }>;
}

const schema = {
  ...{ places: "enum[]", concepts: "enum[]", roles: "enum[]", words: "enum[]" },
  ...{ experienceTenths: "number", hireable: "boolean", score: "number" },
};

/** Orama, with filters in the forms that suit it: lists of enums, numbers, and a property to sort by. */
export async function oramaRival(people: Iterable<Person>): Promise<Rival | string> {
  const name = "@orama/orama";
  const orama = (await import(name).catch(() => undefined)) as Orama | undefined;
  if (!orama) return "Orama is not installed";
  const sort = { unsortableProperties: ["experienceTenths", "hireable"] };
  const index = orama.create({ schema, sort });
  let batch: object[] = [];
  for (const person of people) {
    const { id, places, concepts, roles, words, ...rest } = documentOf(person);
    const lists = Object.entries({ places, concepts, roles, words }).map(
      ([field, text]) => [field, text.split(" ").filter(Boolean)] as const,
    );
    batch.push({ id: String(id), ...Object.fromEntries(lists), ...rest });
    if (batch.length < 1000) continue;
    await orama.insertMultiple(index, batch);
    batch = [];
  }
  await orama.insertMultiple(index, batch);
  const sortBy = { property: "score", order: "DESC" };
  return {
    total: async (query) => {
      const page = { limit: query.maxResults, offset: query.offset };
      const where = { and: filtersOf(query) };
      return (await orama.search(index, { term: "", where, sortBy, ...page })).count;
    },
  };
}

function filtersOf(query: SearchQuery): object[] {
  const all: object[] = [{ places: { containsAll: [query.location] } }];
  if (query.role) all.push({ roles: { containsAll: [query.role] } });
  const skills = (query.skills ?? []).map((skill) =>
    skill.includes(" ")
      ? { words: { containsAll: skill.split(" ") } }
      : { concepts: { containsAll: [skill] } },
  );
  if (skills.length > 0) all.push(query.strictSkills ? { and: skills } : { or: skills });
  if (query.languages) all.push({ concepts: { containsAny: query.languages } });
  if (query.minExperienceYears !== undefined) {
    all.push({ experienceTenths: { gte: query.minExperienceYears * 10 } });
  }
  if (query.isHireable) all.push({ hireable: true });
  return all;
}
