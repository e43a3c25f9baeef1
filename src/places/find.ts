import { foldPlaceName } from "./fold.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { getNameMarks, getPlaceNumber, nameMarks } from "./gazetteer-file.ts";

/**
 * Finds the places that a search filter names, such as `Berlin, Germany`. A misspelt name finds nothing.
 * @returns numbers of places by population, largest first.
 */
export function findPlaces(text: string, gazetteer: Gazetteer): readonly number[] {
  const parts = text.split(/[,;/|()，、]+/).filter((part) => foldPlaceName(part) !== "");
  if (parts.length === 0 || parts.length > partsMax) return [];
  const whole = parts.length === 1 ? parts[0] : undefined;
  const found = whole === undefined ? fitting(parts, gazetteer) : alone(whole, gazetteer);
  return found.sort((a, b) => gazetteer.population(b) - gazetteer.population(a) || a - b);
}

const partsMax = 6;

function alone(text: string, gazetteer: Gazetteer): number[] {
  const named = placesNamed(text, gazetteer, false);
  if (named.length > 0) return preferred(named, gazetteer);
  const words = text.trim().split(/\s+/);
  for (let tail = 1; tail <= 3 && tail < words.length; tail++) {
    const parts = [words.slice(0, -tail).join(" "), words.slice(-tail).join(" ")];
    const found = fitting(parts, gazetteer);
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the places of a part that are inside a place of every other part, such as Berlin in `Germany, Berlin`. */
function fitting(parts: readonly string[], gazetteer: Gazetteer): number[] {
  const byPart = parts.map((part) => placesNamed(part, gazetteer, true));
  const found = new Set<number>();
  byPart.forEach((own, index) => {
    const others = byPart.filter((_, other) => other !== index);
    const fits = own.filter((number) =>
      others.every((list) =>
        list.some((outer) => outer !== number && gazetteer.isWithin(number, outer)),
      ),
    );
    for (const number of preferred(fits, gazetteer)) found.add(number);
  });
  if (found.size > 0) return [...found];
  // The parts may also be equal names of one place, such as "Singapore, Singapore".
  const [first = [], ...rest] = byPart;
  return preferred(
    first.filter((number) => rest.every((list) => list.includes(number))),
    gazetteer,
  );
}

/** Returns places with this name or code. Most codes count only as a qualifier, such as `CA` in `Irvine, CA`. */
function placesNamed(text: string, gazetteer: Gazetteer, isQualifier: boolean): number[] {
  const coded = findSubdivision(text, gazetteer);
  if (coded !== undefined) return [coded];
  const key = foldPlaceName(text);
  const never = nameMarks.lossy | nameMarks.part;
  const isCapitals = text === text.toUpperCase();
  const postings = [key, ...withoutKind(key)]
    .map((each) => gazetteer.named(each))
    .find((list) => list.length > 0);
  const usable = (postings ?? []).filter((posting) => {
    const marks = getNameMarks(posting);
    if (marks & never) return false;
    if (marks & nameMarks.alias) return !(marks & nameMarks.code) || isQualifier || isCapitals;
    if (marks & nameMarks.code)
      return isQualifier || (isCapitals && isPlainCode(posting, gazetteer));
    return !(marks & nameMarks.capitals) || isCapitals;
  });
  return withoutForeignNames(usable, gazetteer);
}

/** Returns the region with this ISO 3166-2 code: `DE-BE`. */
export function findSubdivision(text: string, gazetteer: Gazetteer): number | undefined {
  const code = text.trim();
  return /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(code) ? gazetteer.numberById(code) : undefined;
}

function isPlainCode(posting: number, gazetteer: Gazetteer): boolean {
  const { id } = gazetteer.place(getPlaceNumber(posting));
  return !id.includes("-") || id.startsWith("US-");
}

/**
 * A foreign or former name counts only for a place that is larger than every place with this main name. Otherwise "Brooklyn"
 * would also find Oshkosh.
 */
function withoutForeignNames(postings: readonly number[], gazetteer: Gazetteer): number[] {
  const isOwn = (posting: number) =>
    getNameMarks(posting) !== 0 && getNameMarks(posting) !== nameMarks.word;
  const largest = Math.max(
    0,
    ...postings.filter(isOwn).map((posting) => gazetteer.population(getPlaceNumber(posting))),
  );
  return postings
    .filter((posting) => isOwn(posting) || gazetteer.population(getPlaceNumber(posting)) > largest)
    .map(getPlaceNumber);
}

/** Removes words such as "city of" or "metro area" from the name. */
function withoutKind(key: string): string[] {
  return [
    key.replace(/^(?:greater|metropolitan|city of|state of|province of|county of) /, ""),
    key.replace(/ (?:metropolitan area|metro area|area|metro|city|region|province|state)$/, ""),
  ].filter((each) => each !== key);
}

/** Among places of one name, prefers the country to its capital (Luxembourg), and a large city to its region (New York). */
function preferred(numbers: readonly number[], gazetteer: Gazetteer): number[] {
  const countries = new Set(numbers.filter((number) => gazetteer.kind(number) === "country"));
  const outside = numbers.filter(
    (number) => countries.has(number) || !countries.has(gazetteer.country(number)),
  );
  return outside.filter(
    (number) =>
      gazetteer.kind(number) !== "region" ||
      !outside.some(
        (city) =>
          gazetteer.kind(city) === "city" &&
          gazetteer.region(city) === number &&
          gazetteer.population(city) >= gazetteer.population(number) / 5,
      ),
  );
}
