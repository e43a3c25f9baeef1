import { foldPlaceName } from "../../../src/places/fold.ts";
import { nameMarks } from "../../../src/places/gazetteer-file.ts";
import { addName, type Draft, draft, lossy } from "./draft.ts";
import { readAlpha3, readCountryNames, readOwn, readWords } from "./sources.ts";

/** Countries by ISO 3166-1 alpha-2 code, with their names in eighty languages and people's own. */
export function draftCountries(): Map<string, Draft> {
  const words = readWords();
  const own = new Map(
    readOwn("countries").map(([code = "", names = ""]) => [code, names.split(";")]),
  );
  const countries = new Map<string, Draft>();
  for (const [code, names] of readCountryNames()) {
    const aliases = own.get(code) ?? [];
    const country = draft({
      id: code,
      kind: "country",
      name: shown[code] ?? names[0]?.name ?? code,
    });
    for (const name of aliases) {
      const isShort = /^[A-Z.]{2,5}$/.test(name) && !inAnyCase.has(foldPlaceName(name));
      addName(country, name, isShort ? nameMarks.alias | nameMarks.capitals : nameMarks.alias);
    }
    for (const { name, language } of names) {
      if (language !== "en" && words.has(name.toLowerCase())) continue;
      addName(country, name, nameMarks.own);
      const lost = spokenAbroad.has(language) ? lossy(name) : undefined;
      if (lost) addName(country, lost, nameMarks.lossy);
    }
    country.names.set(foldPlaceName(country.name), nameMarks.own | nameMarks.alias);
    addName(country, code, nameMarks.code | nameMarks.capitals);
    countries.set(code, country);
  }
  for (const [alpha3, code] of readAlpha3()) {
    const country = countries.get(alpha3.length === 3 ? code : alpha3);
    const name = alpha3.length === 3 ? alpha3 : code;
    if (country) addName(country, name, nameMarks.code | nameMarks.capitals);
  }
  return countries;
}

/** Abbreviations of countries that people also write in lower case. */
const inAnyCase = new Set(["usa", "uk", "uae"]);

/** Languages in which people write names of countries on profiles, where accents get lost. */
const spokenAbroad = new Set("es pt fr de it sv no nb da fi pl cs tr hu ro is".split(" "));

/** Common English names that differ from ISO's. */
const shown: Record<string, string> = {
  US: "United States",
  GB: "United Kingdom",
  RU: "Russia",
  KR: "South Korea",
  KP: "North Korea",
  CN: "China",
  TW: "Taiwan",
  VN: "Vietnam",
  IR: "Iran",
  SY: "Syria",
  LA: "Laos",
  BO: "Bolivia",
  VE: "Venezuela",
  TZ: "Tanzania",
  MD: "Moldova",
  BN: "Brunei",
  CZ: "Czechia",
  MK: "North Macedonia",
  CI: "Ivory Coast",
  CD: "DR Congo",
  CG: "Republic of the Congo",
  PS: "Palestine",
  TR: "Turkey",
  MM: "Myanmar",
  HK: "Hong Kong",
  MO: "Macao",
  VA: "Vatican City",
  FM: "Micronesia",
  GM: "Gambia",
  BS: "Bahamas",
  NL: "Netherlands",
  SZ: "Eswatini",
};

/** Makes sets of countries (`DACH`, `EU`). A macro region lies in every other that contains all its members. */
export function draftMacros(countries: ReadonlyMap<string, Draft>): Draft[] {
  const rows = readOwn("macros");
  const macros = new Map<string, Draft>();
  const members = new Map<string, Set<string>>();
  const membersOf = (id: string): Set<string> => {
    const known = members.get(id);
    if (known) return known;
    const row = rows.find((each) => each[0] === id);
    if (!row)
      throw new Error(`seed/places/macros.tsv: ${id} is neither a country nor a macro region`);
    const codes = (row[3] ?? "")
      .split(" ")
      .flatMap((each) => (countries.has(each) ? [each] : [...membersOf(each)]));
    members.set(id, new Set(codes));
    return new Set(codes);
  };
  for (const [id = "", name = "", aliases = ""] of rows) {
    const macro = draft({ id: `macro:${id}`, kind: "macro", name });
    addName(macro, name, nameMarks.own);
    for (const alias of aliases.split(";").filter(Boolean)) addName(macro, alias, nameMarks.alias);
    macros.set(id, macro);
    for (const code of membersOf(id)) macro.population += countries.get(code)?.population ?? 0;
  }
  const bySize = [...macros].sort(([a], [b]) => membersOf(a).size - membersOf(b).size);
  for (const [id, macro] of bySize) {
    for (const code of membersOf(id)) countries.get(code)?.containers.push(macro);
    for (const [other, larger] of bySize) {
      if (
        other !== id &&
        membersOf(other).size > membersOf(id).size &&
        [...membersOf(id)].every((code) => membersOf(other).has(code))
      ) {
        macro.containers.push(larger);
      }
    }
  }
  return [...macros.values()];
}
