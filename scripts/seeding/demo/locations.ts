import type { Chance } from "./chance.ts";
import type { City, Country } from "./lists.ts";

const nowhere = [
  "Remote",
  "Earth",
  "The Internet",
  "127.0.0.1",
  "Somewhere with coffee",
  "/dev/null",
];

/** The location as people write it: one place, a hundred spellings, or none at all. */
export function locationText(chance: Chance, country: Country): string | undefined {
  if (chance.is(8)) return undefined;
  if (chance.is(2)) return chance.pick(nowhere);
  const [name = ""] = country.names;
  if (chance.is(3)) return `Remote, ${name}`;
  if (chance.is(5)) return chance.pick(country.names.filter((other) => other.length > 2));
  const city = chance.weighted(country.cities, ({ weight }) => weight);
  if (city.text !== undefined) return city.text;
  return cityText(chance, city, country);
}

function cityText(chance: Chance, city: City, country: Country): string {
  const [main = "", ...otherNames] = city.names;
  const [name = ""] = country.names;
  const other = otherNames.length > 0 ? chance.pick(otherNames) : main;
  const region = city.regions.length > 0 ? chance.pick(city.regions) : undefined;
  const anyCountry = chance.pick(country.names);
  const forms: [number, string][] = [
    [34, `${main}, ${name}`],
    [22, main],
    [6, other],
    [8, `${other}, ${anyCountry}`],
    [6, `${main}, ${anyCountry}`],
    [2, `${main} (${name})`],
    [2, `${main}, ${name}`.toLowerCase()],
    [2, `${name}, ${main}`],
    [1, `Remote / ${main}`],
    [1, `${main} 🏡`],
  ];
  if (region) {
    // Americans write the state and leave the country out.
    const isUsual = name === "United States";
    forms.push([isUsual ? 60 : 12, `${main}, ${region}`], [8, `${main}, ${region}, ${name}`]);
  }
  return chance.weighted(forms, ([weight]) => weight)[1];
}
