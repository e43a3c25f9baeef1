import { createNameBook, matchesName } from "../contract/terms.ts";
import { normalise } from "./normalise.ts";
import type { Skill } from "./skills.ts";

/** A skill or role that a text may mean, and how well its names fit (see contract/terms.ts). */
export interface FoundTerm {
  readonly id: string;
  readonly name: string;
  readonly fit: number;
}

/** Creates a lookup of skills or roles by the beginnings of their names, and by similar names. */
export function createTermNames(terms: readonly Pick<Skill, "id" | "name" | "aliases">[]) {
  const book = createNameBook(
    terms.flatMap((bearer) =>
      [bearer.id, bearer.name, ...bearer.aliases].map((name) => ({
        name: normalise(name),
        tails: tailsOf(name),
        bearer,
      })),
    ),
  );
  return {
    /**
     * Every name begins with the empty text.
     * @param named the term that the whole text means, such as Angular for "Angular 17".
     */
    complete(text: string, named: { readonly id: string } | undefined): FoundTerm[] {
      const all = text === "" ? terms.map((term) => [term, matchesName.start] as const) : [];
      const found = new Map([...all, ...book.startingWith(normalise(text))]);
      const exact = named && terms.find(({ id }) => id === named.id);
      if (exact) found.set(exact, matchesName.exact);
      return listed(found);
    },
    similar: (text: string): FoundTerm[] => listed(book.near(normalise(text))),
  };
}

function listed(found: ReadonlyMap<Pick<Skill, "id" | "name">, number>): FoundTerm[] {
  return [...found].map(([{ id, name }, fit]) => ({ id, name, fit }));
}

/** Returns the ends of a name that begin at its later words: `onrails` and `rails` for "Ruby on Rails". */
function tailsOf(name: string): string[] {
  const words = name.split(/[\s/-]+/);
  return words.slice(1).map((_, at) => normalise(words.slice(at + 1).join(" ")));
}
