/**
 * A pool, a gazetteer and a vocabulary small enough to reason about, so that random standings meet
 * every kind of filter: data, behind the real interfaces.
 */
import fc from "fast-check";
import type { NamedRepository, RankingFeatures } from "../../src/contract/people/assessment.ts";
import type { Place } from "../../src/places/places.ts";
import type { FindableDeveloper } from "../../src/pool/pool.ts";
import { createMemoryIndex } from "../../src/search/memory/memory-index.ts";
import type { SearchIndex } from "../../src/search/search-index.ts";
import type { SearchParts } from "../../src/search/search-parts.ts";
import type { Skill } from "../../src/vocabulary/vocabulary.ts";
import { toFeatureRow } from "../pool/ranked-rows.ts";

export interface Row {
  readonly rowId: number;
  readonly standing: RankingFeatures;
}

/** City, region, country, continent: each id's containers, nearest first. */
export const containers: Readonly<Record<string, readonly string[]>> = {
  munich: ["bavaria", "germany", "europe"],
  nuremberg: ["bavaria", "germany", "europe"],
  bavaria: ["germany", "europe"],
  berlin: ["germany", "europe"],
  germany: ["europe"],
  lisbon: ["portugal", "europe"],
  portugal: ["europe"],
  europe: [],
  "georgia-us": ["us"],
  "georgia-country": [],
  us: [],
  atlantis: [],
  "ghost-town": [],
};

const placesByName: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.keys(containers).map((id) => [id, [id]])),
  // By population, largest first.
  georgia: ["georgia-us", "georgia-country"],
};

export const places: SearchParts["places"] = {
  find: (text) => (placesByName[text.toLowerCase()] ?? []).map(placeOf),
  suggest: (text, people) => {
    const peopled = [...people.keys()].filter((id) => id in containers);
    const alike = peopled.filter((id) => id.startsWith(text.slice(0, 2).toLowerCase()));
    return (alike.length > 0 ? alike : peopled).slice(0, 5);
  },
  complete: (text, people) =>
    [...people]
      .filter(([id]) => id.startsWith(text.toLowerCase()))
      .map(([id, count]) => ({ place: placeOf(id), fit: 1, people: count })),
  similar: () => [],
  ancestors: (id) => containers[id] ?? [],
  byId: (id) => (id in containers ? placeOf(id) : undefined),
};

const countries = new Set(["germany", "portugal", "us", "georgia-country", "atlantis"]);

function placeOf(id: string): Place {
  return {
    id,
    kind: countries.has(id) ? "country" : "city",
    name: id,
    fullName: id,
    country: undefined,
    region: undefined,
    population: 1,
  };
}

export const skillIds = ["react", "kubernetes", "go", "python", "rust", "sql"];
const languages = new Set(["go", "python", "rust"]);
const aliases: Readonly<Record<string, string>> = { k8s: "kubernetes", golang: "go" };
export const roleIds = ["backend", "frontend", "sre"];
/** On both sides of the ends of decades, years and months. */
export const lastDays = [
  ...["2009-12-31", "2010-01-01", "2019-12-31", "2025-12-31", "2026-01-01", "2026-09-30"],
  ...["2026-10-01", "2026-10-02", "2026-10-24", "2026-10-25", "2026-10-31", "2026-11-01"],
];
export const wordPool = ["kafka", "stream", "tiny", "parser", "game"];

/** Namesakes in folders, of other owners and on other forges, written differently, and owners that look like forges. */
export const repositoryPool: readonly NamedRepository[] = [
  { name: "pay" },
  { name: "Pay" },
  { name: "acme/pay" },
  { name: "ACME/Pay" },
  { name: "acme/pay", forge: "git.example" },
  { name: "acme/pay", forge: "git.example/acme" },
  { name: "acme/pay", forge: "Other.Example:8443" },
  { name: "beta/pay", forge: "git.example" },
  { name: "acme/payments" },
  { name: "git.example/acme/pay" },
  { name: "acme/sub/pay", forge: "git.example" },
  { name: "sub/pay" },
  { name: "acme/pay-2" },
  { name: "acme/pay.js" },
  { name: "acme/ledger" },
];

/** Companies as people and requests write them, each with the words that count. */
export const companies: Readonly<Record<string, readonly string[]>> = {
  Acme: ["acme"],
  "@acme": ["acme"],
  "ACME Payments, Inc.": ["acme", "payments"],
  "Ácme & Söhne GmbH": ["acme", "sohne"],
  "Beta; payments at acme": ["beta", "payments", "at", "acme"],
  Acmeist: ["acmeist"],
  "Inc.": ["inc"],
  "東京 株式会社": ["東京", "株式会社"],
};

function findSkill(text: string): Skill | undefined {
  const folded = text.trim().toLowerCase();
  const id = aliases[folded] ?? folded;
  if (!skillIds.includes(id)) return undefined;
  return { id, name: id.toUpperCase(), type: languages.has(id) ? "language" : "tool", aliases: [] };
}

const roles = roleIds.map((id) => ({
  id,
  displayName: id,
  aliases: id === "sre" ? ["site reliability engineer"] : [],
  kind: "technical" as const,
}));

export const vocabulary: SearchParts["vocabulary"] = {
  findSkill,
  findLanguage: (text) => {
    const skill = findSkill(text);
    return skill?.type === "language" ? skill : undefined;
  },
  readRole: (text) => ({
    role: roles.find(({ id, aliases }) => [id, ...aliases].includes(text.toLowerCase())),
    ...{ languages: [], seniority: [], rest: text },
  }),
  findTrade: () => undefined,
  normalise: (text) => text.toLowerCase(),
  roles,
  productId: (name) => `product:${name.toLowerCase()}`,
  words: (text) => text.toLowerCase().match(/[a-z]+/g) ?? [],
  suggest: () => [],
  complete: (text, kind) =>
    (kind === "skill" ? skillIds : roleIds)
      .filter((id) => id.startsWith(text.toLowerCase()))
      .map((id) => ({ id, name: id.toUpperCase(), fit: 1 })),
  similar: () => [],
};

export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Somebody like anybody else, but for what is given. */
export const person = (rowId: number, standing: Partial<RankingFeatures>): Row => ({
  rowId,
  standing: {
    ...{ login: `person-${rowId}`, searchable: true, profile: 50, activity: 50, techStack: 50 },
    ...{ experienceTenths: 50, hireable: false, places: [], roles: [], concepts: [], words: [] },
    ...{ repositories: [], weakConcepts: [] },
    ...standing,
  },
});

/** So many people in Berlin, all alike but for their logins. */
export const fullOfPeople = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, at) => person(at + 1, { places: ["berlin"] }));

/** Rows as a pool streams them. */
export async function* inOneBatch<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows;
}

/** What an index needs of a pool that has these people. */
export function poolOf(
  read: () => { readonly rows: readonly Row[]; readonly revision: number },
): SearchParts["pool"] {
  return {
    revision: async () => read().revision,
    size: async () => read().rows.length,
    searchableRows: async () => {
      const { rows, revision } = read();
      return { revision, rowIds: Uint32Array.from(rows, ({ rowId }) => rowId).sort() };
    },
    rankingFeatures: (rowIds) => {
      const wanted = new Set(rowIds);
      const { rows } = read();
      const some = rowIds ? rows.filter(({ rowId }) => wanted.has(rowId)) : rows;
      return inOneBatch(some.map(toFeatureRow));
    },
    findables: () => inOneBatch([]),
  };
}

/**
 * People as a pool streams them, one for each name; the rest of them is made from it.
 * @param firstRow of those that follow one another.
 */
export async function* findablesOf(
  names: readonly string[],
  firstRow = 1,
): AsyncGenerator<readonly FindableDeveloper[]> {
  yield names.map((name, at) => ({
    ...{
      rowId: firstRow + at,
      login: `p${at}`,
      name,
      otherNames: [],
      isHuman: true,
      score: 10 * at,
      formerLogins: [],
      accounts: [],
    },
    emails: { published: [], unpublished: [`${at}@example.com`] },
  }));
}

/** What an index needs: over the pool, in this world or another. */
export const partsOf = (
  pool: SearchParts["pool"],
  world: Pick<SearchParts, "places" | "vocabulary"> = { places, vocabulary },
): SearchParts => ({
  ...{ pool, places: world.places, vocabulary: world.vocabulary },
  ...{ poolFile: ":memory:", edition: "test", log: silent },
});

export type OpenIndex = (parts: SearchParts) => SearchIndex;

/** An opened search over rows; `rows` may be exchanged, with a new revision, between two refreshes. */
export function worldOf(
  rows: readonly Row[],
  openIndex: OpenIndex = createMemoryIndex,
): {
  search: SearchIndex;
  show(rows: readonly Row[]): void;
} {
  let shown = rows;
  let revision = 1;
  return {
    search: openIndex(partsOf(poolOf(() => ({ rows: shown, revision })))),
    show(next) {
      shown = next;
      revision++;
    },
  };
}

const whole = (max: number) => fc.integer({ min: 0, max });
// Few different values, so that equal scores are common and the order among them is put to the test.
const component = fc.oneof(fc.constantFrom(0, 1, 40, 50, 99, 100), whole(100));

const lastActive = fc.option(fc.constantFrom(...lastDays), { nil: undefined });

const company = fc.option(fc.constantFrom(...Object.keys(companies)), { nil: undefined });
const followers = fc.option(fc.oneof(fc.constantFrom(0, 1, 7, 8), fc.nat()), { nil: undefined });

const undated: fc.Arbitrary<Omit<RankingFeatures, "login">> = fc.record({
  searchable: fc.constant(true),
  profile: component,
  activity: component,
  techStack: component,
  experienceTenths: whole(260),
  hireable: fc.boolean(),
  places: fc.uniqueArray(
    fc.constantFrom(
      ...Object.keys(containers).filter((id) => id !== "atlantis" && id !== "ghost-town"),
    ),
    { maxLength: 3 },
  ),
  roles: fc.uniqueArray(
    fc.record({ role: fc.constantFrom(...roleIds), match: component, techStack: component }),
    { selector: ({ role }) => role },
  ),
  concepts: fc.uniqueArray(
    fc.record({ concept: fc.constantFrom(...skillIds), strength: component }),
    { selector: ({ concept }) => concept },
  ),
  words: fc.uniqueArray(fc.constantFrom(...wordPool)),
  repositories: fc.uniqueArray(fc.constantFrom(...repositoryPool), { maxLength: 5 }),
  weakConcepts: fc.constant([]),
});

const standing = fc
  .tuple(undated, lastActive, company, followers)
  .map(([rest, day, company, followers]) => ({
    ...rest,
    ...(day !== undefined && { lastActive: day }),
    ...(company !== undefined && { company }),
    ...(followers !== undefined && { followers }),
  }));

/** Up to 200 developers in an order that has nothing to do with their scores. */
export const pools: fc.Arbitrary<readonly Row[]> = fc
  .uniqueArray(fc.tuple(fc.stringMatching(/^[A-Za-z0-9_.-]{1,6}$/), standing), {
    selector: ([login]) => login.toLowerCase(),
    maxLength: 200,
    size: "max",
  })
  .map((people) =>
    people.map(([login, rest], at) => ({ rowId: 7 * at + 3, standing: { login, ...rest } })),
  );
