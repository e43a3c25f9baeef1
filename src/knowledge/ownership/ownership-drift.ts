/**
 * Compares ownership files with the history. Finds owners who no longer know their files, and people who know files but are not
 * owners.
 */
import type { KnownOwner, KnownRule, OwnershipRule } from "../../contract/people/ownership-rule.ts";
import type { PersonKnowledge } from "../measure-knowledge.ts";
import { createOwnership, findReach } from "./ownership.ts";

export interface OwnershipQuestion {
  /** The rules of one repository, in the order of its files and lines. */
  readonly rules: readonly KnownRule[];
  /** The requested files, grouped by `groupFiles`. */
  readonly parts: readonly FilePart[];
  /** The requested files or folders. A rule is judged only if it applies to nothing else. */
  readonly within: readonly string[];
  /** Whether no account of the person is known. The person may then be an owner under another address. */
  readonly isAccountless: (login: string) => boolean;
  /** Returns the ISO day of a person's latest work anywhere in the repository; undefined if there is none. */
  readonly lastDayOf: (login: string) => string | undefined;
  /** Returns the people who know the files with these numbers, best first, counting work of any age. */
  readonly knowersOf: (files: readonly number[]) => readonly RuleKnower[];
  /** The day of the question, in ISO format. */
  readonly asOf: string;
}

/** Files with the same rules in force. Files and rules are given as numbers. */
export interface FilePart {
  readonly rules: readonly number[];
  readonly files: readonly number[];
}

/** A person who knows the files of a rule. */
export interface RuleKnower extends Pick<PersonKnowledge, "login" | "share" | "commits"> {
  readonly rank: number;
  /** ISO day of the person's latest work on these files. */
  readonly lastDay: string;
}

/** The difference between one rule and the history. */
export interface OwnershipDrift {
  readonly rule: KnownRule;
  /** The number of files for which the rule is in force. */
  readonly files: number;
  /** Owners who no longer know these files. */
  readonly departed: readonly DepartedOwner[];
  /** Owners whom the history does not contain: an account without commits, or an address without a known account. */
  readonly unknown: readonly KnownOwner[];
  /** Teams. They are not judged, because no repository lists their members. */
  readonly teams: readonly KnownOwner[];
  /** People who know these files best and are not owners. Empty if a team is an owner, because the people may be members. */
  readonly unnamed: readonly RuleKnower[];
}

export interface DepartedOwner {
  readonly owner: KnownOwner;
  readonly login: string;
  /** What the owner still knows of these files; absent if the person never worked on them. */
  readonly knower?: RuleKnower;
  /** ISO day of the person's latest work anywhere in the repository. */
  readonly lastDay: string;
}

/** After this many years, work is stale. */
const staleYears = 2;
/** Owners with a better rank still know the files. */
const departedRankMin = 6;
/** Limits for suggesting a person as an owner. docs/ingest.md has the measurements behind them. */
const unnamedShareMin = 0.25;
const unnamedCommitsMin = 3;
/** The smallest share if an owner is not in the history. It is larger, because that owner may have done part of the work. */
const unnamedShareMinBesideUnknown = 0.5;

/** @returns the rules with owners that are in force for any file, and the results for the judged rules. */
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
      const knowers = question.knowersOf(files);
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
  /** The ISO day before which work is stale. */
  readonly staleBefore: string;
}

/** Finds owners who no longer know their files. Files on which nobody works need no owner. */
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

/** Finds the person who knows the files best, unless the person is an owner. */
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
  // A person without a known account may be an owner under another address. Bots are not suggested.
  const isHidden = isAccountless(first.login) && owners.some((owner) => "login" in owner);
  if (isHidden || /[-_]bot$/.test(first.login)) return [];
  const shareMin = unknown.length === 0 ? unnamedShareMin : unnamedShareMinBesideUnknown;
  return first.share >= shareMin ? [first] : [];
}

function isTeam(owner: KnownOwner): boolean {
  return "team" in owner;
}

interface Coverage {
  /** Numbers of the files for which the rule is in force. */
  readonly files: readonly number[];
  /** The owners of the rule, and of the other rules that apply to all of its files. */
  readonly owners: readonly KnownOwner[];
}

/** Groups files by their rules. Files without a rule in force are left out. */
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
    parts.getOrInsertComputed(key, () => ({ rules: here, files: [] })).files.push(file);
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
      const known = found.getOrInsertComputed(rule, () => ({ files: [], always: all }));
      known.files = [...known.files, ...files];
      known.always = known.always.intersection(all);
    }
  }
  const covered = new Map<KnownRule, Coverage>();
  for (const [number, { files, always }] of found) {
    const rule = rules[number];
    if (!rule) continue;
    const beside = [...always].flatMap((each) => rules[each] ?? []);
    // Teams in another kind of file are left out.
    const owners = beside.flatMap((other) =>
      other.owners.filter((owner) => other.form === rule.form || !isTeam(owner)),
    );
    covered.set(rule, { files, owners });
  }
  return covered;
}

function subtractYears(day: string, years: number): string {
  return `${Number(day.slice(0, 4)) - years}${day.slice(4)}`;
}
