import { limits } from "../contract/limits.ts";
import { matchesName } from "../contract/terms.ts";
import type { FindableNames } from "./findable.ts";
import { foldPlaceName } from "./fold.ts";
import { everywhere, type Gazetteer, type Place } from "./gazetteer.ts";

/** A place that a text may mean, and the fit of its name (see `contract/terms.ts`). */
export interface FoundPlace {
  readonly place: Place;
  readonly fit: number;
  readonly people: number;
}

interface Bounds {
  readonly gazetteer: Gazetteer;
  readonly max: number;
}

/**
 * Finds places with a name that begins with the text, best first: by fit, people in the pool, population. Every place with people
 * begins with the empty text.
 * @param named places that have the whole text as a name.
 */
export function findPlacesByPrefix(
  text: string,
  named: readonly number[],
  findable: FindableNames,
  bounds: Bounds,
): FoundPlace[] {
  const { startingWith, people, known } = findable;
  const { gazetteer } = bounds;
  // No name of a place contains these characters, and `foldPlaceName` would drop them.
  const begun = /[+#]/.test(text) ? [] : startingWith(foldPlaceName(text));
  const all = text === "" ? known.map((number) => [number, matchesName.start] as const) : [];
  const exact = named
    .filter((number) => gazetteer.kind(number) !== "city" || people(number) > 0)
    .map((number) => [number, matchesName.exact] as const);
  const candidates = [...new Map([...all, ...begun, ...exact])].map(([number, fit]) => {
    return { number, fit, people: people(number), population: gazetteer.population(number) };
  });
  candidates.sort(
    (a, b) =>
      a.fit - b.fit || b.people - a.people || b.population - a.population || a.number - b.number,
  );
  return takeMeant(candidates, findable, bounds);
}

export function findNearPlaces(
  text: string,
  findable: FindableNames,
  bounds: Bounds,
): FoundPlace[] {
  return takeMeant(findSimilarPlaces(text, findable, bounds.gazetteer), findable, bounds);
}

/** Returns the first candidates. Leaves out a place that a search for its full name does not find. */
function takeMeant(
  candidates: readonly { readonly number: number; readonly fit: number }[],
  { people, isMeant }: FindableNames,
  { gazetteer, max }: Bounds,
): FoundPlace[] {
  const found: FoundPlace[] = [];
  for (const { number, fit } of candidates) {
    if (found.length === max) break;
    if (isMeant(number)) {
      found.push({ place: gazetteer.place(number), fit, people: people(number) });
    }
  }
  return found;
}

/** A location that names no known place. */
interface UnknownLocation {
  readonly text: string;
  /**
   * The places that the text would mean in a profile. Each is a list: the place, then the places that contain it, nearest first.
   */
  readonly read: readonly (readonly number[])[];
  /** Whether the text means that a person can work anywhere. */
  readonly remote: boolean;
}

/**
 * Suggests places with people for a text that names no place (decision 33). First come places that the text would mean in a
 * profile: "Remote, Germany" suggests Germany. Then come similar names. If there are none, the largest places are suggested.
 */
export function suggestLocations(
  { text, read, remote }: UnknownLocation,
  findable: FindableNames,
  gazetteer: Gazetteer,
): string[] {
  const { people, isMeant, largest } = findable;
  const isOffered = (number: number) => people(number) > 0 && isMeant(number);
  const within = read.flatMap((containing) => containing.find(isOffered) ?? []);
  const alike = remote ? [] : findSimilarPlaces(text, findable, gazetteer);
  const near = [...within, ...alike.map(({ number }) => number)].filter(isOffered);
  const offered = near.length > 0 ? near : largest();
  const world = gazetteer.numberById(everywhere);
  const meansAll = remote && near.length === 0 && offered.length > 0 && world !== undefined;
  const names = new Set(meansAll ? [gazetteer.place(world).fullName] : []);
  for (const number of offered) {
    if (names.size === limits.suggestionsMax) break;
    if (isMeant(number)) names.add(gazetteer.place(number).fullName);
  }
  return [...names];
}

/** Returns places with similar names, best first. */
function findSimilarPlaces(text: string, { near, people }: FindableNames, gazetteer: Gazetteer) {
  const [part = ""] = text.split(/[,;/|(]/);
  const found = near(foldPlaceName(part) || foldPlaceName(text)).map(([number, fit]) => {
    const size = Math.log10(1 + gazetteer.population(number)) / 5 + Math.log10(1 + people(number));
    return { number, fit, score: size - fit * 10 };
  });
  return found.sort((a, b) => b.score - a.score || a.number - b.number);
}
