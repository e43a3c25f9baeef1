/** Invents the people of large histories: their names, and the spellings that some of them commit under. */
import type { Chance } from "../../seeding/demo/chance.ts";
import { readNames } from "../../seeding/demo/lists.ts";
import { aliasesOf, type Signature } from "../planted/people.ts";

export interface Author {
  /** The first is the usual one. */
  readonly signatures: readonly Signature[];
  /** Lines for the `.mailmap` of a repository. */
  readonly mailmap: readonly string[];
  /** Says which part of a repository is theirs. */
  readonly lean: number;
}

/** @returns one after the other, those who do most first. */
export function inventAuthors(count: number, chance: Chance): Author[] {
  const lists = [...readNames().values()];
  return Array.from({ length: count }, (_, at) => {
    const { given, family } = chance.pick(lists);
    // With the few family names of a list alone, most people would share their name with many.
    const families = [chance.pick(family), ...(chance.is(75) ? [chance.pick(family)] : [])];
    const name = `${chance.pick(given)} ${families.join("-")}`;
    const number = 7_000_000 + at * 17;
    const handle = `${toAscii(name)}.${number % 1_000_000}`;
    const usual = { name, email: `${handle}@example.org` };
    // Four of these forms have several spellings.
    const spelt = aliasesOf(usual, { handle, number, form: chance.whole(1, 12) });
    return { ...spelt, lean: chance.whole(0, 999) };
  });
}

function toAscii(name: string): string {
  const letters = name.normalize("NFD").replace(/[^a-z -]/gi, "");
  return letters.toLowerCase().replace(/[ -]+/g, ".");
}
