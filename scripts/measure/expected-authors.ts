/**
 * Reads what people wrote down about the most active authors of some repositories before they looked at Roster's figures.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
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

function readRows(path: string): readonly ExpectedColleague[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line) => {
    if (line === "" || line.startsWith("#") || line.startsWith("repository\t")) return [];
    const [repository, rank, roles, skills, half = "", , commit = ""] = line.split("\t");
    if (!repository || !rank || !roles || !skills) {
      throw new UnusableInput(`${path}: "${line}" has not four columns.`);
    }
    const wanted = skills.split(" ").map((each) => each.split("|"));
    return [{ repository, rank, roles: roles.split("|"), skills: wanted, half, commit }];
  });
}
