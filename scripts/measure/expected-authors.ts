/** What was written down of the most active authors of some repositories before they were first looked at. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UnusableInput } from "./measurement.ts";

export interface ExpectedAuthor {
  /** Roles of which any would do; "none" when there is too little for any. */
  readonly roles: readonly string[];
  /** Ids or names of skills: one of each list is expected. */
  readonly skills: readonly (readonly string[])[];
}

const shipped = join(import.meta.dir, "expected-people.tsv");

/** @returns what is expected by repository and rank, as `owner/name rank`. */
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
