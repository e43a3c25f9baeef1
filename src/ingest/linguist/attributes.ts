/**
 * What a repository itself says of its files, in `.gitattributes`: language, vendored, generated,
 * documentation, detectable. Read from the files' text, since git answers for a bare repository only
 * from version 2.40 on.
 */
export interface AttributeOverrides {
  readonly language?: string;
  readonly vendored?: boolean;
  readonly generated?: boolean;
  readonly documentation?: boolean;
  readonly detectable?: boolean;
}

export interface AttributesFile {
  /** Of the tree, ending in `.gitattributes`. */
  readonly path: string;
  readonly text: string;
}

/**
 * @param files every `.gitattributes` of a tree. Deeper folders win over higher ones, later lines
 *   over earlier ones.
 * @returns what is said of a path; the same empty object where nothing is. @package
 */
export function readAttributes(
  files: readonly AttributesFile[],
): (path: string) => AttributeOverrides {
  const lines = [...files]
    .sort((a, b) => depthOf(a) - depthOf(b))
    .flatMap(linesOf)
    .slice(0, linesMax);
  if (lines.length === 0) return () => nothing;
  return (path) => {
    let said: AttributeOverrides = nothing;
    for (const { matches, overrides } of lines) {
      if (matches(path)) said = { ...said, ...overrides };
    }
    return said;
  };
}

const nothing: AttributeOverrides = {};

/** Each is held against each path. Of one tree; who writes so many has a tool do it. */
const linesMax = 1000;
/** Git itself takes no longer line. */
const lineMax = 2048;

interface Line {
  readonly matches: (path: string) => boolean;
  readonly overrides: AttributeOverrides;
}

function depthOf({ path }: AttributesFile): number {
  return path.split("/").length;
}

function linesOf({ path, text }: AttributesFile): Line[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const found: Line[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.length > lineMax || !line.includes("linguist-")) continue;
    if (/^\s*(#|$|\[attr\])/.test(line)) continue;
    const [, quoted, plain, rest = ""] = /^\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))(.*)/s.exec(line) ?? [];
    const pattern = quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
    // Git takes no "not" here.
    if (pattern.startsWith("!")) continue;
    found.push({ matches: matcherOf(pattern, folder), overrides: overridesOf(rest) });
  }
  return found;
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

/** Patterns as in `.gitignore`: without a slash they fit the file's name in any folder below. */
function matcherOf(pattern: string, folder: string): (path: string) => boolean {
  const anchored = pattern.slice(0, -1).includes("/");
  // A pattern for a folder says nothing of the files in it.
  if (pattern.endsWith("/")) return () => false;
  const glob = new Bun.Glob(asGlob(pattern.replace(/^\//, "")));
  return (path) => {
    if (!path.startsWith(folder)) return false;
    const below = path.slice(folder.length);
    return glob.match(anchored ? below : below.slice(below.lastIndexOf("/") + 1));
  };
}

/** Git knows no lists in braces and no "not" before a pattern; three stars mean two to it. */
function asGlob(pattern: string): string {
  return pattern
    .replace(/\*{3,}/g, "**")
    .replace(/\\.|[{}]/gs, (part) => (part.length === 1 ? `\\${part}` : part))
    .replace(/^!/, "\\!");
}
