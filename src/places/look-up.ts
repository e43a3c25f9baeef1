import { limits } from "../contract/limits.ts";
import { matchesName } from "../contract/terms.ts";
import { findPlaces } from "./find.ts";
import type { FindableNames } from "./findable.ts";
import { foldPlaceName } from "./fold.ts";
import { everywhere, type Gazetteer, type Place } from "./gazetteer.ts";
import { resolveProfileText } from "./profile-text.ts";

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
 */
export function findPlacesByPrefix(
  text: string,
  findable: FindableNames,
  bounds: Bounds,
): FoundPlace[] {
  const { startingWith, people, known } = findable;
  const { gazetteer } = bounds;
  // No name of a place contains these characters, and `foldPlaceName` would drop them.
  const begun = /[+#]/.test(text) ? [] : startingWith(foldPlaceName(text));
  const all = text === "" ? known.map((number) => [number, matchesName.start] as const) : [];
  const exact = findPlaces(text, gazetteer)
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

/** Does the same for a text that may be misspelled. */
export function findNearPlaces(
  text: string,
  findable: FindableNames,
  bounds: Bounds,
): FoundPlace[] {
  if (resolveProfileText(text, bounds.gazetteer).remote) return [];
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

/**
 * Suggests places with people for a text that names no place (decision 33). First come places that the text would mean in a
 * profile: "Remote, Germany" suggests Germany. Then come similar names. If there are none, the largest places are suggested.
 */
export function suggestLocations(
  text: string,
  findable: FindableNames,
  gazetteer: Gazetteer,
): string[] {
  const { people, isMeant, largest } = findable;
  const isOffered = (number: number) => people(number) > 0 && isMeant(number);
  const world = gazetteer.numberById(everywhere);
  const { places, remote } = resolveProfileText(text, gazetteer);
  const within = places.flatMap(({ place }) => {
    const number = gazetteer.numberById(place.id) ?? -1;
    const around = gazetteer.ancestors(number).filter((outer) => outer !== world);
    return [number, ...around].find(isOffered) ?? [];
  });
  const alike = remote ? [] : findSimilarPlaces(text, findable, gazetteer);
  const near = [...within, ...alike.map(({ number }) => number)].filter(isOffered);
  const offered = near.length > 0 ? near : largest();
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
