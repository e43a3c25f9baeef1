import type { Evidence, EvidenceKind, Facts } from "../../../src/contract/people/facts.ts";
import type { Chance } from "./chance.ts";
import type { Career } from "./commits.ts";
import type { Archetype, Trait } from "./lists.ts";
import { dayIn, lastMonth, type MonthNumber, monthName } from "./months.ts";

type Repository = Facts["repositories"][number];

/** Makes the evidence of a developer's kinds of work, by the traits of the archetype. */
export function makeEvidence(
  chance: Chance,
  archetype: Archetype,
  { career, isAll }: { readonly career: Career; readonly isAll: boolean },
): Evidence[] {
  const years = byYear(career);
  const found: Evidence[] = [];
  const add = (kind: EvidenceKind, name: string, share: number, linesPerCommit?: number) => {
    const months: Record<string, number> = {};
    // Languages stay; packages and habits come later in a life, and some are given up.
    const isLasting = kind === "language" || isAll;
    const from = isLasting ? 0 : Math.floor(chance.next() ** 2 * years.length);
    const to = isLasting || chance.is(80) ? years.length : chance.whole(from + 1, years.length);
    for (const { month, commits } of years.slice(from, to)) {
      const part = Math.round(commits * share);
      if (part > 0) months[monthName(month)] = part;
    }
    const commits = Object.values(months).reduce((sum, part) => sum + part, 0);
    if (commits === 0) return;
    const lines = linesPerCommit === undefined ? {} : { lines: commits * linesPerCommit };
    found.push({ kind, name, commits, ...lines, months });
  };
  const chosen = (traits: readonly Trait[]) =>
    traits.filter(({ percent }, at) => isAll || at === 0 || chance.is(percent));
  chosen(archetype.languages).forEach(({ name }, at) => {
    const share = at === 0 ? chance.between(0.6, 0.9) : chance.between(0.04, 0.35) / Math.sqrt(at);
    add("language", name, share, chance.whole(12, 60));
  });
  for (const { name } of chosen(archetype.imports)) {
    add("import", name, isAll ? chance.between(0.1, 0.3) : 0.02 + 0.24 * chance.next() ** 2);
  }
  for (const { name } of chosen(archetype.manifests)) {
    add("manifest", name, chance.between(0.02, 0.09));
  }
  for (const { name } of chosen(archetype.paths)) add("path", name, chance.between(0.05, 0.25));
  return found;
}

/** Work older than this is put into one month, because all of it weighs the same. */
const yearsInDetail = 8;

/** Puts the work of each year into its busiest month. */
function byYear({ volume }: Career): { month: MonthNumber; commits: number }[] {
  const years = Map.groupBy(volume, ([month]) =>
    Math.max(Math.floor(month / 12), Math.floor(lastMonth / 12) - yearsInDetail),
  );
  return [...years.values()].map((months) => {
    const [busiest] = months.toSorted(([, a], [, b]) => b - a);
    const commits = months.reduce((sum, [, part]) => sum + part, 0);
    return { month: busiest?.[0] ?? 0, commits };
  });
}

const firstWords =
  "amber anchor apple arrow basalt birch brass cedar cinder clover copper coral dusk ember fern flint garnet harbor hazel indigo iron jade juniper kelp lantern larch lichen linen maple marble meadow mint moss nectar oak ochre onyx opal orchid paper pebble pine plum quartz reed river rust saffron sage salt silver slate sorrel spruce teal thistle tidal velvet willow winter".split(
    " ",
  );
const secondWords =
  "atlas badge beacon bench board book bridge cache canvas chart chest clock compass desk drum engine feed field forge gate gauge graph grid guide hook index kit lab lamp ledger lens loom map mill mint notes path pipe planner press pulse queue rack relay router scout seed shelf signal spool stack store studio table tracker tray vault wheel works yard".split(
    " ",
  );

/** The developer's own repositories, and shared ones with contributions. */
export function makeRepositories(
  chance: Chance,
  archetype: Archetype,
  given: {
    readonly login: string;
    readonly career: Career | undefined;
    readonly evidence: readonly Evidence[];
    readonly fame: number;
    readonly projects: readonly Repository[];
  },
): Repository[] {
  const { login, career, evidence, fame, projects } = given;
  const languages = evidence.filter(({ kind }) => kind === "language").map(({ name }) => name);
  const months = [...(career?.volume.keys() ?? [])].sort((a, b) => a - b);
  const total = career?.total ?? 0;
  const names = new Set<string>();
  const count = Math.min(8, 1 + chance.poisson(2.2));
  while (names.size < count) names.add(`${chance.pick(firstWords)}-${chance.pick(secondWords)}`);
  const owned = [...names].map((name, at): Repository => {
    const language = at === 0 || chance.is(60) ? languages[0] : chance.pick(["", ...languages]);
    const topics = archetype.topics.filter(({ percent }) => chance.is(percent / 1.5));
    const commits = Math.floor((total * chance.between(0.2, 0.5)) / (at + 1));
    const last = months[Math.max(0, months.length - 1 - at)];
    return {
      name: `${login}/${name}`,
      owned: true,
      ...(commits > 0 ? { commits } : {}),
      ...(language ? { language } : {}),
      stars:
        Math.floor(Math.exp(fame + chance.normal())) - 1 > 0
          ? Math.floor(Math.exp(fame - at / 2 + chance.normal()))
          : 0,
      ...(topics.length > 0 ? { topics: topics.map((topic) => topic.name) } : {}),
      ...(chance.is(10) ? { fork: true } : {}),
      ...(last === undefined ? {} : { pushedAt: `${dayIn(last, 14)}T12:00:00Z` }),
    };
  });
  const near = projects.filter(({ language }) => language && languages.includes(language));
  const pool = near.length > 0 ? near : projects;
  const joined = new Set<Repository>();
  const joinedCount = Math.min(pool.length, 5, total > 3 ? chance.poisson(1.4) : 0);
  while (joined.size < joinedCount) joined.add(chance.pick(pool));
  const contributed = [...joined].map((project) => ({
    ...project,
    commits: Math.max(1, Math.floor(total * chance.between(0.01, 0.15))),
  }));
  return [...owned, ...contributed];
}

/** How many of a person's repositories, those with most commits, become products; the others add little. */
const productsMax = 3;

/** Makes products of the developer's own repositories, which are known by their names. */
export function makeProducts(repositories: readonly Repository[]): Evidence[] {
  return repositories
    .flatMap(({ name, owned, fork, commits = 0, pushedAt }) => {
      if (!owned || fork || commits === 0 || pushedAt === undefined) return [];
      const product = `repository:${name.slice(name.indexOf("/") + 1)}`;
      const months = { [pushedAt.slice(0, 7)]: commits };
      return [{ kind: "product" as const, name: product, commits, months, repositories: [name] }];
    })
    .slice(0, productsMax);
}

/** Makes shared projects with few to very many stars, so that every tier has some. */
export function makeProjects(chance: Chance, languages: readonly string[]): Repository[] {
  const owners =
    "example-labs exampleware open-example example-collective sample-foundry demo-guild".split(" ");
  return languages.flatMap((language) =>
    Array.from({ length: 5 }, (): Repository => {
      const stars = Math.floor(Math.exp(5.4 + 2.2 * chance.normal()));
      return {
        name: `${chance.pick(owners)}/${chance.pick(firstWords)}-${chance.pick(secondWords)}`,
        owned: false,
        language,
        stars,
        authors: 2 + Math.floor(Math.sqrt(stars) * chance.between(0.5, 3)),
      };
    }),
  );
}
