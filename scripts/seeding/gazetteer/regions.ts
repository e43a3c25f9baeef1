import { foldPlaceName } from "../../../src/places/fold.ts";
import { nameMarks } from "../../../src/places/gazetteer-file.ts";
import { addName, type Draft, draft, lossy } from "./draft.ts";
import {
  type Division,
  readEnglishSubdivisions,
  readOwn,
  readRegions,
  readSubdivisions,
  type Subdivision,
} from "./sources.ts";

/**
 * Makes the first-level regions of GeoNames' list, matched with ISO 3166-2 by name, so that ids, codes and local names
 * are the usual ones. A region without a match keeps GeoNames' code as its id (`UA.27`).
 * @returns regions by GeoNames' code.
 */
export function draftRegions(countries: ReadonlyMap<string, Draft>): Map<string, Draft> {
  const english = readEnglishSubdivisions();
  const subdivisions = readSubdivisions();
  const isoOf = tieToIso(readRegions(), subdivisions, english);
  const regions = new Map<string, Draft>();
  const byIso = new Map<string, Draft>();
  for (const { code, name } of readRegions()) {
    const country = countries.get(code.slice(0, 2));
    if (!country) continue;
    const iso = isoOf.get(code);
    const shown = englishName(code, name, iso && english.get(iso));
    const region = draft({ id: iso ?? code, kind: "region", name: shown, country });
    for (const each of [shown, name, plain(name), plain(shown)])
      addName(region, each, nameMarks.own);
    const lost = lossy(name);
    if (lost) addName(region, lost, nameMarks.lossy);
    regions.set(code, region);
    if (iso) byIso.set(iso, region);
  }
  for (const subdivision of subdivisions)
    nameSubdivision(subdivision, subdivisions, byIso, english);
  addOwnNames(byIso);
  for (const region of regions.values()) {
    for (const [key, marks] of region.names) {
      if (isDirection(key)) region.names.set(key, marks | nameMarks.word);
    }
  }
  return regions;
}

const directions = new Set(
  (
    "north south east west northern southern eastern western northeast northwest southeast southwest central " +
    "centre center coast coastal island islands capital upper lower middle highland highlands lowland plateau " +
    "river lake lakes sea red bay region district inland city metropolitan and the of"
  ).split(" "),
);

/** Whether a name, such as "West Coast" or "Northern", is used for regions of several countries and for parts of any. */
const isDirection = (key: string) => key.split(" ").every((word) => directions.has(word));

/** @returns CLDR's English name, or GeoNames' name where CLDR has the local one. */
function englishName(code: string, name: string, english: string | undefined): string {
  if (english === undefined || keepsGeoNames.test(code)) return plain(name);
  return english.replace(/[\u00b2\u00b3\u00b9]/gu, "");
}

/** Countries for which CLDR lists regions under local names that English speakers do not use. */
const keepsGeoNames = /^(?:FR|UA|RU|CZ|KZ|IN|MD)\./;

const topMarks = nameMarks.own;

/** Adds ISO's names and codes of the region itself, and those of its provinces as parts. */
function nameSubdivision(
  subdivision: Subdivision,
  all: readonly Subdivision[],
  byIso: ReadonlyMap<string, Draft>,
  english: ReadonlyMap<string, string>,
): void {
  const own = byIso.get(subdivision.code);
  const region = own ?? containing(subdivision, all, byIso);
  if (!region) return;
  const marks = own ? topMarks : nameMarks.part;
  for (const name of [subdivision.name, english.get(subdivision.code) ?? ""]) {
    addName(region, name, marks);
    addName(region, plain(name), marks);
    const lost = lossy(name);
    if (lost && own) addName(region, lost, nameMarks.lossy);
  }
  const code = subdivision.code.slice(3);
  if (/^[A-Z]{2,3}$/.test(code)) addName(region, code, nameMarks.code);
}

function containing(
  subdivision: Subdivision,
  all: readonly Subdivision[],
  byIso: ReadonlyMap<string, Draft>,
): Draft | undefined {
  const parent = all.find((each) => each.code === subdivision.parent);
  return parent && (byIso.get(parent.code) ?? containing(parent, all, byIso));
}

function addOwnNames(byIso: ReadonlyMap<string, Draft>): void {
  for (const [iso = "", aliases = "", parts = ""] of readOwn("regions")) {
    const region = byIso.get(iso);
    if (!region) {
      console.warn(`seed/places/regions.tsv: ${iso} is no region here`);
      continue;
    }
    const short = /^(US|CA)-/.test(iso) ? 4 : 3;
    for (const alias of aliases.split(";").filter(Boolean)) {
      const isCode =
        /^[A-Za-z. ]+$/.test(alias) && foldPlaceName(alias).replaceAll(" ", "").length <= short;
      addName(region, alias, isCode ? nameMarks.code : nameMarks.alias);
    }
    for (const part of parts.split(";").filter(Boolean)) addName(region, part, nameMarks.part);
  }
}

/** Matches GeoNames' codes with ISO's: by our own table, then by name, then by the beginning of the name. */
function tieToIso(
  divisions: readonly Division[],
  subdivisions: readonly Subdivision[],
  english: ReadonlyMap<string, string>,
): Map<string, string> {
  const tied = new Map<string, string>();
  for (const row of readOwn("regions")) {
    const tie = row.find((field) => field.startsWith("="));
    if (tie && row[0]) tied.set(tie.slice(1), row[0]);
  }
  const taken = new Set(tied.values());
  const forms = [
    (name: string) => foldPlaceName(name),
    core,
    (name: string) => core(name).slice(0, 6),
  ];
  for (const form of forms) {
    for (const isTop of [true, false]) {
      const byName = new Map<string, string>();
      for (const { code, name, parent } of subdivisions) {
        if ((parent.length === 2) !== isTop || taken.has(code)) continue;
        for (const each of [english.get(code) ?? "", name]) {
          const key = `${code.slice(0, 2)} ${form(each)}`;
          if (form(each).length > 1 && !byName.has(key)) byName.set(key, code);
        }
      }
      for (const { code, name } of divisions) {
        const iso = byName.get(`${code.slice(0, 2)} ${form(name)}`);
        if (!iso || tied.has(code) || taken.has(iso)) continue;
        tied.set(code, iso);
        taken.add(iso);
      }
    }
  }
  return tied;
}

const generic =
  /\b(?:the|autonomous|metropolitan|special|federal|urban|city|capital|governorate|prefecture|province|provincia|provincie|provinz|region|regiao|state|estado|oblast|oblasts|oblisi|krai|kray|kraj|republic|district|distrito|distrikt|county|counties|department|departamento|departement|municipality|parish|division|canton|kanton|emirate|voivodeship|wojewodztwo|territory|community|comunidad|rayon|raion|raionul|judet|zupanija|lan|megye|pradesh province|pradesh|union|do|si|shi|ken|fu|to|il|ili|vilayeti|muhafazat|mkoa|wilaya)\b/g;
const joining = /\b(?:of|de|del|di|da|la|le|el|al|les|los)\b/g;

/** @returns a folded name without words such as "province", which is used only for matching. */
function core(name: string): string {
  const short = foldPlaceName(name)
    .replace(generic, " ")
    .replace(joining, " ")
    .replace(/ +/g, " ")
    .trim();
  return short === "" ? foldPlaceName(name) : short;
}

/** @returns a name for display without the kind of region: `State of Berlin` is Berlin, `Tula Oblast` is Tula. */
function plain(name: string): string {
  const short = name
    .replace(
      /^(?:State of|Province of|Provincia d[ei]|Departamento de|Region of|City of|Emirate of|Canton of|County of)\s+/i,
      "",
    )
    .replace(
      /[\s-]+(?:Province|Oblast|Region|State|Krai|Kray|County|Governorate|Department|District|Prefecture|Voivodeship|Republic|Division|Municipality|Parish|Emirate|Canton|Oblisi|Rayon|Region City|Metropolitan|do|si)$/i,
      "",
    )
    .trim();
  return short === "" ? name : short;
}
