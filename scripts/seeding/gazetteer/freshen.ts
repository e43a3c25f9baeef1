import { foldPlaceName } from "../../../src/places/fold.ts";
import { type FreshCity, type GeoName, readCities, readFreshCities } from "./sources.ts";

/**
 * Takes GeoNames' cities of 2020, the only list here with numbers, populations and alternate names, and gives them the
 * names and divisions of its present list. They are matched by coordinates, else by a name nearby. So Astana and
 * Prayagraj have their present names, and Vietnam and Norway their present regions.
 */
export function currentCities(): GeoName[] {
  const fresh = readFreshCities();
  const byPoint = new Map(fresh.map((city) => [`${city.country} ${city.lat} ${city.lng}`, city]));
  const byName = Map.groupBy(fresh, (city) => `${city.country} ${foldPlaceName(city.name)}`);
  const moves = new Map<string, Map<string, number>>();
  const matched = readCities().map((city) => {
    const now =
      byPoint.get(`${city.country} ${city.latitude} ${city.longitude}`) ??
      byName
        .get(`${city.country} ${foldPlaceName(city.name)}`)
        ?.find((each) => isClose(each, city));
    if (!now) return { city, isCurrent: false };
    const key = `${city.country}.${city.region}`;
    const move = moves.get(key) ?? new Map<string, number>();
    move.set(now.admin1, (move.get(now.admin1) ?? 0) + 1);
    moves.set(key, move);
    const names = { name: now.name, formerName: city.name };
    return { city: { ...city, ...names, region: now.admin1, county: now.admin2 }, isCurrent: true };
  });
  return matched.map(({ city, isCurrent }) => {
    if (isCurrent) return city;
    const move = moves.get(`${city.country}.${city.region}`);
    const [most] = [...(move ?? [])].sort(([, a], [, b]) => b - a);
    return most ? { ...city, region: most[0] } : city;
  });
}

const degreesApart = 0.3;

const isClose = (now: FreshCity, city: GeoName) =>
  Math.abs(Number(now.lat) - city.latitude) < degreesApart &&
  Math.abs(Number(now.lng) - city.longitude) < degreesApart * 1.5;
