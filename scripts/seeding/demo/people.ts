/**
 * Makes the demo people: clearly fictitious, and like real ones in everything that is counted. Each has a random
 * generator of their own, so that another kind of person does not change all others.
 */
import type { Facts } from "../../../src/contract/people/facts.ts";
import { type Chance, createChance } from "./chance.ts";
import { asCommitFacts, makeCareer } from "./commits.ts";
import { type Archetype, type Country, readArchetypes, readCountries, readNames } from "./lists.ts";
import { locationText } from "./locations.ts";
import { machines } from "./machines.ts";
import { dayIn, lastMonth, monthOf } from "./months.ts";
import { makeProfile } from "./profile.ts";
import { makeEvidence, makeProducts, makeProjects, makeRepositories } from "./work.ts";

/** What the analysis should find in the facts. */
export interface Planted {
  readonly facts: Facts;
  readonly role?: string;
  readonly country?: string;
}

/** The person that examples in README and on the API page ask for. */
const star = "ada-example";

/** @param count without the bots and assistants, which are always the same. */
export function makeDemo(seed: string, count: number): Planted[] {
  const lists = { countries: readCountries(), names: readNames(), archetypes: readArchetypes() };
  const languages = lists.archetypes.flatMap(({ languages: [main] }) => (main ? [main.name] : []));
  const projects = makeProjects(createChance(`${seed} projects`), [...new Set(languages)].sort());
  const taken = new Map<string, number>();
  const people = Array.from({ length: count }, (_, index) => {
    const chance = createChance(`${seed} person ${index}`);
    return makePerson(chance, { isStar: index === 0, lists, projects, taken });
  });
  return [...people, ...machines(createChance(`${seed} machines`)).map((facts) => ({ facts }))];
}

interface Surroundings {
  readonly isStar: boolean;
  readonly lists: {
    readonly countries: readonly Country[];
    readonly names: ReturnType<typeof readNames>;
    readonly archetypes: readonly Archetype[];
  };
  readonly projects: Facts["repositories"];
  /** How many people have had this login so far. */
  readonly taken: Map<string, number>;
}

function makePerson(chance: Chance, { isStar, lists, projects, taken }: Surroundings): Planted {
  const archetype = isStar
    ? found(lists.archetypes.find(({ id }) => id === "backend-go"))
    : chance.weighted(lists.archetypes, ({ weight }) => weight);
  const country = isStar
    ? found(lists.countries.find(({ names }) => names[0] === "Germany"))
    : chance.weighted(lists.countries, ({ weight }) => weight);
  const name = makeName(chance, country, lists.names);
  const login = isStar ? star : freeLogin(name, taken);
  const created = isStar ? monthOf("2012-03") : createdMonth(chance);
  const start = Math.min(lastMonth, created + Math.floor(-6 * Math.log(1 - chance.next())));
  const hasCommits = isStar || chance.is(97);
  const career = makeCareer(chance, { start, ...(isStar ? { perMonth: 15 } : {}) });
  const evidence = hasCommits ? makeEvidence(chance, archetype, { career, isAll: isStar }) : [];
  const fame = isStar ? 6.5 : 0.4 + 1.5 * chance.normal();
  const location = isStar ? "Berlin, Germany" : locationText(chance, country);
  const { profile, emails } = makeProfile(chance, archetype, {
    login,
    name: isStar ? "Ada Example" : name,
    location,
    fame,
    created: `${dayIn(created, chance.whole(1, 28))}T08:00:00Z`,
    isStar,
  });
  const repositories = makeRepositories(chance, archetype, {
    login,
    career: hasCommits ? career : undefined,
    evidence,
    fame,
    projects,
  });
  const facts: Facts = {
    login,
    source: "demo",
    profile,
    emails,
    repositories,
    ...(hasCommits ? { commits: asCommitFacts(chance, career, isStar) } : {}),
    evidence: [...evidence, ...makeProducts(repositories)],
  };
  return {
    facts,
    role: archetype.role,
    ...(country.names[0] ? { country: country.names[0] } : {}),
  };
}

/** A month between 2008 and this year, most often in the middle. */
function createdMonth(chance: Chance): number {
  const first = monthOf("2008-02");
  const along = (chance.next() + chance.next()) / 2;
  return first + Math.floor(along * (lastMonth - 1 - first));
}

/** Some people live far from where their names come from. */
function makeName(chance: Chance, country: Country, names: ReturnType<typeof readNames>): string {
  const lists = chance.is(10) ? [...names.keys()] : country.nameLists;
  const list = found(names.get(chance.pick(lists)));
  return `${chance.pick(list.given)} ${chance.pick(list.family)}`;
}

/** Every login says that the person is an example. */
function freeLogin(name: string, taken: Map<string, number>): string {
  const slug = name
    .replace(/ł/gi, "l")
    .replace(/ø/gi, "o")
    .replace(/ı/g, "i")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z]+/g, "-");
  const times = (taken.get(slug) ?? 0) + 1;
  taken.set(slug, times);
  return times === 1 ? `${slug}-example` : `${slug}-${times}-example`;
}

function found<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error("The demo's lists do not fit together.");
  return thing;
}
