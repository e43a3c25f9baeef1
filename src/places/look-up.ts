import { limits } from "../contract/limits.ts";
import { matchesName } from "../contract/terms.ts";
import type { FindableNames } from "./findable.ts";
import { foldPlaceName } from "./fold.ts";
import { everywhere, type Gazetteer, type Place } from "./gazetteer.ts";

/** A place that a text may mean, and how well its name fits (see contract/terms.ts). */
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
 * Finds places whose name is the text or begins with it, best first: by fit, people in the pool, population.
 * @param named places that have the text as a name.
 */
export function findPlacesByPrefix(
  text: string,
  named: readonly number[],
  findable: FindableNames,
  bounds: Bounds,
): FoundPlace[] {
  const { startingWith, people } = findable;
  const { gazetteer } = bounds;
  // `foldPlaceName` drops these characters, which occur in names of skills but not of places.
  const begun = /[+#]/.test(text) ? [] : startingWith(foldPlaceName(text));
  const exact = named
    .filter((number) => gazetteer.kind(number) !== "city" || people(number) > 0)
    .map((number) => [number, matchesName.exact] as const);
  const candidates = [...new Map([...begun, ...exact])].map(([number, fit]) => {
    return { number, fit, people: people(number), population: gazetteer.population(number) };
  });
  candidates.sort(
    (a, b) =>
      a.fit - b.fit || b.people - a.people || b.population - a.population || a.number - b.number,
  );
  return takeMeant(candidates, findable, bounds);
}

/** Finds places with a name that the text may misspell. */
export function findNearPlaces(
  text: string,
  findable: FindableNames,
  bounds: Bounds,
): FoundPlace[] {
  return takeMeant(findSimilarPlaces(text, findable, bounds.gazetteer), findable, bounds);
}

/** Returns the first candidates that a search for their full name finds. */
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

/** A location that names no known place, and how it would be read in a profile. */
interface UnknownLocation {
  readonly text: string;
  /** The places that the text is read as. Each is a list: the place and what contains it, nearest first. */
  readonly read: readonly (readonly number[])[];
  /** Whether the text means that a person can work anywhere. */
  readonly remote: boolean;
}

/**
 * Suggests places with people for a text that names no place (decision 33). First come the places that a profile with
 * this text would get ("Remote, Germany" means Germany), or what contains them; then similar names; otherwise the
 * largest places. A text that means anywhere suggests all people first (decision 40).
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

/** Returns places with similar names, best first: by similarity, then by people in the pool, then by population. */
function findSimilarPlaces(text: string, { near, people }: FindableNames, gazetteer: Gazetteer) {
  const [part = ""] = text.split(/[,;/|(]/);
  const found = near(foldPlaceName(part) || foldPlaceName(text)).map(([number, fit]) => {
    const size = Math.log10(1 + gazetteer.population(number)) / 5 + Math.log10(1 + people(number));
    return { number, fit, score: size - fit * 10 };
  });
  return found.sort((a, b) => b.score - a.score || a.number - b.number);
}
