/** Reads what people wrote down about the most active authors of some repositories before they looked at Roster's figures. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProfileAnalysis } from "../../src/contract/people/profile-analysis.ts";
import { readListLines } from "../../src/vocabulary/list-lines.ts";
import type { Vocabulary } from "../../src/vocabulary/vocabulary.ts";
import { UnusableInput } from "./measurement.ts";

export interface ExpectedAuthor {
  /** Acceptable roles; "none" for a person who has too little evidence for any role. */
  readonly roles: readonly string[];
  /** Ids or names of skills: at least one of each list is expected. */
  readonly skills: readonly (readonly string[])[];
}

const shipped = join(import.meta.dir, "expected-people.tsv");

/** @returns the expected author by repository and rank, as `owner/name rank`. */
export function readExpectedAuthors(path = shipped): ReadonlyMap<string, ExpectedAuthor> {
  return new Map(readRows(path).map((row) => [`${row.repository} ${row.rank}`, row]));
}

/** Somebody of expected-colleagues.tsv. */
export interface ExpectedColleague extends ExpectedAuthor {
  /** As `owner/name`. */
  readonly repository: string;
  readonly rank: string;
  /** "A" for making rules, "B" for judging them once. */
  readonly half: string;
  /** Abbreviated name of a commit of theirs. */
  readonly commit: string;
}

export function readExpectedColleagues(): readonly ExpectedColleague[] {
  return readRows(join(import.meta.dir, "expected-colleagues.tsv"));
}

/** Among so many of the strongest skills the expected ones should be. */
const skillsLooked = 8;

/** Holds the first role and the first eight skills against what was expected. Each list takes a skill of its own. */
export function compareAuthor(
  analysis: ProfileAnalysis,
  wanted: ExpectedAuthor,
  vocabulary: Vocabulary,
) {
  const role = analysis.roleMatch[0]?.role ?? "none";
  const { skills } = analysis.repositories;
  const first = skills.slice(0, skillsLooked).map(({ skill }) => skill.toLowerCase());
  const nameOf = (id: string) =>
    (vocabulary.findLanguage(id) ?? vocabulary.findSkill(id))?.name ?? id;
  const lists = wanted.skills.map((any) =>
    any.map((id) => first.indexOf(nameOf(id).toLowerCase())).filter((at) => at >= 0),
  );
  return {
    role,
    /** The first skills, with their strengths. */
    held: skills.slice(0, skillsLooked).map(({ skill, strength }) => `${skill} ${strength}`),
    isRole: wanted.roles.includes(role),
    /** Lists of skills that none of the first serves. */
    lacking: listUnserved(lists).map((at) => wanted.skills[at] ?? []),
  };
}

/** Serves the lists with different skills, as many as can be. @returns those without one. */
function listUnserved(lists: readonly (readonly number[])[]): readonly number[] {
  const servedBy = new Map<number, number>();
  const serve = (list: number, tried: Set<number>): boolean =>
    (lists[list] ?? []).some((skill) => {
      if (tried.has(skill)) return false;
      tried.add(skill);
      const other = servedBy.get(skill);
      if (other !== undefined && !serve(other, tried)) return false;
      servedBy.set(skill, list);
      return true;
    });
  return lists.flatMap((_, at) => (serve(at, new Set()) ? [] : [at]));
}

/** @returns what is otherwise than expected; "" if nothing is. */
export function describeMiss(
  { roles }: ExpectedAuthor,
  { role, isRole, lacking }: Omit<ReturnType<typeof compareAuthor>, "held">,
): string {
  const found = isRole ? "" : ` role ${role}, not ${roles.join("|")};`;
  const without = lacking.map((any) => any.join("|")).join(" and ");
  return `${found}${without && ` without ${without}`}`;
}

function readRows(path: string): readonly ExpectedColleague[] {
  return readListLines(readFileSync(path, "utf8")).flatMap((line) => {
    if (line.startsWith("repository\t")) return [];
    const [repository, rank, roles, skills, half = "", , commit = ""] = line.split("\t");
    if (!repository || !rank || !roles || !skills) {
      throw new UnusableInput(`${path}: "${line}" has not four columns.`);
    }
    const wanted = skills.split(" ").map((each) => each.split("|"));
    return [{ repository, rank, roles: roles.split("|"), skills: wanted, half, commit }];
  });
}
