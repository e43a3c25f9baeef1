import type { Facts } from "../../../src/contract/people/facts.ts";

export interface Population {
  /** Humans with commits. */
  readonly people: readonly (Facts & { readonly commits: NonNullable<Facts["commits"]> })[];
  readonly repositories: number;
}

/** A summary of many values. */
export interface Spread {
  readonly n: number;
  readonly mean: number;
  readonly quartiles: readonly [first: number, median: number, third: number];
}

/** @param text facts as `roster export` writes them. */
export function readPopulation(text: string): Population {
  const people = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Facts)
    .filter((facts): facts is Population["people"][number] => {
      return (facts.class ?? "human") === "human" && facts.commits !== undefined;
    });
  const names = new Set(people.flatMap(({ repositories }) => repositories.map(({ name }) => name)));
  return { people, repositories: names.size };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  const sum = sorted.reduce((all, each) => all + each, 0);
  const mean = sum / Math.max(1, sorted.length);
  return { n: sorted.length, mean, quartiles: [at(0.25), at(0.5), at(0.75)] };
}
