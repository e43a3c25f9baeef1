import { sortOrders } from "../../src/contract/requests.ts";
import type { SearchQuery } from "../../src/search/search-index.ts";

/** Queries of many shapes, from one word to every filter at once, each with many different values. */
export const queryShapes: Readonly<Record<string, (variant: number) => SearchQuery>> = {
  "country only": (v) => page({ location: `c${v}` }),
  "city and role": (v) => page({ location: `c${v}-r0-t${v % 3}`, role: roleOf(v) }),
  "country, 2 skills, any": (v) => page({ location: `c${v}`, skills: [`s${v}`, `s${v + 5}`] }),
  "country, 3 skills, strict": (v) =>
    page({
      location: `c${v % 5}`,
      skills: [`s${v % 4}`, `s${4 + (v % 5)}`, `s${9 + v}`],
      strictSkills: true,
    }),
  "country, 2 languages": (v) => page({ location: `c${v}`, languages: [`l${v}`, `l${v + 3}`] }),
  "country, experience": (v) =>
    page({ location: `c${v}`, minExperienceYears: v % 2 === 0 ? 8 : 7.5 }),
  "country, at most so much experience": (v) =>
    page({ location: `c${v}`, maxExperienceYears: v % 2 === 0 ? 8 : 7.5 }),
  "country, company": (v) => page({ location: `c${v}`, company: `firm${v % 4}` }),
  "country, by a figure": (v) => ({
    ...page({ location: `c${v}`, sort: sortOrders[v % 4] as "match", skills: [`s${v}`] }),
    offset: 100 * (v % 3),
  }),
  "everybody, by a figure": (v) =>
    page({ location: `m${v % 6}`, sort: sortOrders[v % 4] as "match" }),
  "country, hireable": (v) => page({ location: `c${v}`, isHireable: true }),
  "macro region, rare skill": (v) => page({ location: `m${v % 6}`, skills: [`s${600 + 70 * v}`] }),
  "everything at once": (v) =>
    page({
      location: `m${v % 6}`,
      role: roleOf(v),
      skills: [`s${v}`, `s${v + 2}`, `s${v + 11}`],
      languages: [`l${v % 4}`, `l${v + 4}`],
      minExperienceYears: 3,
      isHireable: true,
    }),
  "country, 2 skills, offset 200": (v) => ({
    ...page({ location: `c${v % 8}`, skills: [`s${v}`, `s${v + 1}`] }),
    offset: 200,
  }),
  "country, unknown skill of 2 words": (v) =>
    page({ location: `c${v % 8}`, skills: [`w${v} w${v + 7}`] }),
};

export const variants = 20;

function page(asked: Omit<SearchQuery, "maxResults" | "offset">): SearchQuery {
  return { ...asked, maxResults: 25, offset: 0 };
}

function roleOf(variant: number): string {
  return ["backend", "frontend", "devops", "mobile"][variant % 4] as string;
}
