/**
 * Holds ownership files against what history says: owners who no longer know what they own, and people who know it
 * and are not named.
 */
import type { OwnershipRule, StatedOwner } from "../contract/people/ownership-rule.ts";
import { createOwnership } from "./ownership.ts";

export interface OwnershipQuestion {
  /** Of one repository, in the order of their files and lines. */
  readonly rules: readonly OwnershipRule[];
  /** The files that the repository has now. */
  readonly paths: readonly string[];
  /** Everybody whom a rule may mean: the people of all known histories. */
  readonly people: readonly OwnerCandidate[];
  /** Host of the repository's forge, whose accounts its rules name; undefined when it is not known. */
  readonly forge: string | undefined;
  /** Everybody who worked on the files of a rule, under earlier names of the files as well, best first. */
  readonly knowersOf: (covered: CoveredFiles) => readonly RuleKnower[];
  /** ISO day. */
  readonly asOf: string;
}

/** A person whom a rule may name. */
export interface OwnerCandidate {
  readonly login: string;
  /** As `github.com/ada`. */
  readonly accounts: readonly string[];
  readonly emails: readonly string[];
}

export interface CoveredFiles {
  readonly rule: OwnershipRule;
  /** The files for which the rule is in force. */
  readonly paths: readonly string[];
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
  readonly rule: OwnershipRule;
  /** Number of files for which the rule is in force; 0 when later rules or the tree leave it none. */
  readonly files: number;
  /** Owners who do not know these files, or no longer. */
  readonly departed: readonly DepartedOwner[];
  /** Owners whom no history shows: an account without commits, one whose address tells no account, or a group. */
  readonly unknown: readonly StatedOwner[];
  /** Teams, whose members no repository tells: they are not judged. */
  readonly teams: readonly StatedOwner[];
  /** People who know these files best and are not named; never told where a team is, of which they may be members. */
  readonly unnamed: readonly RuleKnower[];
}

interface DepartedOwner {
  readonly owner: StatedOwner;
  readonly login: string;
  /** What is left of their knowledge; absent for who never worked there. */
  readonly knower?: RuleKnower;
}

/** The half-life of evidence in the model: of what was known then, at most half is left. */
const staleYears = 2;
/** Whoever is among the first five still answers questions, even long after the last commit. */
const departedRankMin = 6;
/** Rules name few people; the fourth is no owner that is missing. */
const unnamedRankMax = 3;
/**
 * Seven in ten of those among the first three with so much of it are owners, where every owner is known; one in four of
 * those with a smaller share, one in six of those with fewer commits (12 public repositories, docs/ingest.md).
 */
const unnamedShareMin = 0.25;
const unnamedCommitsMin = 3;

/** @returns one entry for each rule with owners, in the order of the rules. */
export function findOwnershipDrift(question: OwnershipQuestion): readonly OwnershipDrift[] {
  const { rules, paths, people, forge } = question;
  const personOf = createOwnerLookup(people, forge);
  const staleBefore = subtractYears(question.asOf, staleYears);
  const accountless = new Set(
    people.filter(({ accounts }) => accounts.length === 0).map(({ login }) => login),
  );
  const coverage = coverFiles(rules, paths);
  return rules
    .filter(({ owners }) => owners.length > 0)
    .map((rule) => {
      const covered = coverage.get(rule) ?? { paths: [], owners: rule.owners };
      const files = covered.paths.length;
      const knowers = files > 0 ? question.knowersOf({ rule, paths: covered.paths }) : [];
      const judged = { owners: rule.owners, knowers, staleBefore, personOf };
      const everyOwner = { ...judged, owners: covered.owners, accountless };
      return {
        ...{ rule, files },
        departed: files > 0 ? findDeparted(judged) : [],
        unknown: rule.owners.filter((owner) => !isTeam(owner) && personOf(owner) === undefined),
        teams: rule.owners.filter(isTeam),
        unnamed: findUnnamed(everyOwner),
      };
    });
}

interface JudgedOwners {
  readonly owners: readonly StatedOwner[];
  readonly knowers: readonly RuleKnower[];
  /** ISO day. */
  readonly staleBefore: string;
  readonly personOf: OwnerLookup;
}

function findDeparted({ owners, knowers, staleBefore, personOf }: JudgedOwners) {
  return owners.flatMap((owner): readonly DepartedOwner[] => {
    const login = personOf(owner);
    if (login === undefined) return [];
    const knower = knowers.find((each) => each.login === login);
    if (!knower) return [{ owner, login }];
    const isGone = knower.lastDay < staleBefore && knower.rank >= departedRankMin;
    return isGone ? [{ owner, login, knower }] : [];
  });
}

function findUnnamed({
  owners,
  knowers,
  staleBefore,
  personOf,
  accountless,
}: JudgedOwners & { readonly accountless: ReadonlySet<string> }): readonly RuleKnower[] {
  if (owners.some(isTeam)) return [];
  const logins = owners.map(personOf);
  const named = new Set(logins);
  // An owner whom no history shows may be somebody whose account no history shows.
  const isHidden = logins.includes(undefined);
  return knowers.filter(
    ({ login, rank, share, commits, lastDay }) =>
      rank <= unnamedRankMax &&
      share >= unnamedShareMin &&
      commits >= unnamedCommitsMin &&
      lastDay >= staleBefore &&
      !named.has(login) &&
      !(isHidden && accountless.has(login)),
  );
}

function isTeam(owner: StatedOwner): boolean {
  return "team" in owner;
}

interface Coverage {
  readonly paths: string[];
  /** How many of the paths each rule holds for as well. */
  readonly beside: Map<OwnershipRule, number>;
}

/** @returns for each rule its files, and its owners with those of the rules that hold for every one of them as well. */
function coverFiles(rules: readonly OwnershipRule[], paths: readonly string[]) {
  const rulesOf = createOwnership(rules);
  const found = new Map<OwnershipRule, Coverage>();
  for (const path of paths) {
    const here = rulesOf(path);
    for (const rule of here) {
      const covered: Coverage = found.get(rule) ?? { paths: [], beside: new Map() };
      found.set(rule, covered);
      covered.paths.push(path);
      for (const other of here) covered.beside.set(other, (covered.beside.get(other) ?? 0) + 1);
    }
  }
  return new Map(
    [...found].map(([rule, { paths, beside }]) => {
      const always = [...beside].filter(([, files]) => files === paths.length);
      const owners = always.flatMap(([other]) =>
        // A team for everything beside a list of people for each part says nothing about the parts.
        other.form === rule.form ? other.owners : other.owners.filter((owner) => !isTeam(owner)),
      );
      return [rule, { paths, owners }];
    }),
  );
}

/** @returns the login of the person whom an owner of a rule means; undefined when it is nobody, or could be several. */
type OwnerLookup = (owner: StatedOwner) => string | undefined;

/** An account of the repository's own forge is meant first; a mirror elsewhere still names those of its origin. */
function createOwnerLookup(
  people: readonly OwnerCandidate[],
  forge: string | undefined,
): OwnerLookup {
  const found = new Map<string, Set<string>>();
  const add = (key: string, login: string): void => {
    const folded = key.toLowerCase();
    found.set(folded, (found.get(folded) ?? new Set<string>()).add(login));
  };
  for (const { login, accounts, emails } of people) {
    for (const account of accounts) {
      add(account, login);
      add(`@${account.slice(account.indexOf("/") + 1)}`, login);
    }
    for (const email of emails) add(email, login);
  }
  const only = (key: string): string | undefined => {
    const [login, ...others] = found.get(key.toLowerCase()) ?? [];
    return others.length === 0 ? login : undefined;
  };
  return (owner) => {
    if ("email" in owner) return only(owner.email);
    if (!("login" in owner)) return undefined;
    return only(`${forge}/${owner.login}`) ?? only(`@${owner.login}`);
  };
}

function subtractYears(day: string, years: number): string {
  return `${Number(day.slice(0, 4)) - years}${day.slice(4)}`;
}
