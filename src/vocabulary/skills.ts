/** Reads the skill lists of seed/vocabulary. */
import applications from "../../seed/vocabulary/applications.txt" with { type: "text" };
import backend from "../../seed/vocabulary/backend.txt" with { type: "text" };
import broaderList from "../../seed/vocabulary/broader.txt" with { type: "text" };
import data from "../../seed/vocabulary/data.txt" with { type: "text" };
import domains from "../../seed/vocabulary/domains.txt" with { type: "text" };
import languages from "../../seed/vocabulary/languages.txt" with { type: "text" };
import everyday from "../../seed/vocabulary/languages-everyday.txt" with { type: "text" };
import libraries from "../../seed/vocabulary/libraries.txt" with { type: "text" };
import operations from "../../seed/vocabulary/operations.txt" with { type: "text" };
import furtherPackages from "../../seed/vocabulary/packages.txt" with { type: "text" };
import web from "../../seed/vocabulary/web.txt" with { type: "text" };
import { readListLines } from "./list-lines.ts";
import { normalise } from "./normalise.ts";

export type SkillType = "language" | "framework" | "library" | "platform" | "tool" | "domain";

export interface Skill {
  /** A short, stable name in lower case: `react`, `kubernetes`, `c++`. */
  readonly id: string;
  readonly name: string;
  readonly type: SkillType;
  readonly aliases: readonly string[];
}

export type SkillBook = ReturnType<typeof readSkills>;

/** @throws Error if two skills have the same name, a line has an unknown form or a type is unknown. */
export function readSkills() {
  const draft = new Draft();
  const lists = [everyday, web, backend, data, operations, applications, libraries];
  for (const list of [...lists, domains, languages]) draft.take(list);
  const further = readListLines(furtherPackages).map((line): [string, Skill] => {
    const [id = "", rules = ""] = line.split(" | ");
    return [rules, named(id, draft.byId)];
  });
  return {
    skills: draft.skills as readonly Skill[],
    byId: draft.byId as ReadonlyMap<string, Skill>,
    byName: draft.byName as ReadonlyMap<string, Skill>,
    /** Languages, and other skills with lines of code that Linguist counts. */
    spoken: draft.spoken as ReadonlySet<Skill>,
    /** Package rules as written, `ecosystem:name,name ecosystem:name`. The skill's own line comes later and wins. */
    packages: [...further, ...draft.packages] as readonly (readonly [string, Skill])[],
  };
}

const types: readonly string[] = ["language", "framework", "library", "platform", "tool", "domain"];
const entryForm = /^(?<name>.+?)(?: \((?<id>[^()]+)\))?$/;

class Draft {
  readonly skills: Skill[] = [];
  readonly byId = new Map<string, Skill>();
  readonly byName = new Map<string, Skill>();
  readonly spoken = new Set<Skill>();
  readonly packages: [string, Skill][] = [];

  take(list: string): void {
    let type: string | undefined;
    for (const line of readListLines(list)) {
      if (line.startsWith("[")) type = line.slice(1, -1);
      else if (type === "spelling") this.#spell(line);
      else this.#add(line, type as SkillType);
    }
  }

  /** Reads `TSX => typescript`: a name that Linguist uses, and the skill it means. */
  #spell(line: string): void {
    const [name, id] = line.split(" => ") as [string, string];
    const skill = named(id, this.byId);
    this.#claim(name, skill);
    this.spoken.add(skill);
  }

  #add(line: string, type: SkillType): void {
    if (!types.includes(type)) throw new Error(`the vocabulary has no type for the line "${line}"`);
    const [entry = "", aliasList = "", rules = ""] = line.split("|").map((part) => part.trim());
    const { name = entry, id = toSkillId(entry) } = entryForm.exec(entry)?.groups ?? {};
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

/** Returns `spring-boot` for `Spring Boot`, `c++` for `C++`. */
function toSkillId(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+#*.]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/**
 * Reads which skills include others: AWS includes S3.
 * @returns for the id of each included skill, the skills that include it, nearest first.
 * @throws Error if a line names no skill.
 */
export function readBroader(
  byId: ReadonlyMap<string, Skill>,
): ReadonlyMap<string, readonly Skill[]> {
  const direct = new Map<string, Skill[]>();
  for (const line of readListLines(broaderList)) {
    const [broader = "", narrower = ""] = line.split(" = ");
    for (const id of narrower.split(" ")) {
      direct.getOrInsertComputed(id, () => []).push(named(broader, byId));
      named(id, byId);
    }
  }
  return new Map([...direct].map(([id, skills]) => [id, withBroader(skills, direct)]));
}

function named(id: string, byId: ReadonlyMap<string, Skill>): Skill {
  const skill = byId.get(id);
  if (!skill) throw new Error(`the vocabulary names ${id}, which is no skill`);
  return skill;
}

/** Adds all broader skills. The set grows during the loop, so the skills of added skills are also added. */
function withBroader(skills: readonly Skill[], direct: ReadonlyMap<string, Skill[]>): Skill[] {
  const all = new Set(skills);
  for (const { id } of all) for (const further of direct.get(id) ?? []) all.add(further);
  return [...all];
}
