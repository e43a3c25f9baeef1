/** Invents the people of large histories: their names, and the spellings that some of them commit under. */
import type { Chance } from "../../seeding/demo/chance.ts";
import { readNames } from "../../seeding/demo/lists.ts";

export interface Signature {
  readonly name: string;
  readonly email: string;
}

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

/** Gives a person several signatures, in one of the ways in which that happens. More than half of the people have one. */
function aliasesOf(
  usual: Signature,
  { handle, number, form }: { handle: string; number: number; form: number },
): Pick<Author, "signatures" | "mailmap"> {
  const account = handle.replaceAll(".", "-");
  const noreply = { name: usual.name, email: `${number}+${account}@users.noreply.github.com` };
  const old = { name: account, email: `${account}@users.noreply.github.com` };
  const work = { name: usual.name, email: `${handle}@work.example.net` };
  const mapped = (to: Signature, from: Signature) => `${to.name} <${to.email}> <${from.email}>`;
  switch (form) {
    case 1:
      return { signatures: [usual, work], mailmap: [mapped(usual, work)] };
    case 2:
      return { signatures: [noreply, old], mailmap: [] };
    case 3:
      return { signatures: [usual, noreply, old], mailmap: [mapped(usual, noreply)] };
    case 4: {
      const short = { name: account, email: usual.email.toUpperCase() };
      return { signatures: [usual, short], mailmap: [] };
    }
    default:
      return { signatures: [usual], mailmap: [] };
  }
}
