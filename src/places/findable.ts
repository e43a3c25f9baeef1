import { createNameBook, type KnownName, type NameBook } from "../contract/terms.ts";
import { foldPlaceName } from "./fold.ts";
import { everywhere, type Gazetteer } from "./gazetteer.ts";
import { getNameMarks, getPlaceNumber, nameMarks } from "./gazetteer-file.ts";

/** How many people of the pool are in each place, by its id; the same object while the pool is the same. */
export type PeopleByPlace = ReadonlyMap<string, number>;

/**
 * The places that an answer may name, for one state of the pool. A search for one finds its people, or none in
 * a country or region that has none (decision 33).
 *
 * @package
 */
export interface FindableNames {
  /** Places with a name that begins so, or is similar, with the fit (see contract/terms.ts). */
  startingWith(text: string): readonly (readonly [number, number])[];
  near(text: string): readonly (readonly [number, number])[];
  /** How many people of the pool are in the place. */
  people(number: number): number;
  /** Whether a search for the full name of the place finds it, and not a namesake. */
  isMeant(number: number): boolean;
  /** Places with people, most people first; metros and macro regions last. */
  largest(): readonly number[];
}

/** @package */
export function createFindable(
  gazetteer: Gazetteer,
  find: (text: string) => readonly number[],
): (people: PeopleByPlace) => FindableNames {
  const byState = new WeakMap<PeopleByPlace, FindableNames>();
  const books = openBooks(gazetteer);

  function open(peopleById: PeopleByPlace): FindableNames {
    const counts = new Map<number, number>();
    for (const [id, count] of peopleById) {
      const number = gazetteer.numberById(id);
      if (number !== undefined && count > 0) counts.set(number, count);
    }
    const people = (number: number) => counts.get(number) ?? 0;
    const { supported, inhabited } = books(counts.keys());
    const isFindable = ([number]: readonly [number, number]) =>
      counts.has(number) || gazetteer.kind(number) !== "city";
    // The book of supported places has all names of a place, and so the better fit.
    const ask = (way: keyof NameBook<number>, text: string) =>
      [...new Map([...inhabited[way](text), ...supported[way](text)])].filter(isFindable);
    let largest: readonly number[] | undefined;
    return {
      startingWith: (text) => ask("startingWith", text),
      near: (text) => ask("near", text),
      people,
      isMeant: meaning(gazetteer, find, people),
      largest() {
        largest ??= bySize(counts, gazetteer);
        return largest;
      },
    };
  }

  return (people) => byState.getOrInsertComputed(people, open);
}

function bySize(counts: ReadonlyMap<number, number>, gazetteer: Gazetteer): readonly number[] {
  const isMadeOfOthers = (number: number) => {
    const kind = gazetteer.kind(number);
    return Number(kind === "macro" || kind === "metro");
  };
  return [...counts]
    .filter(([number]) => gazetteer.place(number).id !== everywhere)
    .sort(([a, ofA], [b, ofB]) => isMadeOfOthers(a) - isMadeOfOthers(b) || ofB - ofA || a - b)
    .map(([number]) => number);
}

/** Decision 10: a name means the place with the most people, ties by population. */
function meaning(
  gazetteer: Gazetteer,
  find: (text: string) => readonly number[],
  people: (number: number) => number,
): (number: number) => boolean {
  const isMeant = (number: number) => {
    const namesakes = find(gazetteer.place(number).fullName);
    const most = Math.max(...namesakes.map(people));
    return namesakes.find((each) => people(each) === most) === number;
  };
  const known = new Map<number, boolean>();
  return (number) => known.getOrInsertComputed(number, isMeant);
}

/**
 * Two name books: one of the supported places, built once; and one of every place that ever had people, by its own
 * name, rebuilt only when there is a new one. So a new state of the pool costs next to nothing.
 */
function openBooks(gazetteer: Gazetteer) {
  const own = new Map<number, KnownName<number>>();
  let supported: NameBook<number> | undefined;
  let inhabited: NameBook<number> | undefined;
  return (numbers: Iterable<number>) => {
    supported ??= createNameBook(supportedNames(gazetteer));
    for (const number of numbers) {
      if (own.has(number) || isCounty(number, gazetteer)) continue;
      own.set(number, toKnownName(foldPlaceName(gazetteer.place(number).name), number));
      inhabited = undefined;
    }
    inhabited ??= createNameBook(own.values());
    return { supported, inhabited };
  };
}

const cityFrom = 100_000;
const regionFrom = 200_000;

/** All names of countries, regions and large cities. */
function* supportedNames(gazetteer: Gazetteer): Iterable<KnownName<number>> {
  const names = gazetteer.namesWhere((posting) => isSupported(posting, gazetteer));
  for (const [name, posting] of names) yield toKnownName(name, getPlaceNumber(posting));
}

function toKnownName(name: string, bearer: number): KnownName<number> {
  const words = name.split(" ");
  const tails = words.slice(1).map((_, at) => words.slice(at + 1).join(" "));
  return { name, tails, bearer };
}

const notShown = nameMarks.lossy | nameMarks.part | nameMarks.code | nameMarks.capitals;

function isSupported(posting: number, gazetteer: Gazetteer): boolean {
  const marks = getNameMarks(posting);
  if (marks & notShown || !(marks & (nameMarks.own | nameMarks.alias))) return false;
  const number = getPlaceNumber(posting);
  switch (gazetteer.kind(number)) {
    case "city":
      return gazetteer.population(number) >= cityFrom;
    case "country":
      // A country has names in eighty languages: search finds them all, but only those of our own list are suggested.
      return (marks & nameMarks.alias) !== 0;
    case "region":
      return gazetteer.population(number) >= regionFrom;
    case "metro":
      return !isCounty(number, gazetteer);
    default:
      return true;
  }
}

/** Counties can be searched, but as suggestions they would crowd out everything else. */
function isCounty(number: number, gazetteer: Gazetteer): boolean {
  return gazetteer.kind(number) === "metro" && gazetteer.place(number).id.includes(".");
}
