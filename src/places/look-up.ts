import { matchesName } from "../contract/terms.ts";
import type { FindableNames } from "./findable.ts";
import { foldPlaceName } from "./fold.ts";
import type { Gazetteer } from "./gazetteer/gazetteer.ts";
import type { Place } from "./places.ts";
import { findSimilarPlaces } from "./suggest.ts";

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
