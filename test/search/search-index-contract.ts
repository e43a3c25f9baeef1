import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sortOrders } from "../../src/contract/requests.ts";
import { listNearWords } from "../../src/identity/near-words.ts";
import type { SearchHit, SearchIndex, SearchQuery } from "../../src/search/search-index.ts";
import { isLong, rounds } from "../long.ts";
import { createRandom, drawSeed } from "../random.ts";
import { listRoleScoresNaively, searchNaively } from "./oracle.ts";
import { queryShapes, variants } from "./query-shapes.ts";
import * as small from "./small-world.ts";
import {
  companies,
  containers,
  findablesOf,
  lastDays,
  type OpenIndex,
  partsOf,
  poolOf,
  pools,
  type Row,
  roleIds,
  worldOf,
} from "./small-world.ts";
import * as synthetic from "./synthetic-people.ts";

const skillTexts = ["react", "k8s", "Kubernetes", "golang", "Python", "kafka stream", "game", "no"];
const repositoryTexts = [
  ...["pay", "PAY", "acme/pay", "Acme/PAY", "git.example/acme/pay", "git.example/acme/acme/pay"],
  ...["other.example:8443/acme/pay", "git.example/beta/pay", "beta/pay", "acme/sub/pay", "sub/pay"],
  ...["git.example/acme/sub/pay", "payment", "acme/payments", " acme/ledger ", "pay-2", "pay.js"],
  ...["git.example/pay", "nobody/pay", "/pay", "acme/", "/", "pay\u00e9"],
];
const years = fc.oneof(
  fc.integer({ min: 0, max: 50 }),
  fc.integer({ min: 0, max: 260 }).map((tenths) => tenths / 10),
  fc.double({ min: 0, max: 50, noNaN: true }),
);

/** Requests of every kind, most of which somebody in a small world fulfils. */
export const queries: fc.Arbitrary<SearchQuery> = fc
  .record(
    {
      location: fc.constantFrom(...Object.keys(containers), "Georgia"),
      role: fc.constantFrom(...roleIds),
      skills: fc.array(fc.constantFrom(...skillTexts), { maxLength: 4 }),
      languages: fc.array(fc.constantFrom("go", "python", "rust", "klingon"), { maxLength: 2 }),
      repositories: fc.array(fc.constantFrom(...repositoryTexts), { maxLength: 4 }),
      minExperienceYears: years,
      maxExperienceYears: years,
      company: fc.constantFrom(...Object.keys(companies), "sohne"),
      sort: fc.constantFrom(...sortOrders),
      activeSince: fc.constantFrom(...lastDays, "1969-05-17", "2026-10-23", "2099-12-31"),
      isHireable: fc.boolean(),
      strictSkills: fc.boolean(),
      maxResults: fc.integer({ min: 1, max: 100 }),
      offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200 })),
    },
    { requiredKeys: ["location", "maxResults", "offset"] },
  )
  .map(({ minExperienceYears: one, maxExperienceYears: other, ...query }) => {
    if (one === undefined || other === undefined) {
      return {
        ...query,
        ...(one !== undefined && { minExperienceYears: one }),
        ...(other !== undefined && { maxExperienceYears: other }),
      };
    }
    const [min, max] = [Math.min(one, other), Math.max(one, other)];
    return { ...query, minExperienceYears: min, maxExperienceYears: max };
  });

const shown = ({ rowId, score, techStack }: SearchHit) => ({ rowId, score, techStack });

async function expectSame(
  search: SearchIndex,
  query: SearchQuery,
  expected: ReturnType<typeof searchNaively>,
): Promise<void> {
  const found = await search.find(query);
  expect(found.total).toBe(expected.total);
  expect(found.hits.map(shown)).toEqual(
    expected.hits.map(({ rowId, score, techStack }) => ({ rowId, score, techStack })),
  );
}

/**
 * Tests what every adapter of `SearchIndex` finds and explains.
 * @param crowd people among whom others are ranked. @param many people, some of whom have all requested skills.
 */
export function describeSearchIndex(
  openIndex: OpenIndex,
  runs = rounds(150),
  crowd = 20_000,
  many = 6000,
): void {
  async function opened(rows: readonly Row[]) {
    const world = worldOf(rows, openIndex);
    await world.search.refresh();
    return world.search;
  }

  describe("a search", () => {
    test("finds whom the decisions name, in their order, with an exact total", async () => {
      await fc.assert(
        fc.asyncProperty(
          pools,
          fc.array(queries, { minLength: 20, maxLength: 20 }),
          async (rows, asked) => {
            const search = await opened(rows);
            for (const query of asked)
              await expectSame(search, query, searchNaively(rows, query, small));
          },
        ),
        { numRuns: runs },
      );
    });

    // Alone they are a bitset, among many they are an array: both are scored some at a time.
    for (const others of [0, crowd]) {
      test(`ranks by what was asked, although nothing else speaks for them, among ${others} others`, async () => {
        const rows = small.fullOfPeople(1030 + others).map(({ rowId, standing }) => ({
          rowId,
          standing: {
            ...standing,
            places: [rowId > 1030 ? "lisbon" : "berlin"],
            techStack: Math.max(0, 100 - Math.floor(rowId / 11)),
            concepts: [{ concept: "react", strength: Math.min(100, Math.floor(rowId / 9)) }],
          },
        }));
        const search = await opened(rows);
        for (const offset of [0, 100, 200]) {
          const query = { location: "berlin", skills: ["react"], maxResults: 100, offset };
          await expectSame(search, query, searchNaively(rows, query, small));
        }
      });
    }

    test("counts the people of a role by their overall score, once in a generation", async () => {
      await fc.assert(
        fc.asyncProperty(pools, fc.constantFrom(...roleIds), async (rows, role) => {
          const search = await opened(rows);
          const counted = await search.countRoleScores(role);
          const scores = [...(counted?.people ?? [])].flatMap((people, tenths) =>
            Array.from({ length: people }, () => tenths / 10),
          );
          const expected = listRoleScoresNaively(rows, role);
          expect([counted?.total, scores]).toEqual([expected.length, expected]);
          expect(await search.countRoleScores(role)).toBe(counted);
        }),
        { numRuns: runs },
      );
    });

    test("among many finds the best by several skills, whoever has all of them or lacks one", async () => {
      const draw = createRandom(drawSeed("several skills"));
      const upTo = (max: number) => Math.floor(draw() * (max + 1));
      const rows = small.fullOfPeople(many).map(({ rowId, standing }) => {
        const concepts = ["react", "go", "sql"].flatMap((concept) =>
          draw() < 0.6 ? [{ concept, strength: 15 + upTo(85) }] : [],
        );
        const roles = draw() < 0.7 ? [{ role: "sre", match: 50, techStack: upTo(100) }] : [];
        const figures = { profile: upTo(100), activity: upTo(100) };
        return { rowId, standing: { ...standing, ...figures, concepts, roles, words: ["game"] } };
      });
      const search = await opened(rows);
      for (const skills of [
        ["react", "go"],
        ["react", "go", "sql"],
        ["game", "sql"],
      ]) {
        for (const more of [{}, { role: "sre" }, { strictSkills: true }]) {
          for (const offset of [0, 200]) {
            const query = { location: "berlin", skills, ...more, maxResults: 100, offset };
            await expectSame(search, query, searchNaively(rows, query, small));
          }
        }
      }
    });
  });

  describe("an explanation of a search", () => {
    test("says in exactly of whom enough pages show, with their score and rank", async () => {
      await fc.assert(
        fc.asyncProperty(pools, queries, async (rows, query) => {
          const search = await opened(rows);
          // The rank is that of the match, in whatever order results are shown.
          const all = { offset: 0, maxResults: 200, sort: "match" } as const;
          const shownPeople = await search.find({ ...query, ...all });
          const places = new Map(
            shownPeople.hits.map((hit, at) => [hit.rowId, { hit, rank: at + 1 }]),
          );
          for (const row of rows) {
            const { isIn, verdicts, placing, total } = await search.explain(row, query);
            const found = places.get(row.rowId);
            expect(isIn).toBe(found !== undefined);
            expect(verdicts.every(({ holds }) => holds)).toBe(isIn);
            expect(placing && { rank: placing.rank, score: placing.score }).toEqual(
              found && { rank: found.rank, score: found.hit.score },
            );
            expect(total).toBe(shownPeople.total);
          }
        }),
        { numRuns: Math.min(runs, rounds(100)) },
      );
    });

    test("names what there is instead", async () => {
      const someone = small.person(1, {
        places: ["berlin"],
        roles: [{ role: "backend", match: 8, techStack: 40 }],
        concepts: [{ concept: "react", strength: 62 }],
        weakConcepts: [{ concept: "rust", strength: 6 }],
        experienceTenths: 32,
      });
      const search = await opened([someone]);
      const explained = await search.explain(someone, {
        ...{ location: "portugal", role: "backend", skills: ["react", "k8s", "rust"] },
        ...{ minExperienceYears: 5, isHireable: true, company: "Acme" },
      });
      expect(explained.verdicts.map(({ field, holds, has }) => [field, holds, has])).toEqual([
        ["location", false, "berlin"],
        ["role", false, "match 8"],
        ["skills", true, "REACT 62, lacks KUBERNETES, RUST 6, too little to match"],
        ["isHireable", false, "not flagged hireable"],
        ["company", false, "no company is known"],
        ["minExperienceYears", false, "3.2 years"],
      ]);
      const over = await search.explain(someone, { location: "berlin", maxExperienceYears: 3.1 });
      expect(over.verdicts.map(({ field, holds, asked }) => [field, holds, asked])).toEqual([
        ["location", true, "berlin"],
        ["maxExperienceYears", false, "at most 3.1 years"],
      ]);
    });

    test("is refused if the maximum of years is below the minimum, as the search is", async () => {
      const rows = small.fullOfPeople(1);
      const search = await opened(rows);
      const query = { location: "berlin", minExperienceYears: 5, maxExperienceYears: 4 };
      const refusal = { code: "invalid_request" };
      await expect(search.explain(rows[0] as Row, query)).rejects.toMatchObject(refusal);
      const page = { maxResults: 1, offset: 0 };
      await expect(search.find({ ...query, ...page })).rejects.toMatchObject(refusal);
    });

    test("of a bot says that it is one", async () => {
      const search = await opened(small.fullOfPeople(2));
      const bot = small.person(99, { places: ["berlin"], searchable: false });
      const { isIn, verdicts, total } = await search.explain(bot, { location: "berlin" });
      expect({ isIn, fields: verdicts.map(({ field }) => field), total }).toEqual({
        isIn: false,
        fields: ["class"],
        total: 2,
      });
    });

    test("of an unknown place suggests others", async () => {
      const rows = small.fullOfPeople(1);
      const search = await opened(rows);
      const { isIn, locationSuggestions } = await search.explain(rows[0] as Row, {
        location: "bexxx",
      });
      expect({ isIn, locationSuggestions }).toEqual({
        isIn: false,
        locationSuggestions: ["berlin"],
      });
    });
  });
}

/** What every adapter finds of people by what they are called. */
export function describeFindingPeople(openIndex: OpenIndex): void {
  const openWith = (shown: { names: readonly string[]; revision: number }) => {
    const nobody = poolOf(() => ({ rows: [], revision: shown.revision }));
    // Who changes gets a new row.
    const firstRow = () => 10 * (shown.revision - 1) + 1;
    const pool = { ...nobody, findables: () => findablesOf(shown.names, firstRow()) };
    return openIndex(partsOf(pool, synthetic));
  };
  const page = { canSeeUnpublished: false, limit: 10, offset: 0 };
  const words = fc.array(fc.constantFrom("ada", "adam", "bo", "Bö", "mo", "x", "王", "o'x"), {
    minLength: 1,
    maxLength: 3,
  });

  test("the people whose name has another word for each beginning that is asked for", async () => {
    const fold = (word: string) => word.toLowerCase().replace("ö", "o").replace("'", "");
    const takes = (asked: readonly string[], name: readonly string[]): boolean => {
      const [first, ...rest] = asked;
      if (first === undefined) return true;
      return name.some((word, at) => word.startsWith(first) && takes(rest, name.toSpliced(at, 1)));
    };
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 8 }), words, async (names, asked) => {
        const search = openWith({ names: names.map((each) => each.join(" ")), revision: 1 });
        const found = await search.findPeople({ ...page, text: asked.join(", ") });
        const hits = found.hits.filter(({ matched }) => matched === "name");
        const meant = names.flatMap((name, at) =>
          takes(asked.map(fold), name.map(fold)) ? [at + 1] : [],
        );
        expect(hits.map(({ rowId }) => rowId).sort((a, b) => a - b)).toEqual(meant);
        expect(found.total).toBe(found.hits.length);
      }),
    );
  });

  test("the people of whose names a word is one slip from the one asked, where few have it", async () => {
    const known = ["lovelace", "loevlace", "lovelac", "hopper", "hoper", "hooper", "Höpper"];
    const names = fc.array(fc.constantFrom(...known), { maxLength: 8 });
    const fold = (word: string) => word.toLowerCase().replace("ö", "o");
    await fc.assert(
      fc.asyncProperty(names, fc.constantFrom(...known), async (shown, asked) => {
        const search = openWith({ names: shown, revision: 1 });
        const { total, hits } = await search.findPeople({ ...page, text: asked });
        const near = listNearWords(fold(asked));
        const begin = shown.flatMap((name, at) =>
          fold(name).startsWith(fold(asked)) ? [at + 1] : [],
        );
        const slips = shown.flatMap((name, at) =>
          near.has(fold(name)) && !begin.includes(at + 1) ? [at + 1] : [],
        );
        const rowsOf = (isNear: boolean) =>
          hits.filter(({ matched }) => (matched === "near") === isNear).map(({ rowId }) => rowId);
        const sorted = (rows: readonly number[]) => rows.toSorted((a, b) => a - b);
        expect(sorted(rowsOf(false))).toEqual(begin);
        expect(sorted(rowsOf(true))).toEqual(slips);
        expect(total).toBe(begin.length + slips.length);
        // Those with a slip come last.
        expect(hits.slice(begin.length).every(({ matched }) => matched === "near")).toBe(true);
      }),
    );
  });

  test("of the newest revision, whatever was asked before", async () => {
    const shown = { names: ["Ada"], revision: 1 };
    const search = openWith(shown);
    const total = async (text: string) => (await search.findPeople({ ...page, text })).total;
    expect([await total("ada"), await total("bo")]).toEqual([1, 0]);
    Object.assign(shown, { names: ["Bo"], revision: 2 });
    expect([await total("ada"), await total("bo")]).toEqual([0, 1]);
  });

  test("by an unpublished address for those alone who may", async () => {
    const search = openWith({ names: ["Ada", "Bo"], revision: 1 });
    const asked = { ...page, text: "1@example.com" };
    expect(await search.findPeople(asked)).toEqual({ total: 0, hits: [] });
    const found = await search.findPeople({ ...asked, canSeeUnpublished: true });
    expect(found).toEqual({ total: 1, hits: [{ rowId: 2, matched: "e-mail" }] });
  });
}

/** Takes seconds. */
export function describeSearchAmongThousands(openIndex: OpenIndex): void {
  test("finds whom the decisions name among thousands, where lists are crowded, lonely and everything between", async () => {
    const rows = [...synthetic.people(isLong ? 6000 : 2000)];
    const search = openIndex(
      partsOf(
        poolOf(() => ({ rows, revision: 1 })),
        synthetic,
      ),
    );
    await search.refresh();
    const queries = Object.values(queryShapes).flatMap((shape) =>
      Array.from({ length: variants }, (_, variant) => shape(variant)),
    );
    for (const query of queries) {
      await expectSame(search, query, searchNaively(rows, query, synthetic));
    }
  });
}
