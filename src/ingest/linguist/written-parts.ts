/**
 * Folders and files whose name looks copied from elsewhere, such as `dist/` or `jquery.js`. A name is not enough: where people
 * write source over many commits, it is their own.
 */
import type { LinguistRules } from "./data.ts";

interface WrittenContext {
  /** Paths of the newest tree, and whether a file is source. */
  readonly tree: readonly string[];
  readonly isSource: (path: string) => boolean;
  /** Paths of the history. Commits have their numbers. */
  readonly paths: readonly string[];
  readonly commits: () => Iterable<{ readonly files: readonly { readonly path: number }[] }>;
}

/** Edits are commits that change at most three files of a part. Updates of a copy change many. */
const editFilesMax = 3;
/** A part is written by people from 20 edits on, if two thirds of its commits are edits. */
const editsMin = 20;
const editShareMin = 2 / 3;

/** The most characters of a path that are examined. Only the end of a longer path is used. @package */
export const pathMax = 1000;

/** @returns the part that looks copied: a folder with its slash, or a file. Empty for output of programs. @package */
export function findMarkedPart({ vendored }: LinguistRules, path: string): string | undefined {
  const match = vendored.exec(path);
  if (!match) return undefined;
  if (isOutput(path)) return "";
  return match[0].endsWith("/") ? path.slice(0, match.index + match[0].length) : path;
}

/** @returns the parts that look copied, but are written by people. @package */
export function findWrittenParts(
  rules: LinguistRules,
  { tree, isSource, paths, commits }: WrittenContext,
): ReadonlySet<string> {
  const partOf = (path: string) => findMarkedPart(rules, path.slice(-pathMax)) ?? "";
  const parts = new Map<string, { all: number; edits: number }>();
  for (const path of tree) {
    const part = partOf(path);
    if (part && isSource(path)) parts.set(part, { all: 0, edits: 0 });
  }
  for (const path of tree) {
    // A license in a folder of copies says that they are others' work. In `dist/` it is part of what is shipped.
    const isLicensed = license.test(path) && !isSource(path);
    if (isLicensed && !path.includes("dist/")) parts.delete(partOf(path));
  }
  if (parts.size === 0) return new Set();
  const countsOf = paths.map((path) => parts.get(partOf(path)));
  for (const { files } of commits()) {
    const counted = Map.groupBy(files, ({ path }) => countsOf[path]);
    for (const [counts, changed] of counted) {
      if (!counts) continue;
      counts.all += 1;
      if (changed.length <= editFilesMax) counts.edits += 1;
    }
  }
  const written = parts
    .entries()
    .filter(([, { all, edits }]) => edits >= editsMin && edits >= editShareMin * all);
  return new Set(written.map(([part]) => part));
}

/** What programs write: minified files, and scripts, styles and pages in `dist/`. */
const isOutput = (path: string) =>
  /[-.]min\./.test(path) || (/(^|\/)dist\//.test(path) && /\.([cm]?js|css|html?)$/.test(path));

const license = /(^|\/)((un)?licen[cs]e|copying|copyright|notice)[^/]*$/i;
