import { describe, expect, test } from "bun:test";
import type { Card } from "../../src/contract/people/developer.ts";
import type { SearchIndex, SearchQuery } from "../../src/search/search-index.ts";
import { type OpenIndex, person, type Row, worldOf } from "./small-world.ts";

/** How every adapter of `SearchIndex` understands a query. */
export function describeQueries(openIndex: OpenIndex): void {
  async function searchOver(...rows: Row[]): Promise<SearchIndex> {
    const { search } = worldOf(rows, openIndex);
    await search.refresh();
    return search;
  }

  const page = { maxResults: 25, offset: 0 };
  const found = async (search: SearchIndex, query: Partial<SearchQuery>) =>
    (await search.find({ location: "europe", ...page, ...query })).hits
      .map(({ rowId }) => rowId)
      .sort();

  describe("a location", () => {
    test("that only cities bear, with nobody in any of them, is as good as unknown", async () => {
      const search = await searchOver(person(1, { places: ["us"] }));
      const { place, locationSuggestions } = await search.find({ location: "ghost-town", ...page });
      expect({ place, locationSuggestions }).toEqual({
        place: undefined,
        locationSuggestions: ["us"],
      });
    });

    test("counts those with a place anew when the last of them is gone", async () => {
      const rest = [person(2, {}), person(3, {})];
      const { search, show } = worldOf([person(1, { places: ["berlin"] }), ...rest], openIndex);
      const ask = async () => {
        await search.refresh();
        return (await search.find({ location: "Portugal", ...page })).sparseFilters;
      };
      expect(await ask()).toEqual([{ field: "location", known: 1, people: 3 }]);
      show(rest);
      expect(await ask()).toEqual([{ field: "location", known: 0, people: 2 }]);
    });

    test("unknown finds nobody and suggests places that have people", async () => {
      const search = await searchOver(person(1, { places: ["berlin"] }));
      const { total, hits, locationSuggestions } = await search.find({
        location: "Berlim",
        ...page,
      });
      expect({ total, hits, locationSuggestions }).toEqual({
        total: 0,
        hits: [],
        locationSuggestions: ["berlin"],
      });
    });
  });

  describe("a role", () => {
    test("finds those matched at 25 or more, or at 10 by their best role, scored for the role", async () => {
      const at = (match: number) => ({ role: "backend", match, techStack: 80 });
      const of = (...roles: ReturnType<typeof at>[]) => ({ places: ["berlin"], roles });
      const other = { ...at(90), role: "frontend" };
      const search = await searchOver(
        ...[person(1, of(at(9))), person(2, of(at(10))), person(3, of(other, at(24)))],
        person(4, of(other, at(25))),
      );
      const { hits } = await search.find({ location: "berlin", role: "backend", ...page });
      expect(hits.map(({ rowId }) => rowId)).toEqual([2, 4]);
      expect(hits[0]).toMatchObject({ techStack: 80, score: 74 });
    });
  });

  describe("skills", () => {
    test("without a word are nobody's", async () => {
      const search = await searchOver(person(1, { places: ["berlin"], words: ["kafka"] }));
      expect(await found(search, { skills: ["kafka"] })).toEqual([1]);
      expect(await found(search, { skills: ["kafka", "+++"], strictSkills: true })).toEqual([]);
      expect(await found(search, { skills: ["+++"] })).toEqual([]);
    });

    test("find the authors of a product of the name, by strength, beside those with the word or the skill", async () => {
      const author = (rowId: number, concept: string, strength: number) =>
        person(rowId, { places: ["berlin"], concepts: [{ concept, strength }] });
      const search = await searchOver(
        author(1, "product:billing", 40),
        author(2, "product:billing", 90),
        person(3, { places: ["berlin"], words: ["billing"] }),
        author(4, "go", 60),
        author(5, "product:go", 95),
        person(6, { places: ["berlin"] }),
      );
      const ranked = async (skill: string) =>
        (await search.find({ location: "berlin", ...page, skills: [skill] })).hits.map(
          ({ rowId, techStack }) => [rowId, techStack],
        );
      expect(await ranked("Billing")).toEqual([
        [2, 90],
        [1, 40],
        [3, 30],
      ]);
      expect(await ranked("go")).toEqual([
        [5, 95],
        [4, 60],
      ]);
    });
  });

  describe("the keywords shown", () => {
    const card = {
      keywords: Array.from({ length: 30 }, (_, at) => `K${at}`),
      roleKeywords: { backend: ["GO", "gRPC"] },
    } as unknown as Card;

    test("are those asked for that there is evidence of, then the role's, each once", async () => {
      const search = await searchOver(
        person(1, {
          places: ["berlin"],
          concepts: [
            { concept: "go", strength: 5 },
            { concept: "sql", strength: 5 },
          ],
          roles: [{ role: "backend", match: 50, techStack: 50 }],
          words: ["kafka"],
        }),
      );
      const query = {
        location: "berlin",
        skills: ["react", "Kafka", "sql"],
        languages: ["golang"],
      };
      const { hits, asked } = await search.find({ ...query, role: "backend", ...page });
      const [hit] = hits;
      if (!hit) throw new Error("nobody found");
      expect(await search.matchedKeywords(asked, [{ card, hit }])).toEqual([
        ["Kafka", "SQL", "GO", "gRPC"],
      ]);
    });

    test("are the strongest ten when nothing was asked for", async () => {
      const search = await searchOver(person(1, { places: ["berlin"] }));
      const { hits, asked } = await search.find({ location: "berlin", ...page });
      const [hit] = hits;
      if (!hit) throw new Error("nobody found");
      expect(await search.matchedKeywords(asked, [{ card, hit }])).toEqual([
        card.keywords.slice(0, 10),
      ]);
    });
  });
}
