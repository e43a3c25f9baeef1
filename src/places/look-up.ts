import { limits } from "../contract/limits.ts";
import { matchesName } from "../contract/terms.ts";
import type { FindableNames } from "./findable.ts";
import { foldPlaceName } from "./fold.ts";
import type { Gazetteer, Place } from "./gazetteer.ts";

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
 * Places that a text names or begins to name; best first: by fit, people in the pool, population.
 *
 * @package
 * @param named those that bear the text as their name.
 */
export function findPlacesByPrefix(
  text: string,
  named: readonly number[],
  findable: FindableNames,
  bounds: Bounds,
): FoundPlace[] {
  const { startingWith, people } = findable;
  const { gazetteer } = bounds;
  // `fold` drops these signs; they stand in names of skills, and in no place's.
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
  return shown(candidates, findable, bounds);
}

/**
 * Places of whose name the text may be a misspelling.
 *
 * @package
 */
export function findNearPlaces(
  text: string,
  findable: FindableNames,
  bounds: Bounds,
): FoundPlace[] {
  return shown(findSimilarPlaces(text, findable, bounds.gazetteer), findable, bounds);
}

/** The first ones that work when they are sent back. */
function shown(
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
 * Places with people for a text that names none (decision 33): what a profile with this text would be taken for
 * ("Remote, Germany" means Germany), or what contains that; then similar names; else the largest places.
 *
 * @package
 * @param read the places that the text is read as, each with what contains it, nearest first.
 */
export function suggestLocations(
  text: string,
  read: readonly (readonly number[])[],
  findable: FindableNames,
  gazetteer: Gazetteer,
): string[] {
  const { people, isMeant, largest } = findable;
  const isOffered = (number: number) => people(number) > 0 && isMeant(number);
  const within = read.flatMap((containing) => containing.find(isOffered) ?? []);
  const alike = findSimilarPlaces(text, findable, gazetteer).map(({ number }) => number);
  const near = [...within, ...alike].filter(isOffered);
  const names = new Set<string>();
  for (const number of near.length > 0 ? near : largest()) {
    if (names.size === limits.suggestionsMax) break;
    if (isMeant(number)) names.add(gazetteer.place(number).fullName);
  }
  return [...names];
}

/**
 * By how alike the names are, then by how many people are there, in the pool and in the world.
 *
 * @package
 */
function findSimilarPlaces(text: string, { near, people }: FindableNames, gazetteer: Gazetteer) {
  const [part = ""] = text.split(/[,;/|(]/);
  const found = near(foldPlaceName(part) || foldPlaceName(text)).map(([number, fit]) => {
    const size = Math.log10(1 + gazetteer.population(number)) / 5 + Math.log10(1 + people(number));
    return { number, fit, score: size - fit * 10 };
  });
  return found.sort((a, b) => b.score - a.score || a.number - b.number);
}
