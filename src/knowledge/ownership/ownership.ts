/**
 * Finds the ownership rules that apply to a path, with the semantics of each file format. Patterns become globs, because matching
 * a stranger's regular expression could take very long.
 */
import type { OwnershipRule, PathFilter } from "../../contract/people/ownership-rule.ts";

/** Returns the rules in force for a path, in order. Several can apply, for example from nested folders. */
export type RulesOf = (path: string) => readonly OwnershipRule[];

/** @param rules the rules of one repository, in the order of their files and lines. */
export function createOwnership(rules: readonly OwnershipRule[]): RulesOf {
  const parts = [
    indexPatterns(rules.filter(({ form }) => form === "github" || form === "gitlab")),
    indexFolders(rules.filter(({ form }) => form === "folder")),
  ];
  return (path) => parts.flatMap((rulesOf) => rulesOf(path));
}

/** @returns the file or folder that contains everything the rule can apply to; `""` for anything. */
export function findReach(rule: OwnershipRule): string {
  if (rule.form === "folder") return rule.pattern;
  const segments = toSegments(rule) ?? [];
  return segments[0] === "**" ? "" : listLiterals(segments).join("/");
}

/** @returns the rules that match none of the paths, regardless of other rules. */
export function findUnmatchedRules<Rule extends OwnershipRule>(
  rules: readonly Rule[],
  paths: readonly string[],
): readonly Rule[] {
  const known = new Set(paths.flatMap((path) => [...listFoldersAbove(path), path]));
  return rules.filter((rule) => {
    const { isExclusion: _, ...stated }: OwnershipRule = rule;
    const reach = findReach(rule);
    const rulesOf = createOwnership([stated]);
    const isMet = (path: string) => rulesOf(path).length > 0;
    if (!known.has(reach)) return true;
    // A link or submodule is a file here. Authors of patterns see a folder, so the path is tried as a folder too.
    return !paths.some((path) => path.startsWith(reach) && (isMet(path) || isMet(`${path}/.`)));
  });
}

interface Pattern {
  readonly rule: OwnershipRule;
  readonly order: number;
  readonly globs: readonly Bun.Glob[];
}

/** The maximum number of patterns with the same beginning. If there are more, only the last ones apply. */
const alikeMax = 100;
/** The maximum length of a path, in characters. Longer paths have no owner, because matching takes too long. */
const pathMax = 1000;

/** Indexes CODEOWNERS rules: in each section the last matching rule applies, unless an exclusion also matches. */
function indexPatterns(rules: readonly OwnershipRule[]): RulesOf {
  const byFolder = new Map<string, Pattern[]>();
  const byName = new Map<string, Pattern[]>();
  for (const [order, rule] of rules.entries()) {
    const segments = toSegments(rule);
    if (!segments) continue;
    const pattern = { rule, order, globs: toGlobs(rule, segments) };
    const [first = "", second = ""] = segments;
    const isLoose = first === "**";
    const [index, key] =
      isLoose && isLiteral(second)
        ? [byName, second]
        : [byFolder, isLoose ? "" : listLiterals(segments).join("/")];
    const alike = index.get(key) ?? [];
    index.set(key, alike);
    alike.push(pattern);
    if (alike.length > alikeMax) alike.shift();
  }
  return (path) => {
    if (path.length > pathMax) return [];
    const names = path.split("/");
    const candidates = [
      ...[...listFoldersAbove(path), path].map((folder) => byFolder.get(folder)),
      ...[...new Set(names)].map((name) => byName.get(name)),
    ];
    return selectLast(
      candidates
        .flatMap((alike) => alike ?? [])
        .filter(({ globs }) => globs.some((glob) => glob.match(path))),
    );
  };
}

function selectLast(matching: readonly Pattern[]): readonly OwnershipRule[] {
  const last = new Map<string, Pattern>();
  const excluded = new Set<string>();
  for (const pattern of matching) {
    const { file, section, isExclusion } = pattern.rule;
    const part = `${file}\0${section ?? ""}`;
    if (isExclusion) excluded.add(part);
    else if ((last.get(part)?.order ?? -1) < pattern.order) last.set(part, pattern);
  }
  return [...last]
    .filter(([part]) => !excluded.has(part))
    .map(([, pattern]) => pattern)
    .sort((a, b) => a.order - b.order)
    .map(({ rule }) => rule);
}

/** Returns the folders that contain a file, from the root (`""`) down. */
export function listFoldersAbove(path: string): readonly string[] {
  const folders = [""];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    folders.push(path.slice(0, at));
  }
  return folders;
}

/** @returns the segments of the pattern, from the repository's root; undefined if the pattern matches nothing. */
function toSegments({ form, pattern }: OwnershipRule): readonly string[] | undefined {
  if (pattern === "/" || pattern === "") return undefined;
  const isRooted = pattern.startsWith("/");
  const segments = (isRooted ? pattern.slice(1) : pattern).split("/");
  const last = segments.at(-1) ?? "";
  if (form === "gitlab") {
    if (pattern === "*") return ["**"];
    // In Ruby's fnmatch, which GitLab uses, two stars match folders only.
    const end = last === "" || last === "**" ? [last === "" ? "**" : "*"] : [last];
    return [...(isRooted ? [] : ["**"]), ...segments.slice(0, -1), ...end];
  }
  const folder = last === "" ? [...segments.slice(0, -1), "**"] : segments;
  const isName = !isRooted && segments.filter((segment) => segment !== "").length === 1;
  return isName && folder[0] !== "**" ? ["**", ...folder] : folder;
}

/** Converts segments to globs. On GitHub, a pattern that matches a folder also matches everything in it, except `folder/*`. */
function toGlobs({ form }: OwnershipRule, segments: readonly string[]): readonly Bun.Glob[] {
  const glob = segments.map((segment) => escapeSegment(segment, form)).join("/");
  const last = segments.at(-1);
  const isWhole = form === "gitlab" || last === "*" || last === "**";
  return [glob, ...(isWhole ? [] : [`${glob}/**`])].map((each) => new Bun.Glob(each));
}

/** Escapes signs that only Bun's globs treat as special: braces, a leading `!`, and on GitHub square brackets. */
function escapeSegment(segment: string, form: OwnershipRule["form"]): string {
  const special = form === "github" ? /\\.|[{}[\]\\!]/gs : /\\.|[{}\\]|^!/gs;
  return segment.replace(special, (part) => (part.length > 1 ? part : `\\${part}`));
}

function isLiteral(segment: string): boolean {
  return segment !== "" && !/[*?[\\]/.test(segment);
}

function listLiterals(segments: readonly string[]): readonly string[] {
  const end = segments.findIndex((segment) => !isLiteral(segment));
  return end < 0 ? segments : segments.slice(0, end);
}

/** Indexes OWNERS rules. The rules of all folders above a file apply, up to a folder that stops inheritance. */
function indexFolders(rules: readonly OwnershipRule[]): RulesOf {
  const byFolder = Map.groupBy(rules, ({ pattern }) => pattern);
  return (path) => {
    const found: OwnershipRule[] = [];
    for (const folder of listFoldersAbove(path).toReversed()) {
      const here = byFolder.get(folder) ?? [];
      const below = folder === "" ? path : path.slice(folder.length + 1);
      found.unshift(
        ...here.filter(({ filter }) => !filter || filter.some((one) => meets(below, one))),
      );
      if (here.some(({ isFinal }) => isFinal)) break;
    }
    return found;
  };
}

function meets(path: string, { texts, fromStart, toEnd }: PathFilter): boolean {
  const [first = "", last = ""] = [texts[0], texts.at(-1)];
  if (texts.length === 1 && fromStart && toEnd) return path === first;
  if ((fromStart && !path.startsWith(first)) || (toEnd && !path.endsWith(last))) return false;
  const end = toEnd ? path.length - last.length : path.length;
  let at = 0;
  for (const text of toEnd ? texts.slice(0, -1) : texts) {
    const found = path.indexOf(text, at);
    if (found < 0) return false;
    at = found + text.length;
  }
  return at <= end;
}
