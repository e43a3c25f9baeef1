/**
 * Reads the skill lists of seed/vocabulary. The readable lists are what is embedded: nothing generated
 * stands between what a person edits and what the program knows, so nothing can be stale.
 */
import applications from "../../seed/vocabulary/applications.txt" with { type: "text" };
import backend from "../../seed/vocabulary/backend.txt" with { type: "text" };
import broaderList from "../../seed/vocabulary/broader.txt" with { type: "text" };
import data from "../../seed/vocabulary/data.txt" with { type: "text" };
import domains from "../../seed/vocabulary/domains.txt" with { type: "text" };
import languages from "../../seed/vocabulary/languages.txt" with { type: "text" };
import everyday from "../../seed/vocabulary/languages-everyday.txt" with { type: "text" };
import operations from "../../seed/vocabulary/operations.txt" with { type: "text" };
import web from "../../seed/vocabulary/web.txt" with { type: "text" };
import { normalise } from "./normalise.ts";
import type { Skill, SkillType } from "./vocabulary.ts";

export interface SkillBook {
  readonly skills: readonly Skill[];
  readonly byId: ReadonlyMap<string, Skill>;
  /** By normalised id, name or alias. */
  readonly byName: ReadonlyMap<string, Skill>;
  /** Skills that Linguist counts lines of, and all of type language. */
  readonly spoken: ReadonlySet<Skill>;
  /** Package rules as written, `ecosystem:name,name ecosystem:name`, with the skill they stand for. */
  readonly packages: readonly (readonly [rules: string, skill: Skill])[];
}

/**
 * The whole vocabulary of skills, in the order of the lists.
 *
 * @throws Error when two skills claim one name, a line has no known form or a type is unknown: the lists are wrong.
 */
export function readSkills(): SkillBook {
  const book = new Draft();
  for (const list of [everyday, web, backend, data, operations, applications, domains, languages]) {
    book.take(list);
  }
  return book;
}

/** The book as JSON: skills, each with its normalised names, whether it is spoken, and its package rules. */
type PackedSkill = readonly [Skill, names: readonly string[], spoken: 0 | 1, rules: string];

/**
 * The book read and checked while the program is bundled, for `openSkills`: reading the lists takes the first
 * search 8 ms, this text a fifth of it. Called as a macro, so that it can never be older than the lists.
 */
export function packSkills(): string {
  const { skills, byName, spoken, packages } = readSkills();
  const names = Map.groupBy(byName.keys(), (name) => byName.get(name) as Skill);
  const rules = new Map(packages.map(([text, skill]) => [skill, text]));
  const packed = skills.map((skill): PackedSkill => {
    return [skill, names.get(skill) ?? [], spoken.has(skill) ? 1 : 0, rules.get(skill) ?? ""];
  });
  return JSON.stringify(packed);
}

/** The book that `packSkills` packed. */
export function openSkills(text: string): SkillBook {
  const packed = JSON.parse(text) as readonly PackedSkill[];
  const byName = new Map<string, Skill>();
  for (const [skill, names] of packed) for (const name of names) byName.set(name, skill);
  return {
    skills: packed.map(([skill]) => skill),
    byId: new Map(packed.map(([skill]) => [skill.id, skill])),
    byName,
    spoken: new Set(packed.filter(([, , spoken]) => spoken).map(([skill]) => skill)),
    packages: packed.filter(([, , , rules]) => rules).map(([skill, , , rules]) => [rules, skill]),
  };
}

const types: readonly string[] = ["language", "framework", "library", "platform", "tool", "domain"];
const entryForm = /^(?<name>.+?)(?: \((?<id>[^()]+)\))?$/;

class Draft implements SkillBook {
  readonly skills: Skill[] = [];
  readonly byId = new Map<string, Skill>();
  readonly byName = new Map<string, Skill>();
  readonly spoken = new Set<Skill>();
  readonly packages: [string, Skill][] = [];

  take(list: string): void {
    let type: string | undefined;
    for (const line of list.split("\n")) {
      const first = line.charAt(0);
      if (first === "" || first === "#") continue;
      if (first === "[") type = line.slice(1, -1);
      else if (type === "spelling") this.#spell(line);
      else this.#add(line, type as SkillType);
    }
  }

  /** `TSX => typescript`: what Linguist calls by a name of its own, and which skill that is. */
  #spell(line: string): void {
    const [name, id] = line.split(" => ") as [string, string];
    const skill = this.byId.get(id);
    if (!skill) throw new Error(`the vocabulary spells ${name} as ${id}, which is no skill`);
    this.#claim(name, skill);
    this.spoken.add(skill);
  }

  #add(line: string, type: SkillType): void {
    if (!types.includes(type)) throw new Error(`the vocabulary has no type for the line "${line}"`);
    const [entry = "", aliasList = "", rules = ""] = line.split("|").map((part) => part.trim());
    const { name = entry, id = idOf(entry) } = entryForm.exec(entry)?.groups ?? {};
    const aliases: string[] = [];
    const skill: Skill = { id, name, type, aliases };
    if (this.byId.has(id)) throw new Error(`the vocabulary has two skills with the id ${id}`);
    this.byId.set(id, skill);
    this.skills.push(skill);
    this.#claim(name, skill);
    this.#claim(id, skill);
    for (const alias of aliasList.split(",")) if (alias.trim()) this.#claim(alias.trim(), skill);
    if (rules) this.packages.push([rules, skill]);
    if (type === "language") this.spoken.add(skill);
  }

  #claim(alias: string, skill: Skill): void {
    const key = normalise(alias);
    const owner = this.byName.get(key);
    if (owner === skill) return;
    if (key === "" || owner) {
      throw new Error(
        `the vocabulary's name "${alias}" means ${owner?.id ?? "nothing"} and ${skill.id}`,
      );
    }
    this.byName.set(key, skill);
    if (alias !== skill.name && alias !== skill.id) (skill.aliases as string[]).push(alias);
  }
}

/** `Spring Boot` is `spring-boot`, `C++` is `c++`. */
export function idOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+#*.]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/**
 * Reads which skills contain which: whoever works with S3 works with AWS.
 *
 * @returns The containing skills by the contained one's id, nearest first, each once.
 * @throws Error when a line names no skill: the list is wrong.
 */
export function readBroader(
  byId: ReadonlyMap<string, Skill>,
): ReadonlyMap<string, readonly Skill[]> {
  const direct = new Map<string, Skill[]>();
  for (const line of broaderList.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [broader = "", narrower = ""] = line.split(" = ");
    for (const id of narrower.split(" ")) {
      direct.set(id, [...(direct.get(id) ?? []), named(broader, byId)]);
      named(id, byId);
    }
  }
  return new Map([...direct].map(([id, found]) => [id, withTheirs(found, direct)]));
}

function named(id: string, byId: ReadonlyMap<string, Skill>): Skill {
  const skill = byId.get(id);
  if (!skill) throw new Error(`the list of broader skills names ${id}, which is no skill`);
  return skill;
}

/** Grows while it is walked: a set takes each skill once, so a circle ends too. */
function withTheirs(found: readonly Skill[], direct: ReadonlyMap<string, Skill[]>): Skill[] {
  const all = new Set(found);
  for (const { id } of all) for (const further of direct.get(id) ?? []) all.add(further);
  return [...all];
}
