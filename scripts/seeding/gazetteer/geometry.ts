import { foldPlaceName } from "../../../src/places/fold.ts";
import type { Draft } from "./draft.ts";
import type { GeoName } from "./sources.ts";

/** A city with where it lies. */
export interface Located {
  readonly place: Draft;
  readonly source: GeoName;
}

/** Kilometres between two places; flat within a country's distances is exact enough here. */
export function kilometres(a: GeoName, b: GeoName): number {
  const north = (a.latitude - b.latitude) * 111.2;
  const middle = ((a.latitude + b.latitude) / 2) * (Math.PI / 180);
  return Math.hypot(north, (a.longitude - b.longitude) * 111.2 * Math.cos(middle));
}

/** The largest city of a country (and region) that bears a name; `name|country|region code or -`. */
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

/** Sections of a city lie in the largest city whose reach, growing with its size, takes them in. */
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
