/**
 * Holds ownership files against what history says: owners who no longer know what they own, and people who know it
 * and are not named.
 */
import type { KnownOwner, KnownRule, OwnershipRule } from "../../contract/people/ownership-rule.ts";
import { createOwnership, findReach } from "./ownership.ts";

export interface OwnershipQuestion {
  /** Of one repository, in the order of their files and lines. */
  readonly rules: readonly KnownRule[];
  /** The files that are asked about, by `groupFiles`. */
  readonly parts: readonly FilePart[];
  /** Files or folders with all of these files; only rules that cannot hold outside of them are judged. */
  readonly within: readonly string[];
  /** Whether no account of a person is known, so that they may be an owner under another address. */
  readonly isAccountless: (login: string) => boolean;
  /** ISO day of a person's latest work anywhere in the repository; undefined for who never worked there. */
  readonly lastDayOf: (login: string) => string | undefined;
  /** Who knows the files of a rule, best first, with work of any age. */
  readonly knowersOf: (covered: CoveredFiles) => readonly RuleKnower[];
  /** ISO day. */
  readonly asOf: string;
}

/** Files for which the same rules are in force, all as numbers. */
export interface FilePart {
  readonly rules: readonly number[];
  readonly files: readonly number[];
}

export interface CoveredFiles {
  readonly rule: KnownRule;
  /** The files for which the rule is in force, by number. */
  readonly files: readonly number[];
}

/** A person who knows the files of a rule. */
export interface RuleKnower {
  readonly login: string;
  /** From 1. */
  readonly rank: number;
  /** Of all that is known of these files, 0 to 1. */
  readonly share: number;
  /** Theirs that changed one of these files. */
  readonly commits: number;
  /** ISO day of the latest work there. */
  readonly lastDay: string;
}

/** How far one rule is from what history says. */
export interface OwnershipDrift {
  readonly rule: KnownRule;
  /** Number of files for which the rule is in force. */
  readonly files: number;
  /** Owners who no longer know these files. */
  readonly departed: readonly DepartedOwner[];
  /** Owners that appear in no history: an account without commits, or an address without a known account. */
  readonly unknown: readonly KnownOwner[];
  /** Teams. They are not judged, because no repository lists their members. */
  readonly teams: readonly KnownOwner[];
  /** Who knows these files best and is not named; never told where a team is, of which they may be a member. */
  readonly unnamed: readonly RuleKnower[];
}

export interface DepartedOwner {
  readonly owner: KnownOwner;
  readonly login: string;
  /** What is left of their knowledge; absent for who never worked on these files. */
  readonly knower?: RuleKnower;
  /** ISO day of their latest work anywhere in the repository. */
  readonly lastDay: string;
}

/** The half-life of evidence in the model: of what was known then, at most half is left. */
const staleYears = 2;
/** A person among the first five can still answer questions, even long after the last commit. */
const departedRankMin = 6;
/**
 * Seven in ten of those among the first three with so much of it are owners, where every owner is known; one in four of
 * those with a smaller share, one in six of those with fewer commits (12 public repositories, docs/ingest.md).
 */
const unnamedShareMin = 0.25;
const unnamedCommitsMin = 3;
/** More than all others together: required beside an owner that appears in no history, because any work may be theirs. */
const unnamedShareMinBesideUnknown = 0.5;

/** @returns the judged rules with owners that are in force for any file, in their order, and how many are in force. */
export function findOwnershipDrift(question: OwnershipQuestion): {
  readonly inForce: readonly KnownRule[];
  readonly judged: readonly OwnershipDrift[];
} {
  const staleBefore = subtractYears(question.asOf, staleYears);
  const coverage = coverFiles(question.rules, question.parts);
  const inForce = question.rules.filter((rule) => rule.owners.length > 0 && coverage.has(rule));
  const judged = inForce
    .filter((rule) => isWithin(findReach(rule), question.within))
    .map((rule) => {
      const { files, owners } = coverage.get(rule) ?? { files: [], owners: [] };
      const knowers = question.knowersOf({ rule, files });
      const judging = { ...question, knowers, staleBefore };
      return {
        rule,
        files: files.length,
        departed: findDeparted(rule.owners, judging),
        unknown: rule.owners.filter((owner) => !isTeam(owner) && owner.person === undefined),
        teams: rule.owners.filter(isTeam),
        unnamed: findUnnamed(owners, judging),
      };
    });
  return { inForce, judged };
}

function isWithin(path: string, folders: readonly string[]): boolean {
  return folders.some(
    (folder) => folder === "" || path === folder || path.startsWith(`${folder}/`),
  );
}

interface Judging extends Pick<OwnershipQuestion, "isAccountless" | "lastDayOf"> {
  readonly knowers: readonly RuleKnower[];
  /** ISO day. */
  readonly staleBefore: string;
}

/** A person who works elsewhere in the repository may review changes here; and files that no one changes need no owner. */
function findDeparted(
  owners: readonly KnownOwner[],
  { knowers, staleBefore, lastDayOf }: Judging,
): readonly DepartedOwner[] {
  if (!knowers.some(({ lastDay }) => lastDay >= staleBefore)) return [];
  return owners.flatMap((owner): readonly DepartedOwner[] => {
    const login = owner.person;
    const lastDay = login === undefined ? undefined : lastDayOf(login);
    if (login === undefined || lastDay === undefined) return [];
    const knower = knowers.find((each) => each.login === login);
    if (!knower) return lastDay < staleBefore ? [{ owner, login, lastDay }] : [];
    const isGone = knower.lastDay < staleBefore && knower.rank >= departedRankMin;
    return isGone ? [{ owner, login, knower, lastDay }] : [];
  });
}

/** Only who knows more than any owner: the others may have done no more than help. */
function findUnnamed(
  owners: readonly KnownOwner[],
  { knowers, staleBefore, isAccountless }: Judging,
): readonly RuleKnower[] {
  const [first] = knowers;
  if (!first || owners.some(isTeam) || first.lastDay < staleBefore) return [];
  if (first.commits < unnamedCommitsMin) return [];
  const unknown = owners.filter(({ person }) => person === undefined);
  const isUnknown = unknown.some(
    (owner) => "login" in owner && owner.login.toLowerCase() === first.login,
  );
  if (isUnknown || owners.some(({ person }) => person === first.login)) return [];
  // A person without an account may be an owner under another address, and a robot is not expected to own anything.
  const isHidden = isAccountless(first.login) && owners.some((owner) => "login" in owner);
  if (isHidden || /[-_]bot$/.test(first.login)) return [];
  const shareMin = unknown.length === 0 ? unnamedShareMin : unnamedShareMinBesideUnknown;
  return first.share >= shareMin ? [first] : [];
}

function isTeam(owner: KnownOwner): boolean {
  return "team" in owner;
}

interface Coverage extends Pick<CoveredFiles, "files"> {
  /** Of the rule, and of those rules that hold for every one of its files as well. */
  readonly owners: readonly KnownOwner[];
}

/** Files for which no rule is in force are in no part. */
export function groupFiles(
  rules: readonly OwnershipRule[],
  paths: readonly string[],
): readonly FilePart[] {
  const rulesOf = createOwnership(rules);
  const numbers = new Map(rules.map((rule, at) => [rule, at]));
  const parts = new Map<string, { readonly rules: readonly number[]; readonly files: number[] }>();
  for (const [file, path] of paths.entries()) {
    const here = rulesOf(path).map((rule) => numbers.get(rule) ?? -1);
    if (here.length === 0) continue;
    const key = here.join(" ");
    const part = parts.get(key);
    if (part) part.files.push(file);
    else parts.set(key, { rules: here, files: [file] });
  }
  return [...parts.values()];
}

function coverFiles(
  rules: readonly KnownRule[],
  parts: readonly FilePart[],
): ReadonlyMap<KnownRule, Coverage> {
  const found = new Map<number, { files: number[]; always: Set<number> }>();
  for (const { rules: here, files } of parts) {
    const all = new Set(here);
    for (const rule of here) {
      const known = found.get(rule);
      if (known) {
        known.files = [...known.files, ...files];
        known.always = known.always.intersection(all);
      } else found.set(rule, { files: [...files], always: all });
    }
  }
  const covered = new Map<KnownRule, Coverage>();
  for (const [number, { files, always }] of found) {
    const rule = rules[number];
    if (!rule) continue;
    const beside = [...always].flatMap((each) => rules[each] ?? []);
    covered.set(rule, { files, owners: beside.flatMap(ownersBeside(rule)) });
  }
  return covered;
}

/** A team for everything beside a list of people for each part says nothing about the parts. */
function ownersBeside({ form }: OwnershipRule): (other: KnownRule) => readonly KnownOwner[] {
  return (other) =>
    other.form === form ? other.owners : other.owners.filter((owner) => !isTeam(owner));
}

function subtractYears(day: string, years: number): string {
  return `${Number(day.slice(0, 4)) - years}${day.slice(4)}`;
}
