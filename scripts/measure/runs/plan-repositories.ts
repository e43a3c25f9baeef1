/** Plans large histories: how many commits each repository has, what it is about, and who works in it. */
import type { Chance } from "../../seeding/demo/chance.ts";
import type { Author } from "./invent-authors.ts";
import { nouns, type Project, readPlan } from "./projects.ts";

export interface HistorySize {
  readonly commits: number;
  readonly repositories: number;
  readonly people: number;
}

export interface PlannedRepository {
  readonly name: string;
  /** Those that it shares included. */
  readonly commits: number;
  readonly project: Project;
  /** Those who do most first. */
  readonly team: readonly Author[];
  /** Of a fork: the repository with which it began, and about how many commits they have in common. */
  readonly fork?: { readonly of: PlannedRepository; readonly commits: number };
}

/** Every so many repositories, one is a fork of the one before. */
const forkEvery = 25;
const shareOfFork = 0.6;

export function planRepositories(
  { commits, repositories }: HistorySize,
  authors: readonly Author[],
  chance: Chance,
): PlannedRepository[] {
  const sizes = splitCommits(commits, repositories);
  const teams = formTeams(sizes, authors, chance);
  const { projects } = readPlan();
  const planned: PlannedRepository[] = [];
  for (const [at, own] of sizes.entries()) {
    const before = planned.at(-1);
    const shared = Math.floor(Math.min(own * shareOfFork, before?.commits ?? 0));
    const isFork = at % forkEvery === forkEvery - 1 && before !== undefined && shared > 0;
    const project = isFork ? before.project : chance.pick(projects);
    planned.push({
      name: `${project.name}-${chance.pick(nouns)}-${at}`,
      ...{ commits: own, project, team: teams[at] ?? [] },
      ...(isFork && { fork: { of: before, commits: shared } }),
    });
  }
  return planned;
}

/** A few repositories have many commits; each has at least one. */
function splitCommits(commits: number, repositories: number): number[] {
  const weights = Array.from({ length: repositories }, (_, at) => (at + 3) ** -0.8);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const spare = commits - repositories;
  const sizes = weights.map((weight) => 1 + Math.floor((spare * weight) / all));
  const left = commits - sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((size, at) => (at < left ? size + 1 : size));
}

/** A person works in one repository to a dozen, more likely in large ones. */
function formTeams(sizes: readonly number[], authors: readonly Author[], chance: Chance) {
  const ends: number[] = [];
  for (const size of sizes) ends.push((ends.at(-1) ?? 0) + size);
  const teams = sizes.map(() => new Set<Author>());
  for (const [at, author] of authors.entries()) {
    const places = Math.max(1, Math.round(12 / (1 + (20 * at) / authors.length)));
    for (let place = 0; place < places; place++) {
      teams[findPlace(ends, chance.next() * (ends.at(-1) ?? 0))]?.add(author);
    }
  }
  for (const team of teams) if (team.size === 0) team.add(chance.pick(authors));
  return teams.map((team) => [...team]);
}

/** @returns the index of the first end above the value. */
function findPlace(ends: readonly number[], value: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
