/**
 * Turns a Ruby regular expression of Linguist's heuristics into one for JavaScript's RegExp. Ruby's `^` and `$` always
 * match at lines, so every result has the flag m; Ruby's own m is JavaScript's s. Content is matched with one character
 * for each byte, as in Ruby.
 * @returns the pattern and its flags.
 * @throws an Error on syntax that has no translation here, so that no pattern changes its meaning.
 */
export function fromRuby(source: string): [pattern: string, flags: string] {
  const [, options = "", rest = source] = /^\(\?([a-z-]+)\)(.*)$/s.exec(source) ?? [];
  const on = options.split("-")[0] ?? "";
  if (/[^im-]/.test(options)) throw new Error(`Options (?${options}) of ${source}`);
  const pattern = scopeCase(rest)
    .replaceAll("\\A", "(?<![^])")
    .replaceAll("\\z", "(?![^])")
    .replaceAll("[\\s&&[^\\r\\n]]", "[^\\S\\r\\n]");
  const foreign =
    /&&|\[\[:|\\[pPhHRXZGgK]|[*+?]\+|\(\?[>#(|]/.exec(pattern.replace(/\\\\/g, "")) ?? undefined;
  if (foreign) throw new Error(`No translation of ${foreign[0]} in ${source}`);
  const flags = `m${on.includes("i") ? "i" : ""}${on.includes("m") ? "s" : ""}`;
  new RegExp(pattern, flags);
  return [linear[pattern] ?? boundRepeats(pattern), flags];
}

/** Ruby's `(?i)` applies from its place to the end of its group; here, to the end of the pattern. */
function scopeCase(source: string): string {
  const at = source.indexOf("(?i)");
  if (at === -1) return source;
  const before = source.slice(0, at);
  const opened = before.replace(/\\./g, "").replace(/\[[^\]]*\]/g, "");
  if (opened.split("(").length !== opened.split(")").length) {
    throw new Error(`(?i) inside of a group in ${source}`);
  }
  return `${before}(?i:${source.slice(at + 4)})`;
}

/**
 * A repetition over lines would be tried from every line to the end of the file. Two thousand characters find everything
 * that people write; lines themselves are cut where they are matched.
 */
function boundRepeats(pattern: string): string {
  // A pattern at the beginning of the file is tried only once.
  if (pattern.startsWith("(?<![^])")) return pattern;
  const set = /\\.|(?<set>\[(?:\\.|[^\]\\])+\])(?<sign>[*+]?)/g;
  return pattern.replace(set, (whole, ...found) => {
    const { set = "", sign = "" } = found.at(-1) as { set?: string; sign?: string };
    if (!sign || !new RegExp(set).test("\n")) return whole;
    return `${set}{${sign === "*" ? 0 : 1},${acrossLinesMax}}`;
  });
}

const acrossLinesMax = 2000;

/** Patterns that are slow on some texts, with faster ones that match the same. */
const linear: Readonly<Record<string, string>> = {
  // It spans from the first such line to the last, so that no bound is wide enough; only the first is tried.
  "^begin[\\s\\S]*^end": "(?<![^])(?:(?!begin)[^\\r\\n]*[\\r\\n])*begin[^]*^end",
  "^\\{\\s*(?:application|'application')\\s*,\\s*(?:[a-z]+[\\w@]*|'[^']+')\\s*,\\s*\\[(?:.|[\\r\\n])*\\]\\s*\\}\\.[ \\t]*$":
    "^\\{\\s*(?:application|'application')\\s*,\\s*(?:[a-z]+[\\w@]*|'[^']{1,2000}')\\s*,\\s*\\[[^]{0,8000}\\]\\s*\\}\\.[ \\t]*$",
  "(^\\s*module)|let rec |match\\s+(\\S+\\s)+with":
    "(^\\s*module)|let rec |match\\s+(\\S+\\s){1,50}with",
  "=> |case\\s+(\\S+\\s)+of": "=> |case\\s+(\\S+\\s){1,50}of",
  "\\/\\/|[\"']use strict[\"']|export\\s+default\\s|\\/\\*(?:.|[\\r\\n])*?\\*\\/":
    "\\/\\/|[\"']use strict[\"']|export\\s+default\\s|\\/\\*[^]{0,4000}?\\*\\/",
  "^module\\s+[\\w.]*\\s*;|import\\s+[\\w\\s,.:]*;|\\w+\\s+\\w+\\s*\\(.*\\)(?:\\(.*\\))?\\s*\\{[^}]*\\}|unittest\\s*(?:\\(.*\\))?\\s*\\{[^}]*\\}":
    "^module\\s+[\\w.]*\\s*;|import\\s+[\\w\\s,.:]{0,2000};|\\w\\s+\\w+\\s*\\(.*\\)\\s*\\{[^}]{0,2000}\\}|unittest\\s*(?:\\(.*\\))?\\s*\\{[^}]{0,2000}\\}",
  'package\\s+\\w+|\\b(?:im|ex)port\\s*"[\\w:./]+"|\\w+\\s*::\\s*(?:proc|struct)\\s*\\(|^\\s*//\\s':
    'package\\s+\\w+|\\b(?:im|ex)port\\s*"[\\w:./]+"|\\w\\s*::\\s*(?:proc|struct)\\s*\\(|^\\s*//\\s',
  "(^(\\s*)%lang(\\s+)([A-Za-z0-9_]+))|(^(\\s*)%builtins(\\s+)([A-Za-z0-9_]+\\s*)*$)|(^(\\s*)from(\\s+)starkware\\.(cairo|starknet)\\.([A-Za-z0-9_.\\s]+?)import)|(,\\s*ap\\+\\+;$)|(;\\s*ap\\+\\+$)":
    "^\\s*%lang\\s+\\w|^\\s*%builtins\\s[\\w\\s]*$|^\\s*from\\s+starkware\\.(?:cairo|starknet)\\.[\\w.\\s]+?import|,\\s*ap\\+\\+;$|;\\s*ap\\+\\+$",
};
