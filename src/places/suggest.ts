import { limits } from "../contract/limits.ts";
import type { FindableNames } from "./findable.ts";
import { foldPlaceName } from "./fold.ts";
import type { Gazetteer } from "./gazetteer.ts";

/**
 * Places with people for a text that names none (decision 33): what a profile with this text would be taken for
 * ("Remote, Germany" means Germany), or what contains that; then similar names; else the largest places.
 *
 * @package
 * @param read the places that the text is read as, each with what contains it, nearest first.
 */
export function suggestLocations(
  text: string,
  read: readonly (readonly number[])[],
  findable: FindableNames,
  gazetteer: Gazetteer,
): string[] {
  const { people, isMeant, largest } = findable;
  const isOffered = (number: number) => people(number) > 0 && isMeant(number);
  const within = read.flatMap((containing) => containing.find(isOffered) ?? []);
  const alike = findSimilarPlaces(text, findable, gazetteer).map(({ number }) => number);
  const near = [...within, ...alike].filter(isOffered);
  const names = new Set<string>();
  for (const number of near.length > 0 ? near : largest()) {
    if (names.size === limits.suggestionsMax) break;
    if (isMeant(number)) names.add(gazetteer.place(number).fullName);
  }
  return [...names];
}

/**
 * By how alike the names are, then by how many people are there, in the pool and in the world.
 *
 * @package
 */
export function findSimilarPlaces(
  text: string,
  { near, people }: FindableNames,
  gazetteer: Gazetteer,
) {
  const [part = ""] = text.split(/[,;/|(]/);
  const found = near(foldPlaceName(part) || foldPlaceName(text)).map(([number, fit]) => {
    const size = Math.log10(1 + gazetteer.population(number)) / 5 + Math.log10(1 + people(number));
    return { number, fit, score: size - fit * 10 };
  });
  return found.sort((a, b) => b.score - a.score || a.number - b.number);
}
