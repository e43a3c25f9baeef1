/**
 * Overrides that a repository declares in `.gitattributes`: language, vendored, generated, documentation,
 * detectable. Parsed from the files' text, since git reports attributes of a bare repository only from
 * version 2.40 on.
 */
export interface AttributeOverrides {
  readonly language?: string;
  readonly vendored?: boolean;
  readonly generated?: boolean;
  readonly documentation?: boolean;
  readonly detectable?: boolean;
}

export interface AttributesFile {
  /** Path in the tree; ends in `.gitattributes`. */
  readonly path: string;
  readonly text: string;
}

/**
 * @param files every `.gitattributes` of a tree. Deeper folders win over higher ones, later lines
 *   over earlier ones.
 * @returns a lookup of the overrides of a path; the same empty object when there are none. @package
 */
export function readAttributes(
  files: readonly AttributesFile[],
): (path: string) => AttributeOverrides {
  const lines: Line[] = [];
  for (const file of [...files].sort((a, b) => getDepth(a) - getDepth(b))) {
    for (const line of linesOf(file)) {
      if (lines.length === linesMax) break;
      lines.push(line);
    }
  }
  if (lines.length === 0) return () => noOverrides;
  return (path) => {
    let found: AttributeOverrides = noOverrides;
    for (const { matches, overrides } of lines) {
      if (matches(path)) found = { ...found, ...overrides };
    }
    return found;
  };
}

const noOverrides: AttributeOverrides = {};

/** Lines per tree, since each is matched against every path; longer lists are written by tools. */
const linesMax = 1000;
/** Git itself ignores longer lines. */
const lineMax = 2048;

interface Line {
  readonly matches: (path: string) => boolean;
  readonly overrides: AttributeOverrides;
}

/** The number of folders that a file is in, and 1. */
export function getDepth({ path }: Pick<AttributesFile, "path">): number {
  return path.split("/").length;
}

function* linesOf({ path, text }: AttributesFile): Generator<Line> {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  for (const line of text.split(/\r?\n/)) {
    if (line.length > lineMax || !line.includes("linguist-")) continue;
    if (/^\s*(#|$|\[attr\])/.test(line)) continue;
    const [, quoted, plain, rest = ""] = /^\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))(.*)/s.exec(line) ?? [];
    const pattern = quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
    // Git forbids negative patterns in attributes.
    if (pattern.startsWith("!")) continue;
    yield { matches: matcherOf(pattern, folder), overrides: overridesOf(rest) };
  }
}

function overridesOf(words: string): AttributeOverrides {
  const overrides: Record<string, boolean | string | undefined> = {};
  for (const word of words.trim().split(/\s+/)) {
    const [, sign, name, value] = /^([-!]?)linguist-([a-z]+)(?:=(.*))?$/.exec(word) ?? [];
    if (!name) continue;
    if (sign === "!") overrides[name] = undefined;
    else if (name === "language") overrides[name] = sign ? undefined : value;
    else overrides[name] = sign !== "-" && value !== "false";
  }
  return overrides as AttributeOverrides;
}

/** Matches patterns as in `.gitignore`: one without a slash matches the file name in any folder below. */
function matcherOf(pattern: string, folder: string): (path: string) => boolean {
  const isAnchored = pattern.slice(0, -1).includes("/");
  // In attributes, a pattern for a folder does not apply to the files in it.
  if (pattern.endsWith("/")) return () => false;
  const glob = new Bun.Glob(toGlob(pattern.replace(/^\//, "")));
  return (path) => {
    if (!path.startsWith(folder)) return false;
    const below = path.slice(folder.length);
    return glob.match(isAnchored ? below : below.slice(below.lastIndexOf("/") + 1));
  };
}

/** Escapes what git takes literally (braces, a leading `!`) and reads three stars as two, as git does. */
function toGlob(pattern: string): string {
  return pattern
    .replace(/\*{3,}/g, "**")
    .replace(/\\.|[{}]/gs, (part) => (part.length === 1 ? `\\${part}` : part))
    .replace(/^!/, "\\!");
}
