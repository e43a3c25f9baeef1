import { foldPlaceName } from "../../../src/places/fold.ts";
import type { Draft } from "./draft.ts";
import type { GeoName } from "./sources.ts";

/** A city with where it lies. */
export interface Located {
  readonly place: Draft;
  readonly source: GeoName;
}

/** Kilometres between two places, as on a plane, which is exact enough within a country. */
export function kilometres(a: GeoName, b: GeoName): number {
  const north = (a.latitude - b.latitude) * 111.2;
  const middle = ((a.latitude + b.latitude) / 2) * (Math.PI / 180);
  return Math.hypot(north, (a.longitude - b.longitude) * 111.2 * Math.cos(middle));
}

/** @returns the largest city with a name in a country and region. The text is `name|country|region code or -`. */
export function cityNamed(
  spec: string,
  byCountry: ReadonlyMap<string, readonly Located[]>,
): Located | undefined {
  const [name = "", country = "", region = "-"] = spec.split("|");
  const key = foldPlaceName(name);
  const inPlace = (byCountry.get(country) ?? []).filter(
    ({ place, source }) =>
      region === "-" || place.region?.id === `${country}-${region}` || source.region === region,
  );
  return (
    inPlace.find(
      ({ source }) =>
        foldPlaceName(source.name) === key || foldPlaceName(source.formerName) === key,
    ) ?? inPlace.find(({ place }) => place.names.has(key))
  );
}

/** Places sections of a city in the largest city that is near enough; the distance allowed grows with the size of the city. */
export function placeDistricts(
  byCountry: ReadonlyMap<string, readonly Located[]>,
  district: number,
): void {
  for (const cities of byCountry.values()) {
    const whole = cities.filter((city) => city.source.feature !== "PPLX");
    for (const city of cities) {
      if (city.source.feature !== "PPLX") continue;
      const parent = whole.find(
        (each) =>
          each.source.population > city.source.population &&
          kilometres(each.source, city.source) < 2 + 0.009 * Math.sqrt(each.source.population),
      );
      if (!parent) continue;
      city.place.marks |= district;
      city.place.containers.push(parent.place);
    }
  }
}
