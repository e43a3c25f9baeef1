/**
 * Reads the paths of a change from a plain list or from the output of version control, such as `git status` or `git diff
 * --stat`.
 */
import { decodeQuoted, splitQuoted } from "./quoted-path.ts";

export interface ListedPaths {
  readonly paths: readonly string[];
  readonly added: readonly string[];
}

/** @returns an error message if `git diff --stat` has shortened a path, e.g. to `.../main.ts`. */
export function findCutPath(paths: readonly string[]): string | undefined {
  const cut = paths.find((path) => path.startsWith(".../"));
  return cut && `The name "${cut}" is cut: list whole names, by --stat=1000 or --name-only.`;
}

interface Line {
  readonly paths: readonly string[];
  readonly isNew?: boolean;
}

export function readPathList(text: string): ListedPaths {
  const lines: readonly Line[] = text.includes("\0")
    ? (readSeparated(text) ?? text.split("\0").map((path) => ({ paths: [path] })))
    : readLines(text.split("\n").map((line) => line.replace(/\r$/, "")));
  return {
    paths: lines.flatMap(({ paths }) => paths),
    added: lines.flatMap(({ paths, isNew }) => (isNew ? paths : [])),
  };
}

function readLines(lines: readonly string[]): readonly Line[] {
  const filled = lines.filter((line) => line.trim() !== "" && !line.startsWith("## "));
  const short = filled.flatMap((line) => readShort(line) ?? []);
  if (short.length === filled.length) return short;
  const stated = filled.flatMap((line) => readStated(line) ?? []);
  if (stated.length > 0) return stated;
  // In the output of `git log`, the headers and messages of commits are left out.
  const isLog = lines.some((line) => /^commit [0-9a-f]{7,64}\b/.test(line));
  const plain = isLog ? filled.filter((line) => !ofLog.test(line)) : filled;
  return plain.map((line) => ({ paths: [decodeQuoted(line.trim()).replace(/^\.\//, "")] }));
}

const ofLog =
  /^(?:commit [0-9a-f]{7,64}\b|(?:Author|AuthorDate|Commit|CommitDate|Date|Merge):? | {4})/;

/** Patterns of lines with a status. @param sep the separator of two paths. @param name a pattern that matches a path. */
const composeStated = (sep: string, name: string) => {
  const two = `(?<from>${name})${sep}(?<to>${name})`;
  return [
    // The output of --name-status and --raw.
    `(?::+[0-7]{6} [0-9a-f. ]+ )?(?:[RC]\\d+${sep}${two}|(?<status>[ABDMRTUX]+)\\d*${sep}(?<path>${name}))`,
    // The output of git status --porcelain=v2.
    `(?:1 \\S\\S \\S{4}(?: \\S+){5}|u \\S\\S \\S{4}(?: \\S+){7}) (?<path>${name})`,
    `2 \\S\\S \\S{4}(?: \\S+){6} ${two}`,
    `(?<status>\\?) (?<path>${name})`,
  ];
};

const compile = (forms: readonly string[], flags = "") =>
  forms.map((form) => new RegExp(`^(?:${form})$`, flags));

const inLines = [
  ...compile(composeStated("\\t", "[^\\t]+")),
  ...compile([
    "(?:[0-9]+|-)\\t(?:[0-9]+|-)\\t(?<moved>[^\\t]+)",
    // The output of git ls-files --stage and git ls-tree.
    "[0-7]{6} [^\\t]+\\t(?<path>[^\\t]+)",
    " (?:rename|copy) (?<moved>.+) \\([0-9]+%\\)",
    " (?<status>create) mode [0-7]{6} (?<path>.+)",
    " (?:delete mode [0-7]{6}|mode change [0-7]{6} => [0-7]{6}) (?<path>.+)",
    " rewrite (?<path>.+) \\([0-9]+%\\)",
    // The output of --dirstat.
    " *[0-9.]+% (?<path>.+/)",
    // Lines that git status and diff-so-fancy print for people.
    "\\s*(?:both |deleted |added )?(?:(?<status>new file|added)|modified|deleted|typechange|by us|by them): +(?<path>[^ ][^]*?)(?: \\([^()]*\\))?",
    "\\s*(?:renamed|copied): +(?<from>[^ ][^]*?) (?:->|to) (?<to>[^]+)",
    "\\t(?<path>[^\\t:]+)",
  ]),
];

function readStated(line: string): Line | undefined {
  for (const form of inLines) {
    const found = form.exec(line)?.groups;
    if (found) return toLine(found);
  }
  return readStat(line);
}

/** Reads a line of `git diff --stat`, e.g. `a.ts | 3 ++-` or `a.ts (new) | 3 +++`. */
function readStat(line: string): Line | undefined {
  const bar = line.lastIndexOf(" | ");
  if (bar < 0 || !/^ *(?:\d+ *[-+]*|Bin.*|Unmerged)$/.test(line.slice(bar + 3))) return undefined;
  const name = line.slice(0, bar).trim();
  const [, note = "", status = ""] = /( \((new|gone|mode)[^()]*\))$/.exec(name) ?? [];
  return toLine({ moved: name.slice(0, name.length - note.length), status });
}

function toLine({ from, to, path, moved, status = "" }: Record<string, string>): Line {
  const names = moved === undefined ? [from, to, path] : splitMoved(moved);
  return {
    paths: names.flatMap((name) => (name ? [decodeQuoted(name)] : [])),
    isNew: /^(?:A|\?|new|added|create)/.test(status),
  };
}

/** Splits a text such as `src/{a => b}/c.ts` or `a.ts => b.ts` into two paths. */
function splitMoved(text: string): readonly string[] {
  const [from, to] = splitQuoted(text, " => ");
  if (to === undefined) return [text];
  const [open, close] = [from.lastIndexOf("{"), to.indexOf("}")];
  if (open < 0 || close < 0) return [from, to];
  const join = (middle: string) => `${from.slice(0, open)}${middle}${to.slice(close + 1)}`;
  return [from.slice(open + 1), to.slice(0, close)].map((middle) =>
    join(middle).replaceAll("//", "/"),
  );
}

/** A line of `git status --short`, `svn status` or `hg status`: one or two letters, and a path. */
const shortForm = /^(?=.?[ABCDMRTU?!~])(?<status>[ ABCDMRTU?!~]{1,2})[ +]* (?<path>\S.*)$/;

function readShort(line: string): Line | undefined {
  const { status = "", path } = shortForm.exec(line)?.groups ?? {};
  if (path === undefined) return undefined;
  const names = /[RC]/.test(status) ? splitQuoted(path, " -> ").flatMap(splitMoved) : [path];
  return { paths: names.map(decodeQuoted), isNew: /[A?]/.test(status) };
}

const separated = [
  ...composeStated("\\0", "[^\\0]+"),
  "(?:\\d+|-)\\t(?:\\d+|-)\\t(?:\\0(?<from>[^\\0]+)\\0(?<to>[^\\0]+)|(?<path>[^\\0]+))",
  "[0-7]{6} [^\\t\\0]+\\t(?<path>[^\\0]+)",
  "(?:[RC].|.[RC]) (?<from>[^\\0]+)\\0(?<to>[^\\0]+)",
  "(?=.?[ABDMTU?!])(?<status>[ ABDMTU?!]{2}) (?<path>[^\\0]+)",
].map((form) => new RegExp(`(?:${form})(?:\\0+|$)`, "y"));

/** @returns undefined if the text is a plain list of paths. */
function readSeparated(text: string): readonly Line[] | undefined {
  const lines: Line[] = [];
  for (let at = 0; at < text.length; ) {
    let next =
      text.startsWith("# ", at) || text.startsWith("## ", at) ? text.indexOf("\0", at) + 1 : 0;
    for (const form of separated) {
      if (next > 0) break;
      form.lastIndex = at;
      const found = form.exec(text)?.groups;
      if (!found) continue;
      const { from, to, path, status = "" } = found;
      const paths = [from, to, path].filter((name) => name !== undefined);
      lines.push({ paths, isNew: /^(?:A|\?| ?A)/.test(status) });
      next = form.lastIndex;
    }
    if (next === 0) return undefined;
    at = next;
  }
  return lines;
}
