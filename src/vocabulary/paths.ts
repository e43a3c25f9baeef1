/** Reads seed/vocabulary/paths.txt: the kinds of files that are evidence for roles, recognised by path alone. */
import shipped from "../../seed/vocabulary/paths.txt" with { type: "text" };
import { readListLines } from "./list-lines.ts";

interface Rules {
  readonly name: Map<string, string[]>;
  readonly head: Map<string, string[]>;
  readonly tail: Map<string, string[]>;
  readonly dir: Map<string, string[]>;
}

const none: readonly string[] = [];

/** @throws Error if a rule has an unknown form. */
export function readPaths(list = shipped) {
  const rules: Rules = { name: new Map(), head: new Map(), tail: new Map(), dir: new Map() };
  const classes: string[] = [];
  /** Skill ids by path class. Most classes have no skill. */
  const skills = new Map<string, string>();
  for (const line of readListLines(list)) {
    const [head = "", texts = ""] = line.split(" | ");
    const [name = "", skill] = head.split(" = ");
    classes.push(name);
    if (skill !== undefined) skills.set(name, skill);
    for (const text of texts.split(" ")) addRuleText(rules, text, name);
  }

  /** Returns the distinct classes of a file. */
  function classesOf(path: string): readonly string[] {
    const slash = path.lastIndexOf("/");
    const ofFile = fileClasses(rules, path.slice(slash + 1));
    if (slash < 0) return ofFile;
    return union(ofFile, folderClasses(rules, path.slice(0, slash).toLowerCase()));
  }
  return { classes, skills, classesOf };
}

function addRuleText(rules: Rules, text: string, name: string): void {
  const colon = text.indexOf(":");
  const kind = text.slice(0, colon);
  if (!Object.hasOwn(rules, kind)) throw new Error(`the path list has no rule like "${text}"`);
  const key = text.slice(colon + 1);
  rules[kind as keyof Rules].getOrInsertComputed(key, () => []).push(name);
}

function fileClasses({ name, head, tail }: Rules, fileName: string): readonly string[] {
  const lower = fileName.toLowerCase();
  let found = name.get(lower) ?? none;
  for (let at = 0; at < lower.length; at++) {
    const isSign = isSeparator(lower.charCodeAt(at));
    if (!isSign && !(at > 0 && isCapital(fileName, at))) continue;
    const ofTail = tail.get(at === 0 ? lower : lower.slice(at));
    if (ofTail) found = union(found, ofTail);
    if (!isSign || at === 0) continue;
    const ofHead = head.get(lower.slice(0, at)) ?? head.get(lower.slice(0, at + 1));
    if (ofHead) found = union(found, ofHead);
  }
  return found;
}

function folderClasses({ dir }: Rules, folder: string): readonly string[] {
  const parts = folder.split("/");
  let found = none;
  for (const [at, part] of parts.entries()) {
    found = union(found, dir.get(part) ?? none);
    if (at > 0) found = union(found, dir.get(`${parts[at - 1]}/${part}`) ?? none);
  }
  return found;
}

/** Whether the character is `.`, `_` or `-`. */
function isSeparator(code: number): boolean {
  return code === 46 || code === 95 || code === 45;
}

/** Whether a word begins at a capital letter inside a name, as in `LoginTest`. */
function isCapital(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return code >= 65 && code <= 90 && !(before >= 65 && before <= 90);
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const both = a.slice();
  for (const entry of b) if (!both.includes(entry)) both.push(entry);
  return both;
}
