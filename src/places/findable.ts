import { createNameBook, type KnownName, type NameBook } from "../contract/terms.ts";
import { findPlaces } from "./find.ts";
import { foldPlaceName } from "./fold.ts";
import { everywhere, type Gazetteer, openGazetteer } from "./gazetteer.ts";
import { getNameMarks, getPlaceNumber, nameMarks } from "./gazetteer-file.ts";

/** The number of people in each place, by the place's id. It is the same object until the pool changes. */
export type PeopleByPlace = ReadonlyMap<string, number>;

/** The names of places that an answer may suggest, for one state of the pool. */
export type FindableNames = ReturnType<typeof describeFindable>;

/** @returns a function that gives the names for a state of the pool, and caches them. */
export function createFindable(): (people: PeopleByPlace) => FindableNames {
  const byState = new WeakMap<PeopleByPlace, FindableNames>();
  let supported: NameBook<number> | undefined;
  return (people) => {
    supported ??= createNameBook(listSupportedNames(openGazetteer()));
    const names = supported;
    return byState.getOrInsertComputed(people, () =>
      describeFindable(people, names, openGazetteer()),
    );
  };
}

/** Describes the places that may be suggested: places with people, and all countries and regions (decision 33). */
function describeFindable(
  peopleById: PeopleByPlace,
  supported: NameBook<number>,
  gazetteer: Gazetteer,
) {
  const counts = new Map<number, number>();
  for (const [id, count] of peopleById) {
    const number = gazetteer.numberById(id);
    if (number !== undefined && count > 0) counts.set(number, count);
  }
  const people = (number: number) => counts.get(number) ?? 0;
  const known = [...counts.keys()].filter((number) => !isCounty(number, gazetteer));
  const inhabited = createNameBook(
    known.map((number) => toKnownName(foldPlaceName(gazetteer.place(number).name), number)),
  );
  // If a place occurs twice, the second fit counts, because it may fit any name of the place.
  const ask = (way: keyof NameBook<number>, text: string) =>
    [...new Map([...inhabited[way](text), ...supported[way](text)])].filter(
      ([number]) => counts.has(number) || gazetteer.kind(number) !== "city",
    );
  const meant = new Map<number, boolean>();
  return {
    /** Places with people. */
    known,
    /** Returns places with a name that begins with the text, each with its fit (see `contract/terms.ts`). */
    startingWith: (text: string) => ask("startingWith", text),
    near: (text: string) => ask("near", text),
    people,
    /**
     * Whether a search for the place's full name finds this place. Among places with one name, the search finds the place with
     * the most people.
     */
    isMeant: (number: number) =>
      meant.getOrInsertComputed(number, () => {
        const namesakes = findPlaces(gazetteer.place(number).fullName, gazetteer);
        const most = Math.max(...namesakes.map(people));
        return namesakes.find((each) => people(each) === most) === number;
      }),
    /** Returns places with people. Places with more people come first, but metros and macro regions come last. */
    largest: () => sortBySize(counts, gazetteer),
  };
}

function sortBySize(counts: ReadonlyMap<number, number>, gazetteer: Gazetteer): readonly number[] {
  const isMadeOfOthers = (number: number) =>
    Number(["macro", "metro"].includes(gazetteer.kind(number)));
  return [...counts]
    .filter(([number]) => gazetteer.place(number).id !== everywhere)
    .sort(([a, ofA], [b, ofB]) => isMadeOfOthers(a) - isMadeOfOthers(b) || ofB - ofA || a - b)
    .map(([number]) => number);
}

const cityFrom = 100_000;
const regionFrom = 200_000;

/** Yields all names of countries, regions and large cities. */
function* listSupportedNames(gazetteer: Gazetteer): Iterable<KnownName<number>> {
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
      // A country has names in eighty languages. Only names in Roster's own list are suggested.
      return (marks & nameMarks.alias) !== 0;
    case "region":
      return gazetteer.population(number) >= regionFrom;
    case "metro":
      return !isCounty(number, gazetteer);
    default:
      return true;
  }
}

/** Counties are never suggested, because they would crowd out everything else. */
function isCounty(number: number, gazetteer: Gazetteer): boolean {
  return gazetteer.kind(number) === "metro" && gazetteer.place(number).id.includes(".");
}
