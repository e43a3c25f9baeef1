/** Reads projects.txt, which begins with a description of its form. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Project {
  readonly name: string;
  readonly teams: readonly Team[];
  /** Files that exist from the first commit on: contents by path. */
  readonly once: readonly FileKind[];
}

/** The people of one role, and what they work on. */
export interface Team {
  readonly role: string;
  readonly people: number;
  readonly kinds: readonly FileKind[];
}

export interface FileKind {
  readonly weight: number;
  readonly path: string;
  readonly skills: readonly string[];
  readonly content: string;
}

export interface Plan {
  readonly projects: readonly Project[];
  /** Files that people of every repository edit occasionally. */
  readonly common: readonly FileKind[];
}

export function readPlan(): Plan {
  const text = readFileSync(join(import.meta.dir, "projects.txt"), "utf8");
  const sections = text.split(/^\[([a-z-]+)\]\n/m).slice(1);
  const projects: Project[] = [];
  let common: readonly FileKind[] = [];
  for (let at = 0; at < sections.length; at += 2) {
    const [name = "", body = ""] = sections.slice(at, at + 2);
    const entries = entriesOf(body);
    if (name === "common") common = entries.map(asKind);
    else projects.push(asProject(name, entries));
  }
  return { projects, common };
}

interface Entry {
  readonly head: string;
  readonly content: string;
}

function entriesOf(body: string): Entry[] {
  const entries: { head: string; content: string }[] = [];
  for (const line of body.split("\n")) {
    const last = entries.at(-1);
    if (line.startsWith("  ") && last) last.content += `${line.slice(2)}\n`;
    else if (/^(role|file|once) /.test(line)) entries.push({ head: line, content: "" });
    else if (line !== "") throw new Error(`projects.txt: "${line}" has no known form.`);
  }
  return entries;
}

function asProject(name: string, entries: readonly Entry[]): Project {
  const teams: { role: string; people: number; kinds: FileKind[]; of: string[] }[] = [];
  const once: FileKind[] = [];
  for (const entry of entries) {
    const role = /^role ([a-z-]+) (\d+)(?: = (.+))?$/.exec(entry.head);
    if (role) {
      const [, id = "", people, of] = role;
      teams.push({ role: id, people: Number(people), kinds: [], of: of?.split(" ") ?? [] });
    } else if (entry.head.startsWith("once ")) {
      once.push({ weight: 0, path: entry.head.slice(5), skills: [], content: entry.content });
    } else teams.at(-1)?.kinds.push(asKind(entry));
  }
  for (const team of teams) {
    for (const half of team.of) {
      team.kinds.push(...(teams.find(({ role }) => role === half)?.kinds ?? []));
    }
  }
  return { name, teams, once };
}

function asKind({ head, content }: Entry): FileKind {
  const [, weight, path, skills] = /^file (\d+) (\S+) \|(.*)$/.exec(head) ?? [];
  if (!path || !content.includes("{n}")) throw new Error(`projects.txt: "${head}" is incomplete.`);
  const named = (skills ?? "").split(" ").filter(Boolean);
  return { weight: Number(weight), path, skills: named, content };
}

/** Puts a name and a number into a text of projects.txt. */
export function fillText(
  text: string,
  { name, n }: { readonly name: string; readonly n: number },
): string {
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  return text.replaceAll("{Name}", capital).replaceAll("{name}", name).replaceAll("{n}", `${n}`);
}

export const nouns =
  "order invoice basket profile session report upload search ticket coupon address payment gallery review region channel folder reminder contact metric shipment voucher widget ledger planner station journal cluster".split(
    " ",
  );

export const subjects = [
  "Show {name} only when there is one",
  "Keep {name} from being read twice",
  "feat({name}): take more than one",
  "fix({name}): an empty list is no error",
  "{name}: less work on every call",
  "Name what {name} is for",
  "refactor: {name} by itself",
  "Make {name} easier to try out",
];

export const bodies = ["", "", "\n\nBecause an empty list made the page fail.", "\n\nFixes #{n}."];
