/**
 * The overrides that a repository declares in `.gitattributes`. The files are parsed here, because git reads attributes of a bare
 * repository only since version 2.40.
 */
export interface AttributeOverrides {
  readonly language?: string;
  readonly vendored?: boolean;
  readonly generated?: boolean;
  readonly documentation?: boolean;
  readonly detectable?: boolean;
}

export interface AttributesFile {
  readonly path: string;
  readonly text: string;
}

/**
 * @param files every `.gitattributes` of a tree. Deeper files override others, and later lines override earlier lines.
 * @returns a function that returns the overrides of a path. @package
 */
export function readAttributes(
  files: readonly AttributesFile[],
): (path: string) => AttributeOverrides {
  const macros = readMacros(files.find(({ path }) => path === ".gitattributes")?.text ?? "");
  const sorted = files.toSorted((a, b) => getDepth(a) - getDepth(b)).values();
  const all = sorted.flatMap((file) => linesOf(file, macros));
  const lines = [...all.take(linesMax)].reverse();
  if (lines.length === 0) return () => noOverrides;
  return (path) => {
    const found = new Map<string, Assignment["value"]>();
    // As in git, the last assignment of an attribute counts. A macro is applied when its name is set to true.
    const take = (words: readonly Assignment[]): void => {
      for (const { name, value } of words.toReversed()) {
        if (found.has(name)) continue;
        found.set(name, value);
        if (value === true) take(macros.get(name) ?? []);
      }
    };
    for (const { matches, words } of lines) if (matches(path)) take(words);
    return found.size === 0 ? noOverrides : toOverrides(found);
  };
}

const noOverrides: AttributeOverrides = {};

/** The most lines used in a tree. Each line is matched against every path. */
const linesMax = 1000;
/** The longest line in characters. Longer lines are ignored, as in git. */
const lineMax = 2048;

interface Line {
  readonly matches: (path: string) => boolean;
  readonly words: readonly Assignment[];
}

/** One word of a line. `-text` is false, `text` is true, `!text` is undefined, and `text=auto` is "auto". */
interface Assignment {
  readonly name: string;
  readonly value: boolean | string | undefined;
}

/** The assignments of each macro. `[attr]ours linguist-vendored` defines the macro `ours`. */
type Macros = ReadonlyMap<string, readonly Assignment[]>;

/** Returns the number of parts of the path: 1 for a file at the root. */
export function getDepth({ path }: Pick<AttributesFile, "path">): number {
  return path.split("/").length;
}

function readMacros(text: string): Macros {
  const macros = new Map<string, readonly Assignment[]>();
  for (const line of splitLines(text)) {
    const [, name, rest = ""] = /^\s*\[attr\](\S+)(.*)/.exec(line) ?? [];
    if (name && (macros.size < linesMax || macros.has(name))) macros.set(name, parseWords(rest));
  }
  return macros;
}

function splitLines(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.length <= lineMax);
}

function* linesOf({ path, text }: AttributesFile, macros: Macros): Generator<Line> {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  for (const line of splitLines(text)) {
    if (/^\s*(#|$|\[attr\]\S)/.test(line)) continue;
    const [, quoted, plain, rest = ""] = /^\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))(.*)/s.exec(line) ?? [];
    const pattern = quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
    const words = parseWords(rest);
    const isAbout = words.some(({ name }) => name.startsWith(prefix) || macros.has(name));
    // Git forbids negative patterns in attributes.
    if (isAbout && !pattern.startsWith("!")) yield { matches: matcherOf(pattern, folder), words };
  }
}

const prefix = "linguist-";

function parseWords(text: string): readonly Assignment[] {
  return text.split(/\s+/).flatMap((word) => {
    const [, sign, name, value] = /^([-!]?)([^-!=\s][^=\s]*)(?:=(.*))?$/.exec(word) ?? [];
    if (!name) return [];
    return [{ name, value: sign === "!" ? undefined : sign === "-" ? false : (value ?? true) }];
  });
}

function toOverrides(found: ReadonlyMap<string, Assignment["value"]>): AttributeOverrides {
  const overrides: Record<string, boolean | string | undefined> = {};
  for (const [word, value] of found) {
    if (!word.startsWith(prefix)) continue;
    const name = word.slice(prefix.length);
    if (name === "language") overrides[name] = typeof value === "string" ? value : undefined;
    else overrides[name] = value === undefined ? undefined : value !== false && value !== "false";
  }
  return overrides as AttributeOverrides;
}

/** Matches patterns as in `.gitignore`. A pattern without a slash is compared with the file name alone. */
function matcherOf(pattern: string, folder: string): (path: string) => boolean {
  const isAnchored = pattern.slice(0, -1).includes("/");
  // In `.gitattributes`, a pattern that ends with a slash matches no file.
  if (pattern.endsWith("/")) return () => false;
  const glob = new Bun.Glob(toGlob(pattern.replace(/^\//, "")));
  return (path) => {
    if (!path.startsWith(folder)) return false;
    const below = path.slice(folder.length);
    return glob.match(isAnchored ? below : below.slice(below.lastIndexOf("/") + 1));
  };
}

/** Turns git's pattern into a glob. Git reads braces and a leading `!` literally, so these are escaped. */
function toGlob(pattern: string): string {
  return pattern
    .replace(/\*{3,}/g, "**")
    .replace(/\\.|[{}]/gs, (part) => (part.length === 1 ? `\\${part}` : part))
    .replace(/^!/, "\\!");
}
