import { foldPlaceName } from "../../../src/places/fold.ts";
import {
  openPlaces,
  type Place,
  type Places,
  type Resolution,
} from "../../../src/places/places.ts";
import { defineMeasurement, type Findings, UnusableInput } from "../measurement.ts";
import { atLeast, toShare } from "../rows.ts";

export const measurement = defineMeasurement({
  about: "What profile texts are read as, against a labelled table.",
  takes: "FILE",
  run: ({ paths: [file = ""] }) => truthOfPlaces(file),
});

/**
 * Compares the resolver of profile texts with a labelled table (`text country region city kind`, with tabs; several
 * places are aligned by `|`), by the rules that come with the table: for an ambiguous text, any of its places or none is
 * right, and it counts in no denominator; for several places, the set of countries counts; a city may have any of its
 * GeoNames names.
 */
export async function truthOfPlaces(path: string): Promise<Findings> {
  const labels = await readLabels(path);
  const places = openPlaces();
  const country = new Tally();
  const city = new Tally();
  const misses: string[] = [];
  for (const label of labels) {
    const answer = places.resolve(label.text);
    const isCountryRight = countCountry(label, answer, country);
    const isCityRight = countCity(label, answer, places, city);
    if (!isCountryRight || !isCityRight) misses.push(inWords(label, answer));
  }
  return {
    rows: [
      atLeast(0.98, toShare("places.country.precision", country.right, country.answered)),
      atLeast(0.93, toShare("places.country.recall", country.right, country.labelled)),
      atLeast(0.95, toShare("places.city.precision", city.right, city.answered)),
    ],
    counts:
      `${labels.length} texts; countries: ${country.right} right of ${country.answered} answered and ` +
      `${country.labelled} labelled; cities: ${city.right} right of ${city.answered} answered and ` +
      `${city.labelled} labelled`,
    misses,
  };
}

class Tally {
  right = 0;
  answered = 0;
  labelled = 0;
}

interface Label {
  readonly text: string;
  readonly kind: string;
  /** Aligned slots, empty where a place has none. */
  readonly countries: readonly string[];
  readonly cities: readonly string[];
}

const header = "text\tcountry\tregion\tcity\tkind";
const kinds = "city region country macro metro remote none multiple ambiguous".split(" ");

async function readLabels(path: string): Promise<Label[]> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new UnusableInput(`${path}: no such file`);
  const [first = "", ...lines] = (await file.text()).replace(/^\uFEFF/, "").split(/\r?\n/);
  if (first !== header) {
    throw new UnusableInput(
      `${path}:1: the first line must be "${header.replaceAll("\t", " ")}", with tabs`,
    );
  }
  while (lines.at(-1) === "") lines.pop();
  if (lines.length === 0) throw new UnusableInput(`${path}: has no rows`);
  return lines.map((line, index) => {
    const [text = "", countries = "", , cities = "", kind = "", ...rest] = line.split("\t");
    const where = `${path}:${index + 2}`;
    if (!kinds.includes(kind) || rest.length > 0) {
      throw new UnusableInput(
        `${where}: five columns with a kind of ${kinds.join(", ")} are needed`,
      );
    }
    if (!/^(?:[A-Z]{2})?(?:\|(?:[A-Z]{2})?)*$/.test(countries)) {
      throw new UnusableInput(`${where}: "${countries}" is no list of ISO 3166-1 alpha-2 codes`);
    }
    return { text, kind, countries: countries.split("|"), cities: cities.split("|") };
  });
}

function countCountry(label: Label, { places }: Resolution, tally: Tally): boolean {
  const wanted = new Set(label.countries.filter(Boolean));
  const given = new Set(
    places.map(({ place }) => place.country).filter((code) => code !== undefined),
  );
  if (label.kind === "ambiguous") {
    const isRight =
      given.size === 0 || (given.size === 1 && [...given].every((code) => wanted.has(code)));
    if (!isRight) tally.answered++;
    return isRight;
  }
  const isRight = given.size === wanted.size && [...given].every((code) => wanted.has(code));
  if (wanted.size > 0) tally.labelled++;
  if (given.size > 0) tally.answered++;
  if (isRight && wanted.size > 0) tally.right++;
  return isRight;
}

function countCity(label: Label, { places }: Resolution, all: Places, tally: Tally): boolean {
  const given = places.map(({ place }) => place).filter((place) => place.kind === "city");
  const isRight = given.every((place) => isLabelled(place, label, all));
  if (label.kind === "ambiguous") {
    if (!isRight) tally.answered++;
    return isRight;
  }
  if (label.cities.some(Boolean)) tally.labelled++;
  if (given.length > 0) tally.answered++;
  if (given.length > 0 && isRight) tally.right++;
  return isRight;
}

/** Whether this place is one of the labelled cities, under any of its names, in the labelled country. */
function isLabelled(place: Place, { countries, cities }: Label, all: Places): boolean {
  return cities.some(
    (city, slot) =>
      city !== "" &&
      place.country === countries[slot] &&
      (foldPlaceName(city) === foldPlaceName(place.name) || all.isNamed(place.id, city)),
  );
}

function inWords({ text, countries, cities, kind }: Label, { places }: Resolution): string {
  const given = places.map(({ place }) => `${place.fullName} (${place.kind})`).join("; ");
  const wanted = `${countries.join("|")} ${cities.join("|")} ${kind}`.replace(/ +/g, " ");
  return `"${text}": labelled ${wanted}; answered ${given || "nothing"}`;
}
