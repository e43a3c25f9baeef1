/** Reads seed/vocabulary/paths.txt: the kinds of files that are evidence for roles, recognised by path alone. */
import shipped from "../../seed/vocabulary/paths.txt" with { type: "text" };
import { readListLines } from "./list-lines.ts";

/** A class that a rule gives, and the endings that files must have, if the rule asks for any. */
interface Meaning {
  readonly name: string;
  readonly endings: readonly string[] | undefined;
}

type Rules = Record<"name" | "head" | "tail" | "dir", Map<string, Meaning[]>>;

/** @throws Error if a rule has an unknown form. */
export function readPaths(list = shipped) {
  const rules: Rules = { name: new Map(), head: new Map(), tail: new Map(), dir: new Map() };
  const classes = new Set<string>();
  /** Skill ids by path class. Most classes have no skill. */
  const skills = new Map<string, string>();
  for (const line of readListLines(list)) {
    const [head = "", texts = ""] = line.split(" | ");
    const [name = "", skill] = head.split(" = ");
    classes.add(name);
    if (skill !== undefined) skills.set(name, skill);
    let endings: readonly string[] | undefined;
    for (const text of texts.split(" ")) {
      const colon = text.indexOf(":");
      const [kind, key] = [text.slice(0, colon), text.slice(colon + 1)];
      if (kind === "in") endings = key.split(",");
      else if (!Object.hasOwn(rules, kind)) throw new Error(`unknown rule "${text}" of a path`);
      else {
        const meaning = { name, endings: kind === "dir" || kind === "head" ? endings : undefined };
        rules[kind as keyof Rules].getOrInsertComputed(key, () => []).push(meaning);
      }
    }
  }
  return {
    classes: [...classes] as readonly string[],
    skills,
    classesOf: (path: string) => listClasses(rules, path),
  };
}

/** The classes that a sample in a folder of tests or documentation may have. */
const sampleClasses: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["test", new Set(["test", "e2e-test", "load-test"])],
  ["docs", new Set("docs prose markdown restructuredtext asciidoc architecture".split(" "))],
]);

function listClasses({ name, head, tail, dir }: Rules, path: string): readonly string[] {
  const fileName = path.slice(path.lastIndexOf("/") + 1);
  const parts = path.toLowerCase().split("/");
  const lower = parts.at(-1) ?? "";
  const ending = lower.slice(lower.lastIndexOf("."));
  const isMet = ({ endings }: Meaning) => !endings || endings.includes(ending);
  const list = (meanings: readonly Meaning[] = []) => meanings.filter(isMet).map(nameOf);
  const named = list(name.get(lower));
  const ended: string[] = [];
  for (const { 0: sign, index: at } of fileName.matchAll(wordStarts)) {
    ended.push(...list(tail.get(lower.slice(at))));
    if (at === 0 || !/[._-]/.test(sign)) continue;
    named.push(...list(head.get(lower.slice(0, at)) ?? head.get(lower.slice(0, at + 1))));
  }
  const placed = parts.flatMap((part, at) => [
    ...(at < parts.length - 1 ? list(dir.get(part)) : []),
    ...(at > 0 ? list(dir.get(`${parts[at - 1]}/${part}`)) : []),
  ]);
  const kept = placed.flatMap((each) => sampleClasses.get(each) ?? []);
  const isKept = (each: string) => kept.length === 0 || kept.some((set) => set.has(each));
  const isTest = named.includes("test") || ended.includes("test");
  const shown = [...(isTest ? ended : ended.filter(isKept)), ...placed.filter(isKept)];
  return [...new Set([...named, ...shown])];
}

const nameOf = ({ name }: Meaning) => name;

/** The signs `.`, `_` and `-`, and capital letters inside a name at which a word begins, as in `LoginTest`. */
const wordStarts = /[._-]|(?<=[^A-Z])[A-Z]/g;
