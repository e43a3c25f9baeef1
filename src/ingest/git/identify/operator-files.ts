/**
 * Reads the operator's two files. A line of the alias file has the form of a mailmap, or is `<a> != <b>` for different people. A
 * line of the class file is a class, a selector and `# reason`.
 */
import { readFileSync } from "node:fs";
import { Fault } from "../../../contract/fault.ts";
import type { AuthorClass } from "../../../contract/people/facts.ts";
import { formatSelector, parseSelector } from "../../../identity/selector.ts";
import { createFileRefusal } from "../../refusal.ts";
import type { ClassRule, JoiningByName, OperatorFiles, ProperName, Statement } from "./rules.ts";

/** @throws Fault that names the file, the line and the accepted forms. */
export function readOperatorFiles(paths: {
  readonly aliasFile: string | undefined;
  readonly classFile: string | undefined;
  readonly names: JoiningByName;
}): OperatorFiles {
  const parsed = linesOf("aliasFile", paths.aliasFile).map(parseAlias);
  return {
    statements: parsed.flatMap(({ statement }) => statement ?? []),
    names: parsed.flatMap(({ names }) => names),
    classes: refuseContradiction(linesOf("classFile", paths.classFile).map(parseClass)),
    byName: paths.names,
  };
}

interface Line {
  readonly text: string;
  /** File and line of the statement. */
  readonly at: string;
}

function linesOf(setting: string, path: string | undefined): readonly Line[] {
  if (path === undefined) return [];
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

function parseAlias({ text, at }: Line): {
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
  // Refuses a name without letters and digits, for example a misspelled `!=`.
  const odd = [a, b].find((selector) => selector?.name && !/[\p{L}\p{N}]/u.test(selector.name));
  if (odd) throw fault(`"${odd.name}" is no name`);
  const broad = [a, b].find((selector) => selector?.address?.startsWith("*@"));
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
  "a line is human, bot, assistant or nobody, then `<address>`, `<*@domain>`, `<github.com/login>`, `<@login>`, " +
  "`Name <address>` or a name, then if you like `# reason`";

function parseClass({ text, at }: Line): ClassRule {
  const fault = (what: string) => new Fault("refused", `${at}: ${what}; ${classForms}`);
  const [, rule = "", reason] = /^(.*?)(?:(?<=[\s>])#(.*))?$/s.exec(text) ?? [];
  const [word = ""] = rule.split(/\s/, 1);
  const found = classes.find((one) => one === word);
  if (!found) throw fault(`"${word}" is no class`);
  const mark = parseSelector(rule.slice(word.length));
  if (!mark) throw fault(`"${text}" does not say whom it means`);
  return { mark, class: found, reason: reason?.trim() || "The operator says so.", origin: at };
}

const classes: readonly AuthorClass[] = ["human", "bot", "assistant", "nobody"];

/** Returns the rules. @throws Fault if two lines give one selector different classes. */
function refuseContradiction(rules: readonly ClassRule[]): readonly ClassRule[] {
  const ruleOf = new Map<string, ClassRule>();
  for (const rule of rules) {
    const key = formatSelector(rule.mark).toLowerCase();
    const before = ruleOf.getOrInsert(key, rule);
    if (before.class !== rule.class) {
      const contradiction = `${formatSelector(rule.mark)} is a ${rule.class} here and a ${before.class} at ${before.origin}`;
      throw new Fault("refused", `${rule.origin}: ${contradiction}; delete one of the two lines`);
    }
  }
  return rules;
}
