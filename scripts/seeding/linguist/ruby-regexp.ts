/**
 * Turns a Ruby regular expression, as Linguist's heuristics use them, into what JavaScript's RegExp takes.
 * Ruby's `^` and `$` are always those of lines, hence the flag m on every result; Ruby's own m is
 * JavaScript's s. Content is matched a character per byte, as Ruby does there.
 *
 * @returns the pattern and its flags.
 * @throws Error on syntax that has no translation here, rather than a pattern that means something else.
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

/** Ruby's `(?i)` holds from where it stands to the end of its group; here: of the pattern. */
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
 * A repetition that runs on over lines is tried anew from every line, to the end of the file each time.
 * Within two thousand characters it finds all that people write; lines themselves are cut where they are matched.
 */
function boundRepeats(pattern: string): string {
  // What is tried at the beginning of the file only runs on but once.
  if (pattern.startsWith("(?<![^])")) return pattern;
  const set = /\\.|(?<set>\[(?:\\.|[^\]\\])+\])(?<sign>[*+]?)/g;
  return pattern.replace(set, (whole, ...found) => {
    const { set = "", sign = "" } = found.at(-1) as { set?: string; sign?: string };
    if (!sign || !new RegExp(set).test("\n")) return whole;
    return `${set}{${sign === "*" ? 0 : 1},${acrossLinesMax}}`;
  });
}

const acrossLinesMax = 2000;

/** Patterns that take much time on some texts, with others that match the same. */
const linear: Readonly<Record<string, string>> = {
  // From the first such line on to the last: no bound is wide enough, so only the first is tried.
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
