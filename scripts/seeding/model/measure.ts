import { createAssessor, readShippedModel } from "../../../src/analysis/analysis.ts";
import type { Model } from "../../../src/analysis/model.ts";
import { interpolateUnitCurve } from "../../../src/analysis/scores/curve.ts";
import { listNamedRoles, roleMatchMin } from "../../../src/contract/people/profile-analysis.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { type Population, type Spread, spreadOf } from "./population.ts";

/** Authors with fewer commits are too few to set a median by; levels use the same number. */
export const settledCommits = 30;

export interface Measured {
  readonly settled: number;
  readonly quality: Spread;
  readonly semantic: Spread;
  readonly activeMonths: Spread;
  readonly bestYear: Spread;
  /** By kind of skill: commits times the factor of their evidence, over (author, skill). */
  readonly skills: ReadonlyMap<string, Spread>;
  readonly paths: Spread;
  /** Sums of log odds by best role or a relative of it, judged with the medians measured here; "any" is over all. */
  readonly roles: ReadonlyMap<string, Spread>;
  /** For each role, the number of people with it as their best role, and of those for whom it may be named at all. */
  readonly leads: ReadonlyMap<string, { readonly leading: number; readonly named: number }>;
}

type People = Population["people"];

export function measure({ people }: Population, asOf: string): Measured {
  const settled = people.filter(({ commits }) => commits.total >= settledCommits);
  const { skills, paths } = measureSkills(settled);
  const model = structuredClone(readShippedModel()) as Writable<Model>;
  model.roles.pathMedian = Math.round(paths.quartiles[1]);
  const years = (each: People) => each.map(bestYear);
  return {
    settled: settled.length,
    quality: spreadOf(sharesOf(people, ({ quality }) => [quality.good, quality.n, 20])),
    semantic: spreadOf(sharesOf(people, ({ semantic: s }) => [s.matches, s.eligible, 10])),
    activeMonths: spreadOf(years(people).map(({ active }) => active / 12)),
    bestYear: spreadOf(years(settled).map(({ commits }) => commits / 12)),
    skills,
    paths,
    roles: measureRoles(settled, model, asOf),
    leads: countLeads(settled, model, asOf),
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] extends object ? Writable<T[K]> : T[K] };

function sharesOf(
  people: People,
  shareOf: (commits: People[number]["commits"]) => readonly [part: number, n: number, nMin: number],
): number[] {
  return people.flatMap(({ commits }) => {
    const [part, n, nMin] = shareOf(commits);
    return n >= nMin ? [part / n] : [];
  });
}

/** @returns the best twelve months by active months, and by commits, at any time. */
function bestYear({ commits }: People[number]): { active: number; commits: number } {
  const months = Object.entries(commits.volume).map(
    ([month, amount]) => [Number(month.slice(0, 4)) * 12 + Number(month.slice(5)), amount] as const,
  );
  const best = { active: 0, commits: 0 };
  for (const [end] of months) {
    const year = months.filter(([month]) => month <= end && month > end - 12);
    best.active = Math.max(best.active, year.length);
    best.commits = Math.max(
      best.commits,
      year.reduce((sum, [, amount]) => sum + amount, 0),
    );
  }
  return best;
}

/** Kinds of evidence that grow with the work; a package is added to a manifest only once. */
const repeating = ["import", "language"] as const;

function measureSkills(settled: People) {
  const vocabulary = createVocabulary();
  const { factors } = readShippedModel().skills;
  const amounts = new Map<string, number[]>();
  const paths: number[] = [];
  for (const { evidence } of settled) {
    const strongest = new Map<string, { type: string; amount: number }>();
    for (const { kind, name, commits } of evidence) {
      if (kind === "path") paths.push(commits);
      const told = repeating.find((each) => each === kind);
      if (!told) continue;
      const colon = name.indexOf(":");
      const skill =
        told === "language"
          ? vocabulary.findLanguage(name)
          : vocabulary.packageSkill(name.slice(0, colon), name.slice(colon + 1));
      if (!skill) continue;
      const amount = commits * factors[told];
      const held = strongest.get(skill.id);
      if (!held || amount > held.amount) strongest.set(skill.id, { type: skill.type, amount });
    }
    for (const { type, amount } of strongest.values()) {
      amounts.set(type, [...(amounts.get(type) ?? []), amount]);
    }
  }
  const skills = new Map([...amounts].sort().map(([type, each]) => [type, spreadOf(each)]));
  return { skills, paths: spreadOf(paths) };
}

/** A match is a whole number. Larger medians keep more digits of the sums of log odds. */
const widening = 3;

/** Computes the sum of log odds of each author's best role from its match, where the role may be named. */
function measureRoles(settled: People, model: Model, asOf: string): ReadonlyMap<string, Spread> {
  const wide = structuredClone(model) as Writable<Model>;
  wide.roles.medianDefault *= widening;
  wide.roles.medians = Object.fromEntries(
    Object.entries(model.roles.medians).map(([role, median]) => [role, widening * median]),
  );
  const assess = createAssessor(createVocabulary(), wide);
  const sums = new Map<string, number[]>();
  for (const facts of settled) {
    const best = assess({ facts, places: [] }, asOf).standing.roles.find(
      ({ role, match }) => role !== "fullstack" && match < 100,
    );
    if (!best) continue;
    const median = wide.roles.medians[best.role] ?? wide.roles.medianDefault;
    const sum = -median * Math.log2(1 - best.match / 100);
    // Where the match is too low to name the role, the best role is chance.
    if (interpolateUnitCurve(sum, median / widening) < roleMatchMin) continue;
    for (const role of [...relativesOf(best.role), "any"])
      sums.set(role, [...(sums.get(role) ?? []), sum]);
  }
  return new Map([...sums].sort().map(([role, each]) => [role, spreadOf(each)]));
}

/**
 * Roles that share most of their evidence. They have one median, because the one with the smaller would otherwise always
 * win.
 */
const families = [
  ["mobile", "ios-developer", "android-developer"],
  ["devops", "sre", "platform-engineer", "cloud"],
  ["data-scientist", "data-engineer"],
  ["ml-engineer", "ai-engineer", "ai-orchestrator"],
];

function relativesOf(role: string): readonly string[] {
  return families.find((family) => family.includes(role)) ?? [role];
}

function countLeads(settled: People, model: Model, asOf: string): Measured["leads"] {
  const vocabulary = createVocabulary();
  const assess = createAssessor(vocabulary, model);
  const technical = vocabulary.roles.filter(({ kind }) => kind !== "leadership");
  const leads = new Map(technical.map(({ id }) => [id, { leading: 0, named: 0 }]));
  for (const facts of settled) {
    const named = listNamedRoles(assess({ facts, places: [] }, asOf).analysis);
    for (const [at, { role }] of named.entries()) {
      const count = leads.get(role);
      if (!count) continue;
      count.named++;
      if (at === 0) count.leading++;
    }
  }
  return leads;
}
