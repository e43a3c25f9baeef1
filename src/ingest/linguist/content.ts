/**
 * Detects the language of a file from its content, in Linguist's order: modeline, file name, interpreter, extension, XML
 * declaration, manual page, heuristics.
 */
import { findByExtension } from "./ambiguous.ts";
import type { LinguistRules } from "./data.ts";
import { findInterpreter, findModeline, takeFirstLines } from "./declared.ts";
import { isGenerated } from "./generated.ts";
import { applyHeuristic } from "./heuristics.ts";

export interface ContentFinding {
  /** The possible languages; empty for a file without a language. */
  readonly candidates: readonly string[];
  readonly generated: boolean;
}

const nothingFound: ContentFinding = { candidates: [], generated: false };

/** @param content the beginning of the file, one character per byte. @package */
export function examineContent(rules: LinguistRules, path: string, content: string) {
  if (content === "" || isBinary(content)) return nothingFound;
  return { candidates: candidatesOf(rules, path, content), generated: isGenerated(path, content) };
}

/** Whether the content of a file can show more than the path. @package */
export function isContentNeeded(rules: LinguistRules, path: string): boolean {
  const base = path.slice(path.lastIndexOf("/") + 1);
  if (rules.filenames.get(base)?.length === 1 || gitObject.test(path)) return false;
  const { extension = "", entry } = findByExtension(rules.extensions, base) ?? {};
  return !entry || (!plainData.has(extension) && (entry.length > 1 || isCounted(rules, entry)));
}

/** Extensions of data files whose content is not examined. */
const plainData = new Set([".json", ".yaml", ".yml"]);

/** Paths of git objects, such as `.git/objects/4b/825d…`. Test data may contain thousands of git objects. */
const gitObject = /\/[0-9a-f]{2}\/([0-9a-f]{38}|[0-9a-f]{62})$/;

function isCounted(rules: LinguistRules, names: readonly string[]): boolean {
  return names.some((name) => /programming|markup/.test(rules.data.languages[name]?.[0] ?? ""));
}

function candidatesOf(rules: LinguistRules, path: string, content: string): readonly string[] {
  const base = path.slice(path.lastIndexOf("/") + 1);
  const mode = rules.aliases.get(findModeline(content) ?? "");
  if (mode) return [mode];
  let candidates: readonly string[] = rules.filenames.get(base) ?? [];
  if (candidates.length === 1) return candidates;
  candidates = narrow(candidates, rules.interpreters.get(findInterpreter(content) ?? "") ?? []);
  if (candidates.length === 1) return candidates;
  candidates = narrow(candidates, byExtension(rules, base));
  if (anyTemplate.test(base) && !(/\.tmpl$/i.test(base) ? goAction : htmlTag).test(content))
    return [];
  if (candidates.length === 1) return candidates;
  if (candidates.length === 0) {
    if (takeFirstLines(content, 2).some((line) => /<?xml version=/.test(line))) return ["XML"];
    if (manualPage.test(base)) candidates = ["Roff Manpage", "Roff"];
  }
  const [heuristic] = findByExtension(rules.heuristics, base)?.entry ?? [];
  const decided = heuristic ? applyHeuristic(heuristic, content) : [];
  return decided.length > 0 ? decided : candidates;
}

/** Templates of any text, or of any engine. For Linguist, they are HTML, or Go's. @package */
export const anyTemplate = /(?<!\.(?:html?|js))\.(?:erb|ecr)$|\.tmpl$/i;
/** An action of Go's templates: a field, a variable, a block or a call with an argument. */
const goAction =
  /\{\{-?\s*(?:[.$]|\/\*|(?:if|range|with|end|else|define|template|block)\b|\w+\s+[.$"(])/;
const htmlTag =
  /<(html|head|body|div|span|p|a|ul|ol|li|h[1-6]|table|tr|td|form|input|img|br|script|link|button|label|section|nav|strong|em|b|i|dl|pre)\b/;

const manualPage = /\.(?:[1-9](?![0-9])[a-z_0-9]*|0p|n|man|mdoc)(?:\.in)?$/i;

/** Returns the names in both lists. If there are none, returns `before`. If `before` is empty, returns `found`. */
function narrow(before: readonly string[], found: readonly string[]): readonly string[] {
  if (before.length === 0) return found;
  const shared = before.filter((name) => found.includes(name));
  return shared.length > 0 ? shared : before;
}

function byExtension(rules: LinguistRules, base: string): readonly string[] {
  const name = base.toLowerCase();
  if (rules.data.generic.some((extension) => name.endsWith(extension))) return [];
  return findByExtension(rules.extensions, base)?.entry ?? [];
}

/** Detects binary files by a signature or a zero byte, as Linguist does. */
function isBinary(content: string): boolean {
  if (texts.some((signature) => content.startsWith(signature))) return false;
  return binaries.some((signature) => content.startsWith(signature)) || content.includes("\0");
}

/** Beginnings of text files that may contain zero bytes: PostScript, UTF-16 and UTF-32. */
const texts = ["%!PS-Adobe-", "\xff\xfe", "\xfe\xff", "\0\0\xfe\xff"];
const binaries = ["\x89PNG\r\n\x1a\n", "GIF87a", "GIF89a", "%PDF-", "\xff\xd8\xff"];
