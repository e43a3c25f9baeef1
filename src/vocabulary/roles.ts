/** Reads seed/vocabulary/roles.txt: the roles, their names, and the evidence for each. */
import list from "../../seed/vocabulary/roles.txt" with { type: "text" };
import { normalise } from "./normalise.ts";

export interface Role {
  readonly id: string;
  readonly displayName: string;
  readonly aliases: readonly string[];
  readonly kind: "technical" | "leadership" | "derived";
  /** The id of a skill. Everyone with clear evidence for the role also gets this skill. */
  readonly field?: string | undefined;
}

export interface LexiconEntry {
  readonly kind: "skill" | "language" | "path";
  readonly name: string;
  /** Log odds: positive for the role, negative against it. */
  readonly weight: number;
  readonly reason: string;
  /** Whether the evidence is specific to the role. Other evidence supports a role but cannot decide it. */
  readonly isOwn: boolean;
  /** Whether nearly everyone does some of this work. If so, only people who mostly do this work get the role. */
  readonly isShared: boolean;
  /** Whether the evidence is specific to the role only for people who mostly write one of the role's languages. */
  readonly isSpoken: boolean;
}

export type RoleBook = ReturnType<typeof readRoles>;

/** @throws Error if two roles have the same name or a line has an unknown form. */
export function readRoles() {
  const roles: Role[] = [];
  /** Roles by normalized id, display name or alias, in the singular and the plural. */
  const byName = new Map<string, Role>();
  /** Roles by the titles that people give themselves, in lower case. */
  const titles = new Map<string, Role>();
  const lexicon = new Map<string, LexiconEntry[]>();
  for (const section of list.split("\n[").slice(1)) {
    const [head = "", ...lines] = section.split("\n");
    const [id = "", displayName = "", kind = ""] = head.replace("]", "").split(" | ");
    const aliases = namesOf(lines, "also");
    const field = lines.find((line) => line.startsWith("field = "))?.slice("field = ".length);
    const role: Role = { id, displayName, aliases, kind: asKind(kind), field };
    roles.push(role);
    for (const name of [id, displayName, ...aliases]) claim(byName, normalise(name), role);
    for (const title of namesOf(lines, "title")) claim(titles, title, role);
    lexicon.set(id, lines.flatMap(entriesOf));
  }
  for (const [name, role] of [...byName]) {
    if (!name.endsWith("s") && !byName.has(`${name}s`)) byName.set(`${name}s`, role);
  }
  return { roles, byName, titles, lexicon };
}

function namesOf(lines: readonly string[], field: string): string[] {
  const line = lines.find((text) => text.startsWith(`${field} = `));
  if (!line) throw new Error(`a role has no line "${field} = ..."`);
  return line.slice(field.length + 3).split(", ");
}

function asKind(kind: string): Role["kind"] {
  if (kind === "technical" || kind === "leadership" || kind === "derived") return kind;
  throw new Error(`"${kind}" is no kind of role`);
}

function claim(names: Map<string, Role>, name: string, role: Role): void {
  const owner = names.get(name);
  if (owner && owner !== role) {
    throw new Error(`the role name "${name}" means ${owner.id} and ${role.id}`);
  }
  names.set(name, role);
}

const evidenceForm = /^(-?\d\.\d)( own)?( mostly)?( spoken)? (skill|language|path) (.+?) = (.+)$/;

function entriesOf(line: string): LexiconEntry[] {
  if (line === "" || /^(also|title|field) = /.test(line)) return [];
  const [, weight, own, mostly, spoken, kind, reason = "", names = ""] =
    evidenceForm.exec(line) ?? [];
  if (!weight) throw new Error(`the lexicon has no such form: "${line}"`);
  return names.split(" ").map((name) => ({
    kind: kind as LexiconEntry["kind"],
    name,
    weight: Number(weight),
    reason,
    isOwn: own !== undefined,
    isShared: mostly !== undefined,
    isSpoken: spoken !== undefined,
  }));
}
