import type { Gazetteer } from "./gazetteer.ts";

/**
 * The place that everybody is in, whether or not their location is known: "Worldwide", "Earth". So people
 * whom only git history tells of, which knows no place, can be found too.
 */
export const everywhere = "macro:world";

/**
 * Which place lies in which, by number.
 *
 * @package
 */
export interface Containment {
  /** Everything that contains it, nearest first; itself not included. */
  ancestors(number: number): readonly number[];
  /** Whether it is the outer place or lies in it. */
  isWithin(number: number, outer: number): boolean;
}

/** @package */
export function createContainment(gazetteer: Gazetteer): Containment {
  const rank = { city: 0, metro: 1, region: 2, country: 3, macro: 4 } as const;

  function ancestors(number: number): readonly number[] {
    const found = new Set<number>();
    const enter = (inner: number) => {
      const region = gazetteer.region(inner);
      const country = gazetteer.country(inner);
      for (const outer of [...gazetteer.containers(inner), region, country]) {
        if (outer < 0 || outer === number || found.has(outer)) continue;
        found.add(outer);
        enter(outer);
      }
    };
    enter(number);
    return [...found].sort(
      (a, b) =>
        rank[gazetteer.kind(a)] - rank[gazetteer.kind(b)] ||
        gazetteer.population(a) - gazetteer.population(b) ||
        a - b,
    );
  }

  function isWithin(number: number, outer: number): boolean {
    if (number === outer) return true;
    switch (gazetteer.kind(outer)) {
      case "country":
        return gazetteer.country(number) === outer;
      case "region":
        return gazetteer.region(number) === outer;
      case "macro": {
        const country = gazetteer.country(number);
        return gazetteer.containers(country < 0 ? number : country).includes(outer);
      }
      default:
        return isInside(number, outer);
    }
  }

  /** Whether a city or metro holds it, itself or through the city that it is a part of. */
  function isInside(number: number, outer: number): boolean {
    if (gazetteer.country(number) !== gazetteer.country(outer)) return false;
    const around = gazetteer.containers(number);
    return (
      around.includes(outer) ||
      around.some((each) => gazetteer.kind(each) === "city" && isInside(each, outer))
    );
  }

  return { ancestors, isWithin };
}
