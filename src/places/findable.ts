import { createNameBook, type KnownName, type NameBook } from "../contract/terms.ts";
import { foldPlaceName } from "./fold.ts";
import { everywhere, type Gazetteer } from "./gazetteer.ts";
import { getNameMarks, getPlaceNumber, nameMarks } from "./gazetteer-file.ts";

/** How many people of the pool are in each place, by its id; the same object for the same state of the pool. */
export type PeopleByPlace = ReadonlyMap<string, number>;

/**
 * The places that an answer may name, for one state of the pool: sent back, each finds its people, or nobody where
 * it is a country or region that has none (decision 33).
 *
 * @package
 */
export interface FindableNames {
  /** Places whose name begins so, or is spelt nearly so, with the fit (see contract/terms.ts). */
  startingWith(text: string): readonly (readonly [number, number])[];
  near(text: string): readonly (readonly [number, number])[];
  /** How many people of the pool are in it. */
  people(number: number): number;
  /** Whether a search for its full name means this place. */
  isMeant(number: number): boolean;
  /** Those with people, most people first; those that are made of others last. */
  largest(): readonly number[];
}

/** @package */
export function createFindable(
  gazetteer: Gazetteer,
  find: (text: string) => readonly number[],
): (people: PeopleByPlace) => FindableNames {
  const held = new WeakMap<PeopleByPlace, FindableNames>();
  const books = openBooks(gazetteer);

  function open(peopleById: PeopleByPlace): FindableNames {
    const counts = new Map<number, number>();
    for (const [id, count] of peopleById) {
      const number = gazetteer.numberById(id);
      if (number !== undefined && count > 0) counts.set(number, count);
    }
    const people = (number: number) => counts.get(number) ?? 0;
    const [supported, peopled] = books(counts.keys());
    const isFindable = ([number]: readonly [number, number]) =>
      counts.has(number) || gazetteer.kind(number) !== "city";
    // A place in both books has in the first all its names, and so the better fit.
    const ask = (way: keyof NameBook<number>, text: string) =>
      [...new Map([...peopled[way](text), ...supported[way](text)])].filter(isFindable);
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

  return (people) => {
    const known = held.get(people) ?? open(people);
    held.set(people, known);
    return known;
  };
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

/** Decision 10: of those that a name may mean, the one with the most people, ties by population. */
function meaning(
  gazetteer: Gazetteer,
  find: (text: string) => readonly number[],
  people: (number: number) => number,
): (number: number) => boolean {
  const judged = new Map<number, boolean>();
  return (number) => {
    const known = judged.get(number);
    if (known !== undefined) return known;
    const bearers = find(gazetteer.place(number).fullName);
    const most = Math.max(...bearers.map(people));
    const isMeant = bearers.find((bearer) => people(bearer) === most) === number;
    judged.set(number, isMeant);
    return isMeant;
  };
}

type Books = readonly [supported: NameBook<number>, peopled: NameBook<number>];

/**
 * Two books: of the supported places, made once; and of every place that ever had people, by its own name, which is
 * made anew only when there is a new one. So a new state of the pool costs next to nothing.
 */
function openBooks(gazetteer: Gazetteer): (peopled: Iterable<number>) => Books {
  const own = new Map<number, KnownName<number>>();
  let supported: NameBook<number> | undefined;
  let peopled: NameBook<number> | undefined;
  return (numbers) => {
    supported ??= createNameBook(supportedNames(gazetteer));
    for (const number of numbers) {
      if (own.has(number) || isCounty(number, gazetteer)) continue;
      own.set(number, booked(foldPlaceName(gazetteer.place(number).name), number));
      peopled = undefined;
    }
    peopled ??= createNameBook(own.values());
    return [supported, peopled];
  };
}

const cityFrom = 100_000;
const regionFrom = 200_000;

/** Of countries, regions and large cities, by all their names. */
function* supportedNames(gazetteer: Gazetteer): Iterable<KnownName<number>> {
  const names = gazetteer.namesWhere((posting) => isSupported(posting, gazetteer));
  for (const [name, posting] of names) yield booked(name, getPlaceNumber(posting));
}

function booked(name: string, bearer: number): KnownName<number> {
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
      // Its names in eighty languages are all found, but suggested only by the ones of our own list.
      return (marks & nameMarks.alias) !== 0;
    case "region":
      return gazetteer.population(number) >= regionFrom;
    case "metro":
      return !isCounty(number, gazetteer);
    default:
      return true;
  }
}

/** Counties are supported, but as suggestions they would bury everything else. */
function isCounty(number: number, gazetteer: Gazetteer): boolean {
  return gazetteer.kind(number) === "metro" && gazetteer.place(number).id.includes(".");
}
