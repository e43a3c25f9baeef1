/** Parses CODEOWNERS files as GitHub and GitLab document them. A line that the forge would skip is skipped and reported. */
import type {
  OwnershipRule,
  RepositoryOwnership,
  StatedOwner,
  UnreadOwnership,
} from "../../../contract/people/ownership-rule.ts";

type Form = "github" | "gitlab";

/** The most characters of a line, and of a pattern with wildcards. Longer lines and patterns are skipped. */
const lineMax = 4096;
const globMax = 256;

/** @param most how many rules the caller accepts. Parsing stops after one rule more. @package */
export function parseCodeOwners(
  text: string,
  at: { readonly file: string; readonly form: Form },
  most = Number.POSITIVE_INFINITY,
): RepositoryOwnership {
  const rules: OwnershipRule[] = [];
  const unread: UnreadOwnership[] = [];
  let section: Section = { owners: [] };
  for (const [index, written] of text.split("\n").entries()) {
    if (rules.length > most) break;
    const found = parseLine(written, at.form, section);
    if (!found) continue;
    const place = { file: at.file, line: index + 1 };
    if ("reason" in found) {
      if (unread.length < most) unread.push({ ...place, ...found });
    } else if ("begins" in found) section = found.begins;
    else rules.push({ form: at.form, ...place, ...found });
  }
  return { rules, unread };
}

/** A section of a GitLab file. The rules of each section are evaluated separately. */
interface Section {
  readonly name?: string;
  /** The owners of those rules in the section that name no owner. */
  readonly owners: readonly StatedOwner[];
}

type Line =
  | { readonly begins: Section }
  | Pick<UnreadOwnership, "reason" | "isLimit">
  | Pick<OwnershipRule, "pattern" | "owners" | "section" | "isExclusion">;

function parseLine(written: string, form: Form, section: Section): Line | undefined {
  const isLimit = true;
  if (written.length > lineMax) return { reason: `longer than ${lineMax} characters`, isLimit };
  const line = written.trim();
  if (line === "" || line.startsWith("#")) return undefined;
  const found = form === "github" ? parseGithubLine(line) : parseGitlabLine(line, section);
  const isLong = "pattern" in found && found.pattern.length > globMax;
  if (!isLong || !/[*?[]/.test(found.pattern)) return found;
  return { reason: `a pattern with wildcards, longer than ${globMax} characters`, isLimit };
}

function parseGithubLine(line: string): Line {
  const words = splitWords(line);
  const comment = words.findIndex((word) => word.startsWith("#"));
  const [pattern = "", ...names] = comment < 0 ? words : words.slice(0, comment);
  if (pattern.startsWith("!")) return { reason: "GitHub knows no patterns that begin with !" };
  if (pattern.startsWith("\\#")) return { reason: "GitHub knows no patterns that begin with \\#" };
  if (/[[\]]/.test(pattern)) return { reason: "GitHub knows no ranges in square brackets" };
  if (pattern.includes("***")) return { reason: "three stars mean nothing" };
  const owners = names.map(parseOwner);
  if (owners.includes(undefined)) return { reason: "an owner is no @login, @team or e-mail" };
  return { pattern, owners: owners.filter((owner) => owner !== undefined) };
}

function parseGitlabLine(line: string, section: Section): Line {
  const [, heading, defaults = ""] = headingForm.exec(line) ?? [];
  if (heading) {
    const name = heading.trim().toLowerCase();
    return { begins: { name, owners: listOwners(splitWords(defaults)) } };
  }
  const [first = "", ...names] = splitWords(line);
  const isExclusion = first.startsWith("!");
  const pattern = first.replace(/^!/, "").replace(/^\\#/, "#");
  if (pattern === "") return { reason: "no pattern after !" };
  const named = section.name !== undefined && { section: section.name };
  if (isExclusion) return { pattern, owners: [], ...named, isExclusion };
  return { pattern, owners: names.length > 0 ? listOwners(names) : section.owners, ...named };
}

/** The heading of a section, for example `[Name]`, `^[Name]` or `[Name][2]`, followed by default owners. */
const headingForm = /^\^?\[([^\]]+)\](?:\[\d+\])?(.*)$/;

/** @package Whether a text has a section, which only GitLab supports. */
export function hasSections(text: string): boolean {
  return text.split("\n").some((line) => line.length <= lineMax && headingForm.test(line.trim()));
}

/** Lists the owners among words. Ignores words that are not owners. */
function listOwners(words: readonly string[]): readonly StatedOwner[] {
  return words.flatMap((word) => parseOwner(word) ?? []);
}

function parseOwner(word: string): StatedOwner | undefined {
  if (/^@[\w.-]{1,100}$/.test(word)) return { login: word.slice(1) };
  if (/^@@?[\w.-]{1,100}(\/[\w.-]{1,100}){0,20}$/.test(word)) return { team: word.slice(1) };
  if (/^[^\s@]{1,200}@[^\s@]{1,200}$/.test(word)) return { email: word };
  return undefined;
}

/** Splits at white space. A space after a backslash belongs to the word. */
function splitWords(line: string): readonly string[] {
  return line.match(/(?:\\.|\S)+/gs) ?? [];
}
