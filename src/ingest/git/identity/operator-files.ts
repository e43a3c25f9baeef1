/**
 * The operator's two files. The alias file says who is who in git's mailmap form, which operators know, with `!=` for
 * two people who are not one. The class file has a class, then a selector, and after `#` the reason.
 */

import { readFileSync } from "node:fs";
import { Fault } from "../../../contract/fault.ts";
import type { AuthorClass } from "../../../contract/people/facts.ts";
import { formatSelector, parseSelector, type Selector } from "../../../identity/selector.ts";
import { createFileRefusal } from "../../refusal.ts";
import type { ClassRule, OperatorFiles, ProperName, Statement } from "./rules.ts";

/** @throws Fault that names file, line and what would be right. */
export function readOperatorFiles(paths: {
  readonly aliasFile: string | undefined;
  readonly classFile: string | undefined;
}): OperatorFiles {
  const aliases = paths.aliasFile === undefined ? [] : linesOf("aliasFile", paths.aliasFile);
  const classes = paths.classFile === undefined ? [] : linesOf("classFile", paths.classFile);
  const read = aliases.map(readAlias);
  return {
    statements: read.flatMap(({ statement }) => statement ?? []),
    names: read.flatMap(({ names }) => names),
    classes: withoutContradiction(classes.map(readClass)),
  };
}

interface Line {
  readonly text: string;
  /** File and line. */
  readonly at: string;
}

function linesOf(setting: string, path: string): Line[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new Fault("refused", `identity.${setting}: ${createFileRefusal(path, error).message}`);
  }
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ text: line.trim(), at: `${path}:${index + 1}` }))
    .filter((line) => line.text !== "" && !line.text.startsWith("#"));
}

const aliasForms =
  "a line is `Proper Name <commit@mail>`, `[Proper Name] <proper@mail> [Commit Name] <commit@mail>`, " +
  "or `<one@mail> != <other@mail>`; in brackets also github.com/login or @login";

function readAlias({ text, at }: Line): {
  readonly statement?: Statement;
  readonly names: readonly ProperName[];
} {
  const fault = (what: string) => new Fault("refused", `${at}: ${what}; ${aliasForms}`);
  const [, first = "", separator = "", second] =
    /^([^<>]*<[^<>]*>)(?:(?:\s*(!=))?([^<>#]*<[^<>]*>))?\s*(?:#.*)?$/.exec(text) ?? [];
  const a = parseSelector(first);
  if (!a) throw fault(`"${text}" is no alias`);
  const b = second === undefined ? undefined : parseSelector(second);
  if (second !== undefined && !b) throw fault(`"${second.trim()}" names nobody`);
  // A sign that is none of ours would be read as a name, and silently mean nobody.
  const odd = [a, b].find((mark) => mark?.name && !/[\p{L}\p{N}]/u.test(mark.name));
  if (odd) throw fault(`"${odd.name}" is no name`);
  const broad = [a, b].find((mark) => mark?.address?.startsWith("*@"));
  if (broad) throw fault(`"${formatSelector(broad)}" means many people`);
  if (!b) {
    if (a.name === undefined) throw fault(`"${text}" says nothing of ${formatSelector(a)}`);
    return { names: [{ mark: { ...a, name: undefined }, name: a.name }] };
  }
  if (separator === "!=") {
    return { statement: { kind: "different", a, b, by: "alias file", origin: at }, names: [] };
  }
  const proper = { ...a, name: undefined };
  const names =
    a.name === undefined ? [] : [proper, b].map((mark) => ({ mark, name: a.name ?? "" }));
  const statement = { kind: "same", a: proper, b, by: "alias file", origin: at } as const;
  return { statement, names };
}

const classForms =
  "a line is human, bot or assistant, then `<address>`, `<*@domain>`, `<github.com/login>`, `<@login>`, " +
  "`Name <address>` or a name, then if you like `# reason`";

function readClass({ text, at }: Line): ClassRule {
  const fault = (what: string) => new Fault("refused", `${at}: ${what}; ${classForms}`);
  const mark = text.search(/(?<=[\s>])#/);
  const said = mark === -1 ? text : text.slice(0, mark);
  const [word = ""] = said.split(/\s/, 1);
  const reason = mark === -1 ? undefined : text.slice(mark + 1);
  const found = classes.find((one) => one === word);
  if (!found) throw fault(`"${word}" is no class`);
  const who = parseSelector(said.slice(word.length));
  if (!who) throw fault(`"${text}" does not say whom it means`);
  return { mark: who, class: found, reason: reason?.trim() || "The operator says so.", origin: at };
}

const classes: readonly AuthorClass[] = ["human", "bot", "assistant"];

/** The first line that fits decides; two of one mark and different classes are a mistake. */
function withoutContradiction(rules: readonly ClassRule[]): readonly ClassRule[] {
  const held = new Map<string, ClassRule>();
  for (const rule of rules) {
    const key = markKey(rule.mark);
    const before = held.get(key);
    if (before && before.class !== rule.class) {
      const told = `${formatSelector(rule.mark)} is a ${rule.class} here and a ${before.class} at ${before.origin}`;
      throw new Fault("refused", `${rule.origin}: ${told}; one of the two lines must go`);
    }
    held.set(key, before ?? rule);
  }
  return rules;
}

function markKey(mark: Selector): string {
  return formatSelector(mark).toLowerCase();
}
