/**
 * Measures the population that `seed/model.json` cites: means and medians over the human authors of
 * some repositories. Prints; changes nothing. The constants are frozen, so that nobody's score moves
 * because others were imported: whoever takes new ones gives the file a new version.
 *
 *   roster ingest git PATH... && roster export facts.jsonl
 *   bun scripts/seeding/model-population.ts facts.jsonl 2026-11-21
 */
import { readFileSync } from "node:fs";
import { createAssess, shippedModel } from "../../src/analysis/analysis.ts";
import type { Facts } from "../../src/contract/facts/facts.ts";
import { openVocabulary } from "../../src/vocabulary/vocabulary.ts";

/** Authors with fewer commits show too little to set a median by; the same number as the levels need. */
const settledCommits = 30;

const [path, asOf] = process.argv.slice(2);
if (!path || !asOf) throw new Error("model-population wants a file of facts and an as-of day");

const vocabulary = openVocabulary();
const assess = createAssess(vocabulary);
const people = readFileSync(path, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Facts)
  .filter((facts) => (facts.class ?? "human") === "human" && facts.commits);
const settled = people.filter(({ commits }) => (commits?.total ?? 0) >= settledCommits);

console.log(`authors ${people.length}, with ${settledCommits} commits or more ${settled.length}`);
console.log(
  `with one commit ${share(people.filter(({ commits }) => commits?.total === 1).length)}`,
);
printShares();
printSkills();
printRoles();

function share(count: number): string {
  return (count / people.length).toFixed(3);
}

function printShares(): void {
  const quality = people.flatMap(({ commits }) =>
    commits && commits.quality.n >= 20 ? commits.quality.good / commits.quality.n : [],
  );
  const semantic = people.flatMap(({ commits }) =>
    commits && commits.semantic.eligible >= 10
      ? commits.semantic.matches / commits.semantic.eligible
      : [],
  );
  print("share of good messages, authors of 20 or more", quality);
  print("share of conventional subjects, authors of 10 or more", semantic);
  print(
    "share of active months in the best year, all authors",
    people.map((facts) => bestYear(facts).active / 12),
  );
  print(
    "commits per month of the best year, settled authors",
    settled.map((facts) => bestYear(facts).commits / 12),
  );
}

/** The twelve months with most active months and those with most commits, at any time. */
function bestYear({ commits }: Facts): { active: number; commits: number } {
  const months = Object.entries(commits?.volume ?? {}).map(
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

/** Commits times the factor of their evidence, over (author, skill), by kind of skill. */
function printSkills(): void {
  const amounts = new Map<string, number[]>();
  for (const { evidence } of settled) {
    const strongest = new Map<string, { type: string; amount: number }>();
    for (const { kind, name, commits } of evidence) {
      const colon = name.indexOf(":");
      const skill =
        kind === "language"
          ? vocabulary.findLanguage(name)
          : kind === "import" || kind === "manifest"
            ? vocabulary.packageSkill(name.slice(0, colon), name.slice(colon + 1))
            : undefined;
      if (kind === "path") push(amounts, "path", commits);
      if (!skill || (kind !== "language" && kind !== "import" && kind !== "manifest")) continue;
      const amount = commits * shippedModel().skills.factors[kind];
      const held = strongest.get(skill.id);
      if (!held || amount > held.amount) strongest.set(skill.id, { type: skill.type, amount });
    }
    for (const { type, amount } of strongest.values()) push(amounts, type, amount);
  }
  for (const [type, each] of [...amounts].sort()) print(`weighted commits, ${type}`, each);
}

/** The sums of log odds of each author's best role, got back from the match. */
function printRoles(): void {
  const sums = new Map<string, number[]>();
  for (const facts of settled) {
    const best = assess({ facts, places: [] }, asOf ?? "").standing.roles.find(
      ({ role, match }) => role !== "fullstack" && match < 100,
    );
    if (!best) continue;
    const median = shippedModel().roles.medians[best.role] ?? shippedModel().roles.medianDefault;
    push(sums, best.role, -median * Math.log2(1 - best.match / 100));
  }
  for (const [role, each] of [...sums].sort()) print(`log odds, best role ${role}`, each);
  print("log odds, best role of any kind", [...sums.values()].flat());
}

function push(to: Map<string, number[]>, name: string, value: number): void {
  to.set(name, [...(to.get(name) ?? []), value]);
}

function print(what: string, values: readonly number[]): void {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(2);
  const mean = sorted.reduce((sum, each) => sum + each, 0) / Math.max(1, sorted.length);
  console.log(
    `${what}: n ${sorted.length}, mean ${mean.toFixed(3)}, quartiles ${at(0.25)} ${at(0.5)} ${at(0.75)}`,
  );
}
