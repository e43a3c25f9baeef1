/**
 * Makes seed/gazetteer.bin from GeoNames' cities, ISO 3166 and CLDR names, which are packages of this folder, and from
 * our own tables in seed/places.
 *
 *   scripts/seed gazetteer
 */
import { writeFileSync } from "node:fs";
import { foldPlaceName } from "../../src/places/fold.ts";
import { nameMarks, placeKinds, placeMarks } from "../../src/places/gazetteer-file.ts";
import { draftCities } from "./gazetteer/cities.ts";
import { draftCountries, draftMacros } from "./gazetteer/countries.ts";
import type { Draft } from "./gazetteer/draft.ts";
import { cityNamed, placeDistricts } from "./gazetteer/geometry.ts";
import { draftCounties, draftMetros } from "./gazetteer/metros.ts";
import { pack } from "./gazetteer/pack.ts";
import { draftRegions } from "./gazetteer/regions.ts";
import { readOwn, readWords } from "./gazetteer/sources.ts";

const countries = draftCountries();
const regions = draftRegions(countries);
const byCountry = draftCities(countries, regions);
placeDistricts(byCountry, placeMarks.district);
nameParts();
const cities = [...byCountry.values()].flat().map((city) => city.place);
addUpPopulations();
const macros = draftMacros(countries);
const metros = [...draftMetros(countries, byCountry), ...draftCounties(regions, byCountry)];
markWords();

const places = [countries.values(), regions.values(), macros, metros, cities]
  .flatMap((list) => [...list])
  .sort(
    (a, b) =>
      placeKinds.indexOf(a.kind) - placeKinds.indexOf(b.kind) ||
      b.population - a.population ||
      a.geoNamesNumber - b.geoNamesNumber ||
      (a.id < b.id ? -1 : 1),
  );
const file = pack(places);
writeFileSync(new URL("../../seed/gazetteer.bin", import.meta.url), file);
console.log(
  `${places.length} places, ${places.reduce((sum, place) => sum + place.names.size, 0)} names, ` +
    `${file.length} bytes`,
);

/** Adds names of universities and of city districts, which stand for the place that contains them. */
function nameParts(): void {
  const byId = new Map(
    [...regions.values(), ...countries.values()].map((place) => [place.id, place]),
  );
  for (const [id = "", names = ""] of readOwn("universities")) {
    const place = byId.get(id.replace(/^-/, ""));
    if (!place) console.warn(`seed/places/universities.tsv: ${id} is no region or country here`);
    for (const name of names.split(";")) place?.names.set(foldPlaceName(name), nameMarks.part);
  }
  for (const [spec = "", names = ""] of readOwn("districts")) {
    const city = cityNamed(spec, byCountry);
    if (!city) continue;
    const region = spec.split("|")[2];
    for (const name of names.split(";")) {
      const part = cityNamed(`${name}|${city.source.country}|${region}`, byCountry);
      if (!part || part === city || part.place.containers.includes(city.place)) continue;
      part.place.marks |= placeMarks.district;
      part.place.containers.push(city.place);
    }
  }
}

function addUpPopulations(): void {
  for (const city of cities) {
    if (city.marks & placeMarks.district) continue;
    if (city.region) city.region.population += city.population;
    if (city.country) city.country.population += city.population;
  }
}

/** Marks everyday words that are also names of small towns, so that "home" or "oracle" is not taken for a place. */
function markWords(): void {
  const words = readWords();
  const isSmall = (place: Draft) => place.kind === "city" && place.population < 50_000;
  for (const place of cities.filter(isSmall)) {
    for (const [key, marks] of place.names) {
      if (words.has(key)) place.names.set(key, marks | nameMarks.word);
    }
  }
}
