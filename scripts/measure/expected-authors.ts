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
  const found = new Map<string, ExpectedAuthor>();
  const lines = readFileSync(path, "utf8").split("\n");
  for (const line of lines) {
    if (line === "" || line.startsWith("#") || line.startsWith("repository\t")) continue;
    const [repository, rank, roles, skills] = line.split("\t");
    if (!repository || !rank || !roles || !skills) {
      throw new UnusableInput(`${path}: "${line}" has not four columns.`);
    }
    const wanted = skills.split(" ").map((each) => each.split("|"));
    found.set(`${repository} ${rank}`, { roles: roles.split("|"), skills: wanted });
  }
  return found;
}
