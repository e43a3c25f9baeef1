import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Facts } from "../../../src/contract/people/facts.ts";
import type { ProfileAnalysis } from "../../../src/contract/people/profile-analysis.ts";
import type { Pool } from "../../../src/pool/pool.ts";
import { createVocabulary, type Vocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { inventRepository } from "../../../test/ingest/git/invented-repository.ts";
import { createChance } from "../../seeding/demo/chance.ts";
import { ingestPool } from "../ingested-pool.ts";
import { defineMeasurement, type Findings } from "../measurement.ts";
import { type PlantedCommit, plantedAsOf, plantHistories, type Shown } from "../planted/history.ts";
import { machines, type Planted, plantPeople } from "../planted/people.ts";
import { type Plan, readPlan } from "../planted/projects.ts";
import { atLeast, type Row } from "../rows.ts";

const bar = 0.95;

export const measurement = defineMeasurement({
  about: "People planted in repositories, through the whole ingest.",
  takes: "[SEED]",
  run: ({ paths: [seed] }) => truthOfPool(seed),
});

/**
 * Plants people with known roles, skills, cadence and signatures in real git repositories, sends these through the whole
 * pipeline, and counts what is found again.
 *
 * @param seed the same seed plants the same people.
 * @param plan who they are, and what they work on.
 */
export async function truthOfPool(seed = "roster planted 1", plan = readPlan()): Promise<Findings> {
  const vocabulary = createVocabulary();
  checkSkills(plan, vocabulary);
  const chance = createChance(seed);
  const people = plantPeople(plan, chance);
  const { histories, shown } = plantHistories(plan, people, chance);
  const folder = mkdtempSync(join(tmpdir(), "roster-planted-"));
  try {
    for (const { name, commits } of histories) {
      inventRepository(join(folder, `${name}.git`), commits.map(toInvented));
    }
    const pool = await ingestPool([folder], vocabulary, plantedAsOf);
    const found = await findPeople(pool);
    await pool.close();
    return score(people, shown, found, vocabulary);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A merge brings in the commit before its first parent, which changes nothing. */
function toInvented({ author, files, isMerge, ...commit }: PlantedCommit, at: number) {
  const parents = isMerge && at > 1 ? [at - 1, at - 2] : at > 0 ? [at - 1] : [];
  return { ...commit, author: `${author.name} <${author.email}>`, files, parents };
}

function checkSkills({ projects, common }: Plan, vocabulary: Vocabulary): void {
  const kinds = [
    ...common,
    ...projects.flatMap(({ teams }) => teams.flatMap((team) => team.kinds)),
  ];
  const unknown = kinds.flatMap(({ skills }) => skills).find((id) => !vocabulary.skillById(id));
  if (unknown !== undefined) throw new Error(`projects.txt: "${unknown}" is no skill's id.`);
}

interface Found {
  readonly facts: Facts;
  readonly analysis: ProfileAnalysis;
}

/** By address and by name, in lower case. There are several if the pipeline has left one to several people. */
type ByAddress = ReadonlyMap<string, readonly Found[]>;

async function findPeople(pool: Pool): Promise<ByAddress> {
  const found = new Map<string, Found[]>();
  for (const facts of (await Array.fromAsync(pool.facts())).flat()) {
    const [analysis] = await pool.findAnalyses([facts.login]);
    if (!analysis) throw new Error(`${facts.login} has facts and no analysis.`);
    const addresses = facts.emails.map(({ address }) => address);
    for (const key of [...addresses, facts.profile.name ?? ""].map((text) => text.toLowerCase())) {
      found.set(key, [...(found.get(key) ?? []), { facts, analysis }]);
    }
  }
  return found;
}

function score(
  people: readonly Planted[],
  shown: Shown,
  found: ByAddress,
  vocabulary: Vocabulary,
): Findings {
  const roles = new Share("pool.roles");
  const cadence = new Share("pool.cadence");
  const skills = new Balance("pool.skills");
  const universe = skillsPlanted(shown);
  for (const person of people) {
    const who = `${person.project.name} ${addressesOf(person)[0]}`;
    const one = found.get(addressesOf(person)[0] ?? "")?.[0]?.analysis;
    const roleFound = one?.scores.role ?? "nobody";
    const matches = one?.roleMatch.slice(0, 3).map(({ role, score }) => `${role} ${score}`);
    roles.count(roleFound === person.role, `${who}: role ${person.role}, found ${matches}`);
    const label = one?.activity.frequencyLabel ?? "nobody";
    cadence.count(
      label === person.label,
      `${who}: ${person.label}, found ${label} with ${one?.activity.commitsPerMonth} a month`,
    );
    countSkills(skills, { who, one, shown: shown.get(person), universe, vocabulary });
  }
  const measures = [
    roles,
    skills,
    cadence,
    countAliases(people, found),
    countMachines(people, found),
  ];
  return {
    rows: measures.map((measure) => measure.row()),
    counts: `${people.length} people of ${new Set(people.map(({ role }) => role)).size} roles and ${machines.length} machines`,
    misses: measures.flatMap(({ misses }) => misses),
  };
}

/**
 * A person with this many commits has a skill, and one with fewer than the other number does not; between them, either
 * answer is right.
 */
const skillCommitsMin = 10;
const skillCommitsNone = 3;
/** The strength from which a skill counts as found: just below the strength that search assumes for an unknown word. */
const claimedFrom = 20;

function skillsPlanted(shown: Shown): ReadonlySet<string> {
  const ids = [...shown.values()].flatMap((counts) =>
    [...counts].flatMap(([id, commits]) => (commits >= skillCommitsMin ? [id] : [])),
  );
  return new Set(ids);
}

function countSkills(
  skills: Balance,
  of: {
    readonly who: string;
    readonly one: ProfileAnalysis | undefined;
    readonly shown: ReadonlyMap<string, number> | undefined;
    readonly universe: ReadonlySet<string>;
    readonly vocabulary: Vocabulary;
  },
): void {
  const { who, one, shown, universe, vocabulary } = of;
  const strengths = new Map(
    one?.repositories.skills.map(({ skill, strength }) => [skill, strength]),
  );
  for (const id of universe) {
    const commits = shown?.get(id) ?? 0;
    if (commits >= skillCommitsNone && commits < skillCommitsMin) continue;
    const strength = strengths.get(vocabulary.skillById(id)?.name ?? "") ?? 0;
    const [isPlanted, isClaimed] = [commits >= skillCommitsMin, strength >= claimedFrom];
    skills.count(
      { isPlanted, isClaimed },
      `${who}: ${id} in ${commits} commits, found ${strength}`,
    );
  }
}

/** Compares the pairs of addresses that were planted as one person with those that the pipeline has joined. */
function countAliases(people: readonly Planted[], found: ByAddress): Balance {
  const aliases = new Balance("pool.aliases");
  const all = people.flatMap((person) =>
    addressesOf(person).map((address) => ({ address, person })),
  );
  const ownerOf = (address: string) => {
    const owners = found.get(address) ?? [];
    return owners.length === 1 ? owners[0]?.facts.login : undefined;
  };
  for (const [at, a] of all.entries()) {
    for (const b of all.slice(at + 1)) {
      const owner = ownerOf(a.address);
      const isClaimed = owner !== undefined && owner === ownerOf(b.address);
      const pair = `${a.address} and ${b.address}`;
      aliases.count({ isPlanted: a.person === b.person, isClaimed }, pair);
    }
  }
  return aliases;
}

function countMachines(people: readonly Planted[], found: ByAddress): Balance {
  const measure = new Balance("pool.bots");
  const classOf = (address: string) => found.get(address)?.[0]?.facts.class ?? "human";
  for (const { name, email, class: planted } of machines) {
    // A generic address identifies no one, so a machine that has one is found by its name.
    const given = classOf(
      [email, name].map((text) => text.toLowerCase()).find((key) => found.has(key)) ?? email,
    );
    measure.count({ isPlanted: true, isClaimed: given === planted }, `${email}: ${given}`);
  }
  for (const address of people.flatMap(addressesOf)) {
    const given = classOf(address);
    measure.count({ isPlanted: false, isClaimed: given !== "human" }, `${address}: ${given}`);
  }
  return measure;
}

function addressesOf({ signatures }: Planted): string[] {
  return [...new Set(signatures.map(({ email }) => email.toLowerCase()))];
}

/** The share of right answers. */
class Share {
  readonly misses: string[] = [];
  readonly #name: string;
  #right = 0;
  #all = 0;

  constructor(name: string) {
    this.#name = name;
  }

  count(isRight: boolean, miss: string): void {
    this.#all++;
    if (isRight) this.#right++;
    else this.misses.push(`${this.#name}: ${miss}`);
  }

  row(): Row {
    const value = this.#all === 0 ? 0 : this.#right / this.#all;
    return atLeast(bar, { name: this.#name, value });
  }
}

/** F1, in which a missed case and a wrong claim weigh the same. */
class Balance {
  readonly misses: string[] = [];
  readonly #name: string;
  #both = 0;
  #planted = 0;
  #claimed = 0;

  constructor(name: string) {
    this.#name = name;
  }

  count(of: { readonly isPlanted: boolean; readonly isClaimed: boolean }, miss: string): void {
    if (of.isPlanted) this.#planted++;
    if (of.isClaimed) this.#claimed++;
    if (of.isPlanted && of.isClaimed) this.#both++;
    else if (of.isPlanted) this.misses.push(`${this.#name}: missed ${miss}`);
    else if (of.isClaimed) this.misses.push(`${this.#name}: claimed ${miss}`);
  }

  row(): Row {
    const all = this.#planted + this.#claimed;
    const value = all === 0 ? 0 : (2 * this.#both) / all;
    return atLeast(bar, { name: this.#name, value });
  }
}
