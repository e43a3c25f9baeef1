import { nameMarks, placeMarks } from "../../../src/places/gazetteer-file.ts";
import { addName, type Draft, draft, expanded, lossy } from "./draft.ts";
import { currentCities } from "./freshen.ts";
import { cityNamed, type Located } from "./geometry.ts";
import { type GeoName, readOwn } from "./sources.ts";

/** @returns cities by country, the largest first, with all names that are useful. */
export function draftCities(
  countries: ReadonlyMap<string, Draft>,
  regions: ReadonlyMap<string, Draft>,
): Map<string, Located[]> {
  const byCountry = new Map<string, Located[]>();
  for (const source of currentCities()) {
    const country = countries.get(source.country);
    if (!country) continue;
    const place = draft({
      id: String(source.number),
      kind: "city",
      name: bare(source.name),
      country,
      region: regions.get(`${source.country}.${source.region}`),
      population: source.population,
      marks: source.feature === "PPLC" ? placeMarks.capital : 0,
      geoNamesNumber: source.number,
    });
    nameCity(place, source);
    const list = byCountry.get(source.country) ?? [];
    list.push({ place, source });
    byCountry.set(source.country, list);
  }
  addOwnNames(byCountry);
  return byCountry;
}

const known = 15_000;
const large = 100_000;

function nameCity(place: Draft, source: GeoName): void {
  const isSeat = source.feature === "PPLC" || source.feature === "PPLA";
  const isKnown = source.population >= known || isSeat;
  for (const name of [
    source.name,
    source.formerName,
    source.asciiName,
    bare(source.name),
    bare(source.formerName),
  ]) {
    addName(place, name, nameMarks.own);
    const spelt = expanded(name);
    if (spelt) addName(place, spelt, nameMarks.own);
    const lost = lossy(name);
    if (lost) addName(place, lost, nameMarks.lossy);
  }
  // In these countries the list contains many former names that are famous elsewhere.
  if (resettled.has(source.country) && source.population < large) return;
  for (const name of isKnown ? source.alternates : source.alternates.slice(0, 6)) {
    if (/^[A-Z]{3}$/.test(name)) {
      if (source.population >= large) addName(place, name, nameMarks.capitals);
    } else if (!isTransliteration(name) && (isKnown || isPlainLatin.test(name))) {
      addName(place, name, 0);
      const lost = lossy(name);
      if (lost && source.population >= large) addName(place, lost, nameMarks.lossy);
    }
  }
}

const resettled = new Set(["US", "CA", "AU", "NZ"]);
const isPlainLatin = /^[\p{Script=Latin}\s'’.-]+$/u;

/** GeoNames' generated transliterations are all in lower case (`mu ni hei`) and not used by people. */
const isTransliteration = (name: string) => /^[a-z]/.test(name) && !/[A-Z]/.test(name);

/** Removes the suffix for the kind of town from Korean and Philippine names. */
function bare(name: string): string {
  return name.replace(/(?:-si|-shi|-gun|-eup|-dong)$/, "").replace(/ \(.*\)$/, "");
}

function addOwnNames(byCountry: ReadonlyMap<string, readonly Located[]>): void {
  for (const [spec = "", aliases = "", parts = ""] of readOwn("cities")) {
    const city = cityNamed(spec, byCountry);
    if (!city) {
      console.warn(`seed/places/cities.tsv: ${spec} is no city here`);
      continue;
    }
    city.place.name = spec.split("|")[0] ?? "";
    addName(city.place, city.place.name, nameMarks.own);
    for (const alias of aliases.split(";").filter(Boolean)) {
      const isShort = /^(?:[A-Z]\.?){2,3}$/.test(alias);
      addName(
        city.place,
        alias.replace(/^\+/, ""),
        isShort ? nameMarks.alias | nameMarks.capitals : nameMarks.alias,
      );
    }
    for (const part of parts.split(";").filter(Boolean)) addName(city.place, part, nameMarks.part);
  }
}
