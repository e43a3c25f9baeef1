/** The rules of the vocabulary one by one, so that the bed can say which rule a repository meets. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readListLines } from "../../../src/vocabulary/list-lines.ts";
import { createPackageFinder } from "../../../src/vocabulary/packages.ts";
import { readPaths } from "../../../src/vocabulary/paths.ts";
import { readSkills, type Skill } from "../../../src/vocabulary/skills.ts";

/** A rule as the list has it, such as `c:ogr*` or `dir:recipes`, and the skill or class that it is for. */
export interface Rule {
  readonly text: string;
  readonly of: string;
}

/** @returns finds the rule by which a package shows a skill. */
export function openPackageRules(): (ecosystem: string, name: string) => Rule | undefined {
  const { packages } = readSkills();
  const rules = packages.flatMap(([texts, skill]) =>
    texts.split(" ").flatMap((list) => {
      const colon = list.indexOf(":");
      return list
        .slice(colon + 1)
        .split(",")
        .map((name) => ({ text: `${list.slice(0, colon)}:${name}`, of: skill.id }));
    }),
  );
  const byText = new Map(rules.map((rule) => [rule.text, rule]));
  const find = createPackageFinder(rules.map(({ text }) => [text, { id: text } as Skill] as const));
  return (ecosystem, name) => byText.get(find(ecosystem, name)?.id ?? "");
}

/** @returns finds the rules that a path meets. */
export function openPathRules(): (path: string) => readonly Rule[] {
  const list = readFileSync(join(import.meta.dir, "../../../seed/vocabulary/paths.txt"), "utf8");
  const lines = readListLines(list).flatMap((line) => {
    const [head = "", texts = ""] = line.split(" | ");
    const [name = ""] = head.split(" = ");
    const rules = texts.split(" ");
    const [endings = ""] = rules.filter((text) => text.startsWith("in:"));
    return rules
      .filter((text) => text !== endings)
      .map((text) => `${name}~${text} | ${endings} ${text}`.replace("|  ", "| "));
  });
  const { classesOf } = readPaths(lines.join("\n"));
  return (path) =>
    classesOf(path).map((name) => {
      const [of = "", text = ""] = name.split("~");
      return { text, of };
    });
}
