/**
 * Invents any number of developers, the same ones for the same seed. Places, skills and words follow Zipf's law, so that
 * some lists are long and many are short, as in a real pool.
 */
import type { RankingFeatures } from "../../src/contract/people/assessment.ts";
import type { Place } from "../../src/places/places.ts";
import type { SearchParts } from "../../src/search/search-parts.ts";
import type { Role, Skill } from "../../src/vocabulary/vocabulary.ts";
import { createRandom } from "../random.ts";

const world = {
  countries: 60,
  regions: 8,
  cities: 6,
  macros: 6,
  skills: 2000,
  words: 20_000,
  /** Shared repositories; each person also has some of their own. */
  repositories: 50_000,
};
const languages = 60;
const roles = "backend frontend devops mobile security data-engineer sre cto".split(" ");

interface Person {
  readonly rowId: number;
  readonly standing: RankingFeatures;
}

/** Makes people as they are iterated, so that a million are never in memory at once. */
export function* people(count: number, seed = 1): Generator<Person> {
  const make = createMaker(seed);
  for (let rowId = 1; rowId <= count; rowId++) yield make(rowId);
}

/** Each person has a random generator of their own, so that people can be made in any order. */
function createMaker(seed: number): (rowId: number) => Person {
  const country = zipf(world.countries);
  const region = zipf(world.regions);
  const city = zipf(world.cities);
  const skill = zipf(world.skills);
  const language = zipf(languages);
  const word = zipf(world.words);
  const repository = zipf(world.repositories);
  return (rowId) => {
    const draw = createRandom(Math.imul(rowId, 0x9e3779b1) ^ seed);
    const upTo = (max: number) => Math.floor(draw() * (max + 1));
    const some = <T>(most: number, one: () => T): T[] => [
      ...new Set(Array.from({ length: 1 + upTo(most - 1) }, one)),
    ];
    const place = () => `c${country(draw)}-r${region(draw)}-t${city(draw)}`;
    const known = [...some(30, () => `s${skill(draw)}`), ...some(8, () => `l${language(draw)}`)];
    const standing = {
      login: `dev-${((rowId * 7919) % 1_000_003).toString(36)}-${rowId}`,
      searchable: true,
      profile: upTo(100),
      activity: upTo(100),
      techStack: upTo(100),
      experienceTenths: upTo(200),
      hireable: draw() < 0.2,
      places: draw() < 0.1 ? [] : some(draw() < 0.05 ? 2 : 1, place),
      roles: some(6, () => roles[upTo(roles.length - 1)] as string).map((role) => ({
        role,
        match: upTo(100),
        techStack: upTo(100),
      })),
      concepts: known.map((concept) => ({ concept, strength: 1 + upTo(99) })),
      words: some(30, () => `w${word(draw)}`),
    };
    const own = Array.from({ length: upTo(3) }, () => `dev-${rowId}/p${upTo(500)}`);
    const shared = Array.from({ length: upTo(6) }, () => nameRepository(repository(draw)));
    const names = [...new Set([...own, ...shared])];
    const repositories = names.map((name) => ({ name, forge: "git.example" }));
    // Most people have no company, and of few it is known how many follow them.
    const company = draw() < 0.2 ? { company: `firm${upTo(5)}` } : {};
    const followers = draw() < 0.3 ? { followers: upTo(1000) } : {};
    const others = { repositories, weakConcepts: [], ...company, ...followers };
    return { rowId, standing: { ...standing, ...others } };
  };
}

/** @returns the name of a shared repository; the most popular has rank 0. */
const nameRepository = (rank: number) => `org-${rank % 4000}/r${rank}`;

/** `c3-r2-t1` lies in region `c3-r2`, country `c3` and one of a few macro regions. */
export const places: SearchParts["places"] = {
  find: (text) => [placeOf(text)],
  suggest: () => [],
  complete: () => [],
  similar: () => [],
  ancestors: (id) => {
    const [country = "", region] = id.split("-");
    return [`${country}-${region}`, country, `m${Number(country.slice(1)) % world.macros}`];
  },
  byId: (id) => placeOf(id),
};

function placeOf(id: string): Place {
  const unknown = { country: undefined, region: undefined, population: 0 };
  return { id, kind: "city", name: id, fullName: id, ...unknown };
}

const skillOf = (id: string, kind: RegExp, type: Skill["type"]): Skill | undefined =>
  kind.test(id) ? { id, name: id, type, aliases: [] } : undefined;

export const vocabulary: SearchParts["vocabulary"] = {
  findSkill: (text) => skillOf(text, /^s\d+$/, "tool"),
  findTrade: () => undefined,
  findLanguage: (text) => skillOf(text, /^l\d+$/, "language"),
  readRole: (text) => {
    const role: Role = { id: text, displayName: text, aliases: [], kind: "technical" };
    const known = roles.includes(text) ? role : undefined;
    return { role: known, languages: [], seniority: [], rest: text };
  },
  normalise: (text) => text,
  roles: [],
  productId: () => "",
  words: (text) => text.split(" "),
  suggest: () => [],
  complete: () => [],
  similar: () => [],
};

/** Ranks from 0; rank r is drawn in proportion to 1 / (r + 1). */
function zipf(ranks: number): (draw: () => number) => number {
  const upTo = new Float64Array(ranks);
  let sum = 0;
  for (let rank = 0; rank < ranks; rank++) {
    sum += 1 / (rank + 1);
    upTo[rank] = sum;
  }
  return (draw) => {
    const wanted = draw() * sum;
    let low = 0;
    let high = ranks - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((upTo[middle] as number) <= wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
