/** The request and answer of `lookup_terms`, and the matching of names. */
import { distance } from "fastest-levenshtein";
import { createCountSchema, createForeignTextSchema, createRangeSchema } from "./field-schemas.ts";
import { limits } from "./limits.ts";
import { createRequestText } from "./requests.ts";
import { createComponent, createEnumSchema, createObject, type Static, Type } from "./schema.ts";

export const termKinds = ["place", "skill", "role", "repository"] as const;
export type TermKind = (typeof termKinds)[number];

export const LookupRequest = createObject({
  q: Type.Optional(
    createRequestText(
      "Name, its beginning or a misspelling, e.g. Ber, k8s, acme/. Left out: the names with most people.",
    ),
  ),
  kind: Type.Optional(
    createEnumSchema(
      termKinds,
      "Kind of names; languages and databases are skills. Default: all kinds.",
    ),
  ),
  limit: createRangeSchema("Number of names", [1, limits.termsMax], limits.termsDefault),
});
export type LookupRequest = Static<typeof LookupRequest>;

export const KnownTerm = createComponent("Term", {
  kind: createEnumSchema(
    termKinds,
    "Kind of term. Search for it with location, skills, role or repositories.",
  ),
  name: createForeignTextSchema("Name to search for."),
  people: createCountSchema("Number of people who match it."),
});
export type KnownTerm = Static<typeof KnownTerm>;

export const LookupData = createComponent("LookupData", {
  terms: Type.Array(KnownTerm, {
    description: "Matching terms, best first; empty if none is similar.",
  }),
});
export type LookupData = Static<typeof LookupData>;

/** How well a name matches a text: the lower the better. */
export const matchesName = { exact: 0, start: 1, word: 2, near: 3 } as const;

/** An index that finds things by their names. Names are in lower case and without accents. */
export type NameBook<T> = ReturnType<typeof createNameBook<T>>;

/** A name, e.g. `new york city`, and its tails `york city` and `city`. */
export interface KnownName<T> {
  readonly name: string;
  readonly tails: readonly string[];
  readonly bearer: T;
}

/** The longest text that is compared with names. */
const textMax = 60;
/** The share of characters that must agree in a near match. */
const alikeMin = 0.62;

export function createNameBook<T>(names: Iterable<KnownName<T>>) {
  const starts: { readonly key: string; readonly isFullName: boolean; readonly bearer: T }[] = [];
  const spellings: (Spelling & { readonly bearer: T })[] = [];
  for (const { name, tails, bearer } of names) {
    starts.push({ key: name, isFullName: true, bearer });
    for (const key of tails) starts.push({ key, isFullName: false, bearer });
    spellings.push({ ...spelling(name), bearer });
  }
  starts.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));

  return {
    /** Finds things with a word in the name that begins with the text. The lower the value, the better the name matches. */
    startingWith(start: string): ReadonlyMap<T, number> {
      const found = new Map<T, number>();
      if (start === "") return found;
      const first = findFirstNot((at) => (starts[at]?.key ?? "") < start, starts.length);
      for (let at = first; starts[at]?.key.startsWith(start); at++) {
        const { key, isFullName, bearer } = starts[at] as (typeof starts)[number];
        const fit = !isFullName
          ? matchesName.word
          : key === start
            ? matchesName.exact
            : matchesName.start;
        if (fit < (found.get(bearer) ?? matchesName.near)) found.set(bearer, fit);
      }
      return found;
    },
    /** Finds things with a name that is similar to the text. The lower the value, the better the name matches. */
    near(text: string): ReadonlyMap<T, number> {
      const found = new Map<T, number>();
      const { bare: wanted, letters: wantedLetters } = spelling(text);
      if (wanted === "" || wanted.length > textMax) return found;
      for (const { bare, letters, bearer } of spellings) {
        const longest = Math.max(bare.length, wanted.length);
        const editsMax = Math.floor(longest * (1 - alikeMin));
        if (Math.abs(bare.length - wanted.length) > editsMax) continue;
        // One edit changes at most two bits. This check is faster than computing the distance.
        if (bitsIn(letters ^ wantedLetters) > 2 * editsMax) continue;
        const edits = distance(bare, wanted);
        const fit = matchesName.near + edits / longest;
        if (edits <= editsMax && fit < (found.get(bearer) ?? Infinity)) found.set(bearer, fit);
      }
      return found;
    },
  };
}

/** Finds the first row for which the test fails, by binary search. All rows before it must pass the test. */
export function findFirstNot(passes: (row: number) => boolean, rows: number): number {
  let low = 0;
  let high = rows;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Spelling {
  /** The name without spaces, because people often leave them out. */
  readonly bare: string;
  /** The letters of the name as a set of bits. Several letters share a bit. */
  readonly letters: number;
}

function spelling(name: string): Spelling {
  const bare = name.includes(" ") ? name.replaceAll(" ", "") : name;
  let letters = 0;
  for (let at = 0; at < bare.length; at++) letters |= 1 << (bare.charCodeAt(at) & 31);
  return { bare, letters };
}

function bitsIn(word: number): number {
  let bits = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}
