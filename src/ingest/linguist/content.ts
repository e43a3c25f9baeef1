/**
 * The language of a file by its content, in the order in which Linguist asks: modeline, file name,
 * interpreter, extension, XML's first line, manual page, heuristics. Where Linguist would then ask a
 * classifier trained on samples, several candidates remain and the neighbouring files decide.
 */
import { listExtensions } from "./ambiguous.ts";
import type { LinguistRules } from "./data.ts";
import { findInterpreter, findModeline, takeFirstLines } from "./declared.ts";
import { isGenerated } from "./generated.ts";
import { applyHeuristic } from "./heuristics.ts";

/** What the content of one file tells. */
export interface ContentFinding {
  /** None: of no language. One: of this one. Several: the neighbours decide. */
  readonly candidates: readonly string[];
  readonly generated: boolean;
}

/** What an empty file tells, and a binary one. */
const nothingFound: ContentFinding = { candidates: [], generated: false };

/** @param content the file from its beginning, a character per byte. @package */
export function examineContent(
  rules: LinguistRules,
  path: string,
  content: string,
): ContentFinding {
  if (content === "" || isBinary(content)) return nothingFound;
  return { candidates: candidatesOf(rules, path, content), generated: isGenerated(path, content) };
}

/** Whether the content of a file can tell more than its path. @package */
export function isContentNeeded(rules: LinguistRules, path: string): boolean {
  const base = path.slice(path.lastIndexOf("/") + 1);
  if (rules.filenames.get(base)?.length === 1 || gitObject.test(path)) return false;
  for (const extension of listExtensions(base)) {
    const candidates = rules.extensions.get(extension);
    if (!candidates) continue;
    return !plainData.has(extension) && (candidates.length > 1 || countsAtAll(rules, candidates));
  }
  return true;
}

/** Frequent, and whatever else they might be is data too. */
const plainData = new Set([".json", ".yaml", ".yml"]);

/** Repositories kept as test data hold thousands of them. */
const gitObject = /\/[0-9a-f]{2}\/([0-9a-f]{38}|[0-9a-f]{62})$/;

function countsAtAll(rules: LinguistRules, names: readonly string[]): boolean {
  return names.some((name) => /programming|markup/.test(rules.data.languages[name]?.[0] ?? ""));
}

function candidatesOf(rules: LinguistRules, path: string, content: string): readonly string[] {
  const base = path.slice(path.lastIndexOf("/") + 1);
  const mode = rules.aliases.get(findModeline(content) ?? "");
  if (mode) return [mode];
  let candidates = rules.filenames.get(base) ?? [];
  if (candidates.length === 1) return candidates;
  candidates = narrow(candidates, rules.interpreters.get(findInterpreter(content) ?? "") ?? []);
  if (candidates.length === 1) return candidates;
  candidates = narrow(candidates, byExtension(rules, base));
  if (candidates.length === 1) return candidates;
  if (candidates.length === 0) {
    if (takeFirstLines(content, 2).some((line) => /<?xml version=/.test(line))) return ["XML"];
    if (manualPage.test(base)) candidates = ["Roff Manpage", "Roff"];
  }
  const settled = settle(rules, base, content);
  return settled.length > 0 ? settled : candidates;
}

const manualPage = /\.(?:[1-9](?![0-9])[a-z_0-9]*|0p|n|man|mdoc)(?:\.in)?$/i;

/** Of both where they share something; of either where the other is silent. */
function narrow(before: readonly string[], found: readonly string[]): readonly string[] {
  if (before.length === 0) return found;
  const shared = before.filter((name) => found.includes(name));
  return shared.length > 0 ? shared : before;
}

function byExtension(rules: LinguistRules, base: string): readonly string[] {
  const name = base.toLowerCase();
  if (rules.data.generic.some((extension) => name.endsWith(extension))) return [];
  for (const extension of listExtensions(base)) {
    const candidates = rules.extensions.get(extension);
    if (candidates) return candidates;
  }
  return [];
}

function settle(rules: LinguistRules, base: string, content: string): readonly string[] {
  for (const extension of listExtensions(base)) {
    const heuristic = rules.heuristics.get(extension);
    if (heuristic) return applyHeuristic(heuristic, content);
  }
  return [];
}

/** As Linguist's encoding detector tells it: by signatures, and by a zero byte anywhere. */
function isBinary(content: string): boolean {
  if (texts.some((signature) => content.startsWith(signature))) return false;
  return binaries.some((signature) => content.startsWith(signature)) || content.includes("\0");
}

/** PostScript, and Unicode in units of two or four bytes. */
const texts = ["%!PS-Adobe-", "\xff\xfe", "\xfe\xff", "\0\0\xfe\xff"];
const binaries = ["\x89PNG\r\n\x1a\n", "GIF87a", "GIF89a", "%PDF-", "\xff\xd8\xff"];
