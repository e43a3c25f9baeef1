/** Reads the paths of a change from a list of paths or a diff. The diff may be of git or of another program. */
import { type ListedPaths, readPathList } from "./path-list.ts";
import { decodeQuoted, findQuoteEnd } from "./quoted-path.ts";

/**
 * @returns each path before and after the change, once. The old path of a moved file leads to people who know the file. Paths of
 * new files begin with `./`.
 */
export function readChangedPaths(text: string): readonly string[] {
  const plain = text.includes("\0") ? text : text.replace(escapes, "").replace(/^\ufeff/, "");
  const { paths, added } = readDiff(plain) ?? readPathList(plain);
  const isNew = new Set(added);
  return [...new Set(paths)]
    .filter((path) => path !== "")
    .map((path) => (isNew.has(path) ? `./${path}` : path));
}

/** Characters in the escape sequences for colors and links, as parts of a regular expression. */
const [esc, bell] = ["\\x1b", "\\x07"];
const escapes = new RegExp(
  `${esc}(?:\\[[0-9;:?]*[A-Za-z]|\\]8;[^\\n${esc}${bell}]*(?:${bell}|${esc}\\\\))`,
  "g",
);

/** The paths of one file, with prefixes such as `a/`. An added file has no `from`, and a deleted file has no `to`. */
interface Sides {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** @returns the old and new paths in the order of the diff. Undefined means that the text is no diff. */
export function readDiff(text: string): ListedPaths | undefined {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const [paths, added]: [string[], string[]] = [[], []];
  let isDiff = false;
  const readOther = lines.some((line) => line.startsWith(ofGit)) ? readModule : readOfOthers;
  for (let at = 0; at < lines.length; ) {
    const read =
      readCombined(lines, at) ??
      readOfGit(lines, at) ??
      readPlain(lines, at) ??
      readOther(lines, at);
    if (read) {
      isDiff = true;
      paths.push(...read.paths);
      if (read.isNew) added.push(...read.paths);
      at = skipHunks(lines, read.next);
    } else at += 1;
  }
  return isDiff ? { paths, added } : undefined;
}

interface ReadHeader {
  readonly paths: readonly string[];
  /** The index of the line after the header. */
  readonly next: number;
  readonly isNew?: boolean;
}

type Lines = readonly string[];
const lineAt = (lines: Lines, at: number): string => lines[at] ?? "";

const ofGit = "diff --git ";
const ofMerge = ["diff --cc ", "diff --combined "];
/** The lines that git writes about a file before the lines with `---` and `+++`. */
const extended =
  /^(?:(?:old|new|deleted file|new file) mode|(?:copy|rename) (?:from|to)|(?:dis)?similarity index|index|mode) /;
/** Headers that state a path without a prefix. */
const moved = /^(?:copy|rename) (?:from|to) /;

function readOfGit(lines: Lines, at: number): ReadHeader | undefined {
  const line = lineAt(lines, at);
  if (!line.startsWith(ofGit)) return undefined;
  const exact: string[] = [];
  let next = at + 1;
  for (; extended.test(lineAt(lines, next)); next += 1) {
    const said = lineAt(lines, next);
    const [keyword] = moved.exec(said) ?? [];
    if (keyword) exact.push(decodeQuoted(said.slice(keyword.length)));
  }
  const sides = readSides(lines, next);
  if (sides) next += 2;
  if (exact.length > 0) return { paths: exact, next };
  const names = splitNames(line.slice(ofGit.length));
  // The header is better than the lines with `---` and `+++`, which may say /dev/null.
  const same = names && stripPrefixes(names);
  const isNew = lineAt(lines, at + 1).startsWith("new file mode ");
  if (same?.length === 1) return { paths: same, next, isNew };
  return { paths: sides ? stripPrefixes(sides) : (same ?? []), next, isNew };
}

/** Reads the diff of a merge against its parents. With --combined-all-paths, there is a path for each parent. */
function readCombined(lines: Lines, at: number): ReadHeader | undefined {
  const line = lineAt(lines, at);
  const keyword = ofMerge.find((each) => line.startsWith(each));
  if (keyword === undefined) return undefined;
  const path = decodeQuoted(line.slice(keyword.length));
  let next = at + 1;
  while (extended.test(lineAt(lines, next))) next += 1;
  const before: (string | undefined)[] = [];
  for (; lineAt(lines, next).startsWith("--- "); next += 1)
    before.push(readSide(lineAt(lines, next)));
  const after = lineAt(lines, next);
  if (!after.startsWith("+++ ")) return { paths: [path], next };
  const isBare = readSide(after) === path || before.includes(path);
  const known = before.length < 2 ? [] : before.filter((side) => side !== undefined);
  const olds = known.map((side) => (isBare ? side : side.slice(side.indexOf("/") + 1)));
  return { paths: [...olds, path], next: next + 1 };
}

/** Reads a file in a diff of another program. A hunk must follow the lines with `---` and `+++`. */
function readPlain(lines: Lines, at: number): ReadHeader | undefined {
  const sides = readSides(lines, at);
  if (!sides || !countHunk(lineAt(lines, at + 2))) return undefined;
  const isNew =
    sides.from === undefined || /\t\((?:nonexistent|revision 0)\)$/.test(lineAt(lines, at));
  return { paths: stripPrefixes(sides), next: at + 2, isNew };
}

/** Reads a submodule in the output of `git diff --submodule`. */
function readModule(lines: Lines, at: number): ReadHeader | undefined {
  const [, path] =
    /^Submodule (.+) [0-9a-f]{7,64}\.{2,3}[0-9a-f]{7,64}\b/.exec(lineAt(lines, at)) ?? [];
  return path === undefined ? undefined : { paths: [path], next: at + 1 };
}

/** Reads formats that are no unified diff: binary files, properties, `diff -r` and `diff -c`. */
function readOfOthers(lines: Lines, at: number): ReadHeader | undefined {
  const [line, after] = [lineAt(lines, at), lineAt(lines, at + 1)];
  const read = (paths: readonly string[]) => ({ paths, next: at + 1 });
  if (line.startsWith("*** ") && after.startsWith("--- ") && /^\*{15}/.test(lineAt(lines, at + 2)))
    return read(stripPrefixes({ from: readSide(line), to: readSide(after) }));
  const [, owner] = /^(?:Index|Property changes on): (.+)$/.exec(line) ?? [];
  if (owner !== undefined && /^(?:={4}|_{4})/.test(after)) return read([decodeQuoted(owner)]);
  const [, folder, name = ""] = /^Only in ([^:]+): (.+)$/.exec(line) ?? [];
  if (folder !== undefined)
    return read([decodeQuoted(`${folder}/${name}`.replace(/^[^/]*\//, ""))]);
  const isNormal = /^\d+(?:,\d+)?[acd]\d/.test(after);
  const [, compared] =
    /^(?:Binary files|Files) (.+) differ$/.exec(line) ??
    ((isNormal && /^diff (?:-\S+ )+([\s\S]+)$/.exec(line)) || []);
  const names = compared && splitNames(compared.replace(" and ", " "));
  return names ? read(stripPrefixes(names)) : readModule(lines, at);
}

function readSides(lines: Lines, at: number): Sides | undefined {
  const [from, to] = [lineAt(lines, at), lineAt(lines, at + 1)];
  if (!from.startsWith("--- ") || !to.startsWith("+++ ")) return undefined;
  return { from: readSide(from), to: readSide(to) };
}

const keywordLetters = 4;

/** Reads the path in a line with `---` or `+++`. A tab ends the path. */
function readSide(line: string): string | undefined {
  const name = line.slice(keywordLetters);
  const end = name.startsWith('"') ? -1 : name.indexOf("\t");
  const side = decodeQuoted(end < 0 ? name : name.slice(0, end));
  return side === "/dev/null" ? undefined : side;
}

/** Splits the two paths after `diff --git`. Because they may contain spaces, the place of the split is guessed. */
function splitNames(text: string): Sides | undefined {
  if (text.startsWith('"')) {
    const end = findQuoteEnd(text);
    if (text[end + 1] !== " ") return undefined;
    return { from: decodeQuoted(text.slice(0, end + 1)), to: decodeQuoted(text.slice(end + 2)) };
  }
  if (text.endsWith('"')) {
    const at = text.indexOf(' "');
    return at < 0 ? undefined : { from: text.slice(0, at), to: decodeQuoted(text.slice(at + 1)) };
  }
  const splitAt = (at: number) => ({ from: text.slice(0, at), to: text.slice(at + 1) });
  const middle = (text.length - 1) / 2;
  if (text[middle] === " ") {
    const halves = splitAt(middle);
    if (stripPrefixes(halves).length === 1) return halves;
  }
  const slash = text.lastIndexOf("/");
  const last = text.slice(slash);
  const at = slash < 0 ? -1 : text.indexOf(`${last} `);
  return at < 0 ? undefined : splitAt(at + last.length);
}

/** The pairs of prefixes that git uses, in either order. */
const usual = new Set(
  ["ab", "iw", "ci", "cw", "ow", "12"].flatMap(([one, other]) => [
    `${one} ${other}`,
    `${other} ${one}`,
  ]),
);

/** @returns one path if both sides differ only by their prefixes, or else both paths. */
function stripPrefixes({ from, to }: Sides): readonly string[] {
  if (from === undefined || to === undefined) {
    const [name = ""] = [from, to].filter((side) => side !== undefined);
    return name === ""
      ? []
      : [name.startsWith(from === undefined ? "b/" : "a/") ? name.slice(2) : name];
  }
  if (from === to) return [to];
  const [first, second] = [from, to].map((side) => side.indexOf("/") + 1) as [number, number];
  const rests = [from.slice(first), to.slice(second)] as const;
  const prefixes = `${from.slice(0, first - 1)} ${to.slice(0, second - 1)}`;
  const arePrefixed = first > 0 && second > 0 && (rests[0] === rests[1] || usual.has(prefixes));
  if (!arePrefixed) return [from, to];
  return rests[0] === rests[1] ? [rests[1]] : rests;
}

function skipHunks(lines: Lines, from: number): number {
  let at = from;
  for (;;) {
    const left = countHunk(lineAt(lines, at));
    if (!left) return at;
    at = skipHunk(lines, at + 1, left);
  }
}

/** @returns the number of lines of each side, the new side last. Undefined means that the line begins no hunk. */
function countHunk(line: string): number[] | undefined {
  if (!line.startsWith("@@")) return undefined;
  const [marks = "", ...ranges] = line.slice(0, hunkLettersMax).split(" ");
  const counts: number[] = [];
  for (const range of ranges.slice(0, marks.length)) {
    const counted = /^[-+]\d+(?:,(\d+))?$/.exec(range);
    if (!counted) return undefined;
    counts.push(Number(counted[1] ?? 1));
  }
  return ranges[marks.length] === marks ? counts : undefined;
}

const hunkLettersMax = 1000;

/** Skips the lines of a hunk. @param left the number of lines of each side that are still to come. */
function skipHunk(lines: Lines, from: number, left: number[]): number {
  const parents = left.length - 1;
  let at = from;
  for (; at < lines.length && left.some((count) => count > 0); at += 1) {
    const line = lineAt(lines, at);
    // The line is `\ No newline at end of file`.
    if (line.startsWith("\\")) continue;
    const columns = line.slice(0, parents).padEnd(parents);
    if (!/^[-+ ]*$/.test(columns)) break;
    const isRemoved = columns.includes("-");
    for (let parent = 0; parent < parents; parent += 1) {
      const column = columns[parent];
      if (column === "-" || (column === " " && !isRemoved)) left[parent] = (left[parent] ?? 0) - 1;
    }
    if (!isRemoved) left[parents] = (left[parents] ?? 0) - 1;
  }
  return at;
}
