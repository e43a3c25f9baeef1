/**
 * Reads the skill lists of seed/vocabulary when the program is bundled or, run from its sources, compiled in
 * memory. There is no generated file between the edited lists and the program, so nothing can be stale.
 */
import applications from "../../seed/vocabulary/applications.txt" with { type: "text" };
import backend from "../../seed/vocabulary/backend.txt" with { type: "text" };
import broaderList from "../../seed/vocabulary/broader.txt" with { type: "text" };
import data from "../../seed/vocabulary/data.txt" with { type: "text" };
import domains from "../../seed/vocabulary/domains.txt" with { type: "text" };
import languages from "../../seed/vocabulary/languages.txt" with { type: "text" };
import everyday from "../../seed/vocabulary/languages-everyday.txt" with { type: "text" };
import libraries from "../../seed/vocabulary/libraries.txt" with { type: "text" };
import operations from "../../seed/vocabulary/operations.txt" with { type: "text" };
import web from "../../seed/vocabulary/web.txt" with { type: "text" };
import { normalise } from "./normalise.ts";

export type SkillType = "language" | "framework" | "library" | "platform" | "tool" | "domain";

export interface Skill {
  /** Canonical, lower case, stable: `react`, `kubernetes`, `c++`. */
  readonly id: string;
  readonly name: string;
  readonly type: SkillType;
  readonly aliases: readonly string[];
}

export interface SkillBook {
  /** All skills, in the order of the lists, as are the next two. */
  readonly skills: readonly Skill[];
  readonly byId: ReadonlyMap<string, Skill>;
  /** By normalised id, name or alias: for callers that look up thousands. */
  readonly byName: ReadonlyMap<string, Skill>;
  /** Finds the skill with a normalised name without creating any other. */
  find(name: string): Skill | undefined;
  /** Whether Linguist counts lines of the skill, or its type is language. */
  isSpoken(skill: Skill): boolean;
  /** Package rules as written, `ecosystem:name,name ecosystem:name`, with the skill they mean. */
  readonly packages: readonly (readonly [rules: string, skill: Skill])[];
}

/**
 * Reads and checks the lists for `createSkills` when the program is bundled, because reading them would add 8 ms to
 * the first search. Called as a macro, so that the result is never older than the lists.
 *
 * @returns a line for each skill, in the order of the lists; an empty line; then `name<TAB>start of its skill's line` for
 *   each normalised name, sorted by code unit.
 * @throws Error when two skills have the same name, a line has no known form or a type is unknown: the lists are wrong.
 */
export function packSkills(): string {
  const draft = new Draft();
  const lists = [everyday, web, backend, data, operations, applications, libraries];
  for (const list of [...lists, domains, languages]) draft.take(list);
  const starts = new Map<Skill, number>();
  const rules = new Map(draft.packages.map(([text, skill]) => [skill, text]));
  let start = 0;
  const lines = draft.skills.map((skill) => {
    const { id, name, type, aliases } = skill;
    const spoken = draft.spoken.has(skill) ? "spoken" : "";
    const line = [id, name, type, spoken, rules.get(skill) ?? "", ...aliases].join("\t");
    starts.set(skill, start);
    start += line.length + 1;
    return line;
  });
  const names = [...draft.byName].map(([name, skill]) => `${name}\t${starts.get(skill)}`);
  return [...lines, "", ...names.sort(byCodeUnit)].join("\n");
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/**
 * Opens the result of `packSkills`. A skill becomes an object on first use, and the text is not even cut into lines for a
 * few of them: creating all takes 8 ms.
 */
export function createSkills(packed: string): SkillBook {
  const namesFrom = packed.indexOf("\n\n") + 2;
  const made = new Map<number, Skill>();
  const spoken = new Set<Skill>();
  let starts: readonly number[] | undefined;
  let skills: readonly Skill[] | undefined;
  let byId: ReadonlyMap<string, Skill> | undefined;
  let byName: ReadonlyMap<string, Skill> | undefined;

  function skillAt(start: number): Skill {
    const known = made.get(start);
    if (known) return known;
    const [id, name, type, isSpoken, , ...aliases] = fieldsAt(start);
    const skill: Skill = { id, name, type: type as SkillType, aliases };
    if (isSpoken) spoken.add(skill);
    made.set(start, skill);
    return skill;
  }
  const fieldsAt = (start: number) =>
    packed.slice(start, packed.indexOf("\n", start)).split("\t") as Fields;
  const allStarts = () => {
    starts ??= listStarts(packed, namesFrom - 2);
    return starts;
  };

  return {
    get skills() {
      skills ??= allStarts().map(skillAt);
      return skills;
    },
    get byId() {
      byId ??= new Map(this.skills.map((skill) => [skill.id, skill]));
      return byId;
    },
    get byName() {
      byName ??= new Map(
        packed
          .slice(namesFrom)
          .split("\n")
          .map((line) => {
            const [name, start] = line.split("\t") as [string, string];
            return [name, skillAt(Number(start))];
          }),
      );
      return byName;
    },
    find(name) {
      if (byName) return byName.get(name);
      const line = findLine(packed, namesFrom, `${name}\t`);
      return line === undefined ? undefined : skillAt(Number(line.slice(name.length + 1)));
    },
    isSpoken: (skill) => spoken.has(skill),
    get packages() {
      return allStarts().flatMap((start) => {
        const rules = fieldsAt(start)[4];
        return rules ? [[rules, skillAt(start)] as const] : [];
      });
    },
  };
}

/** Where each line begins, up to where the last one ends. */
function listStarts(packed: string, end: number): readonly number[] {
  const starts: number[] = [];
  for (let at = 0; at <= end; at = packed.indexOf("\n", at) + 1) starts.push(at);
  return starts;
}

/** The line with this beginning among the sorted lines from there to the end. */
function findLine(packed: string, from: number, beginning: string): string | undefined {
  let [low, high] = [from, packed.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = packed.lastIndexOf("\n", middle - 1) + 1;
    const end = packed.indexOf("\n", middle);
    const line = packed.slice(start, end < 0 ? packed.length : end);
    if (line.startsWith(beginning)) return line;
    if (line < beginning) low = start + line.length + 1;
    else high = start;
  }
  return undefined;
}

type Fields = [
  id: string,
  name: string,
  type: string,
  spoken: string,
  rules: string,
  ...aliases: string[],
];

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
    for (const line of list.split("\n")) {
      const first = line.charAt(0);
      if (first === "" || first === "#") continue;
      if (first === "[") type = line.slice(1, -1);
      else if (type === "spelling") this.#spell(line);
      else this.#add(line, type as SkillType);
    }
  }

  /** `TSX => typescript`: a name that Linguist uses, and the skill that it means. */
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

/** `spring-boot` for `Spring Boot`, `c++` for `C++`. */
function toSkillId(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+#*.]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/**
 * Reads which skills include others: S3 is part of AWS.
 *
 * @returns the including skills by the id of the included one, nearest first, each once.
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
      direct.getOrInsertComputed(id, () => []).push(named(broader, byId));
      named(id, byId);
    }
  }
  return new Map([...direct].map(([id, skills]) => [id, withBroader(skills, direct)]));
}

function named(id: string, byId: ReadonlyMap<string, Skill>): Skill {
  const skill = byId.get(id);
  if (!skill) throw new Error(`the list of broader skills names ${id}, which is no skill`);
  return skill;
}

/** The set grows during the loop. It takes each skill once, so that even a cycle ends. */
function withBroader(skills: readonly Skill[], direct: ReadonlyMap<string, Skill[]>): Skill[] {
  const all = new Set(skills);
  for (const { id } of all) for (const further of direct.get(id) ?? []) all.add(further);
  return [...all];
}
