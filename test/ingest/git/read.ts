/** Reads invented repositories as `ingest git` does, with a vocabulary small enough to see through. */
import { Value } from "@sinclair/typebox/value";
import { type ReadOptions, readFacts } from "../../../scripts/measure/git/read-repositories.ts";
import { Facts } from "../../../src/contract/people/facts.ts";
import type { Skill } from "../../../src/vocabulary/vocabulary.ts";

const skills: Record<string, Skill> = Object.fromEntries(
  ["npm:react", "pypi:django", "maven:org.junit", "cargo:serde", "docker:postgres"].map((name) => [
    name,
    { id: name.slice(name.indexOf(":") + 1), name, type: "library", aliases: [] },
  ]),
);

export const vocabulary: ReadOptions["vocabulary"] = {
  pathClasses: (path) => (/(^|\/)tests?\//.test(path) ? ["test"] : []),
  textSkills: (text) => Object.values(skills).filter(({ id }) => text.includes(id)),
  // Django is a subject here, the others are not.
  subjectsOf: (text) => (text.includes("django") ? ["django"] : []),
  subjectNames: (id) => [id],
  skillById: () => undefined,
  packageSkill: (ecosystem, name) => skills[`${ecosystem}:${name}`],
};

export const asOf = "2026-11-21";

/** @throws when a fact does not fit the contract. */
export async function read(paths: readonly string[], options: Partial<ReadOptions> = {}) {
  const reading = await readFacts(paths, { vocabulary, asOf, ...options });
  const people = [...reading.people];
  for (const facts of people) {
    const [error] = Value.Errors(Facts, facts);
    if (error) throw new Error(`${facts.login}: ${error.path} ${error.message}`);
  }
  const person = (name: string): Facts => {
    const found = people.filter((facts) => facts.profile.name === name);
    const [only] = found;
    if (!only || found.length > 1) throw new Error(`${found.length} people are called ${name}.`);
    return only;
  };
  const summary = reading.summaries[0];
  return { ...reading, people, person, summary };
}
