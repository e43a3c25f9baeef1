/**
 * As many developers as wanted, always the same ones for a seed: places, skills and words fall off as
 * Zipf's law says, so that there are crowded and lonely lists as in a real pool. Nobody is real.
 */
import type { NamedRepository, RankingFeatures } from "../../src/contract/people/assessment.ts";
import type { Place } from "../../src/places/places.ts";
import type { SearchParts } from "../../src/search/search-parts.ts";
import type { Role, Skill } from "../../src/vocabulary/vocabulary.ts";
import { createRandom } from "../../test/random.ts";

export const world = {
  countries: 60,
  regions: 8,
  cities: 6,
  macros: 6,
  skills: 2000,
  words: 20_000,
  /** The known ones; everybody also has some of their own. */
  repositories: 50_000,
};
const languages = 60;
const roles = [
  "backend",
  "frontend",
  "devops",
  "mobile",
  "security",
  "data-engineer",
  "sre",
  "cto",
];

export interface Person {
  readonly rowId: number;
  readonly standing: RankingFeatures;
}

/** Made anew with every iteration: a million people are never held at once. */
export function* people(count: number, seed = 1): Generator<Person> {
  const draw = createRandom(seed);
  const upTo = (max: number) => Math.floor(draw() * (max + 1));
  const country = zipf(world.countries, draw);
  const region = zipf(world.regions, draw);
  const city = zipf(world.cities, draw);
  const skill = zipf(world.skills, draw);
  const language = zipf(languages, draw);
  const word = zipf(world.words, draw);
  const repositoriesOf = createRepositories(seed);
  const some = <T>(most: number, one: () => T): T[] => [
    ...new Set(Array.from({ length: 1 + upTo(most - 1) }, one)),
  ];
  for (let rowId = 1; rowId <= count; rowId++) {
    const place = () => `c${country()}-r${region()}-t${city()}`;
    const known = [...some(30, () => `s${skill()}`), ...some(8, () => `l${language()}`)];
    yield {
      rowId,
      standing: {
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
        words: some(30, () => `w${word()}`),
        repositories: repositoriesOf(rowId),
      },
    };
  }
}

/** A pool that streams them and stores nothing. Rows are asked for in ascending order, all at once or some at a time. */
export function createSyntheticPool(developers: number) {
  const stream = people(developers);
  function* next(count: number) {
    for (let at = 0; at < count; at++) yield stream.next().value as Person;
  }
  return {
    revision: async () => 1,
    searchableRows: async () => ({
      revision: 1,
      rowIds: Uint32Array.from({ length: developers }, (_, at) => at + 1),
    }),
    rankingFeatures: (rowIds?: Uint32Array) => inBatches(next(rowIds?.length ?? developers)),
    findables: () => inBatches<never>([]),
  };
}

/** As the pool streams them. */
async function* inBatches<Row>(rows: Iterable<Row>): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < 256) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Has chances of its own, so that everything else is as it was before people had repositories. */
function createRepositories(seed: number): (rowId: number) => NamedRepository[] {
  const draw = createRandom(seed + 1);
  const known = zipf(world.repositories, draw);
  const upTo = (max: number) => Math.floor(draw() * (max + 1));
  return (rowId) => {
    const own = Array.from({ length: upTo(3) }, () => `dev-${rowId}/p${upTo(500)}`);
    const shared = Array.from({ length: upTo(6) }, known).map((at) => `org-${at % 4000}/r${at}`);
    return [...new Set([...own, ...shared])].map((name) => ({ name, forge: "git.example" }));
  };
}

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
  findLanguage: (text) => skillOf(text, /^l\d+$/, "language"),
  findRole: (text): Role | undefined =>
    roles.includes(text)
      ? { id: text, displayName: text, aliases: [], kind: "technical" }
      : undefined,
  roles: [],
  productId: () => "",
  words: (text) => text.split(" "),
  suggest: () => [],
  complete: () => [],
  similar: () => [],
};

/** Ranks from 0; rank r is drawn in proportion to 1 / (r + 1). */
function zipf(ranks: number, draw: () => number): () => number {
  const upTo = new Float64Array(ranks);
  let sum = 0;
  for (let rank = 0; rank < ranks; rank++) {
    sum += 1 / (rank + 1);
    upTo[rank] = sum;
  }
  return () => {
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
