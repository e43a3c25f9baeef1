import { distance } from "fastest-levenshtein";
import MiniSearch from "minisearch";
import { limits } from "../contract/limits.ts";
import { fold } from "./fold.ts";
import type { Gazetteer } from "./gazetteer/gazetteer.ts";
import { marksOf, nameMarks, numberOf } from "./gazetteer/layout.ts";

/**
 * "Did you mean" for places: MiniSearch over those that are always supported (countries, regions, macro
 * regions, metros, cities over 100,000), and the table of names itself for smaller places with people in
 * the pool. The index is made when the first text names no place, once, in about a tenth of a second.
 *
 * @package
 */
export function suggester(gazetteer: Gazetteer, find: (text: string) => readonly number[]) {
  let index: MiniSearch<Entry> | undefined;

  return (text: string, populated: (number: number) => number): string[] => {
    index ??= indexOf(gazetteer);
    const [part = ""] = text.split(/[,;/|(]/);
    const wanted = fold(part) || fold(text);
    if (wanted === "" || wanted.length > wantedMax) return [];
    const scores = new Map<number, number>();
    for (const { key, number } of [
      ...supported(index, wanted),
      ...small(gazetteer, wanted, populated),
    ]) {
      const score = closeness(wanted, key, gazetteer.population(number), populated(number));
      if (score > (scores.get(number) ?? 0)) scores.set(number, score);
    }
    return shown([...scores], gazetteer, find);
  };
}

interface Entry {
  readonly id: number;
  /** A folded name, and the same without its spaces: people leave them out. */
  readonly name: string;
  readonly joined: string;
  readonly number: number;
}

const wantedMax = 60;
const alikeFrom = 0.62;
const cityFrom = 100_000;
const regionFrom = 200_000;

function indexOf(gazetteer: Gazetteer): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    fields: ["name", "joined"],
    storeFields: ["name", "number"],
  });
  const names = gazetteer.namesWhere((posting) => isSupported(posting, gazetteer));
  let id = 0;
  for (const [name, posting] of names) {
    const joined = name.includes(" ") ? name.replaceAll(" ", "") : "";
    index.add({ id: id++, name, joined, number: numberOf(posting) });
  }
  return index;
}

const notShown = nameMarks.lossy | nameMarks.part | nameMarks.code | nameMarks.capitals;

function isSupported(posting: number, gazetteer: Gazetteer): boolean {
  const marks = marksOf(posting);
  if (marks & notShown || !(marks & (nameMarks.own | nameMarks.alias))) return false;
  const number = numberOf(posting);
  switch (gazetteer.kind(number)) {
    case "city":
      return gazetteer.population(number) >= cityFrom;
    case "country":
      // Its names in eighty languages are all found, but suggested only by the ones of our own list.
      return (marks & nameMarks.alias) !== 0;
    case "region":
      return gazetteer.population(number) >= regionFrom;
    case "metro":
      // Counties are supported, but as suggestions they would bury everything else.
      return !gazetteer.place(number).id.includes(".");
    default:
      return true;
  }
}

interface Named {
  readonly key: string;
  readonly number: number;
}

function supported(index: MiniSearch<Entry>, wanted: string): Named[] {
  const joined = wanted.replaceAll(" ", "");
  const options = {
    prefix: (term: string) => term.length >= 3,
    fuzzy: (term: string) => (term.length > 8 ? 3 : term.length > 4 ? 2 : 1),
  };
  const hits = index.search(joined === wanted ? wanted : `${wanted} ${joined}`, options);
  return hits.slice(0, hitsMax).map(({ name, number }) => ({ key: name, number }));
}

const hitsMax = 80;

/** Smaller places where somebody lives, by their first letters. */
function small(
  gazetteer: Gazetteer,
  wanted: string,
  populated: (number: number) => number,
): Named[] {
  if (wanted.length < 4) return [];
  const isPeopled = (posting: number) =>
    !(marksOf(posting) & notShown) && populated(numberOf(posting)) > 0;
  const range = {
    prefix: wanted.slice(0, 2),
    bytesFrom: wanted.length - 2,
    bytesTo: wanted.length * 3,
  };
  const found: Named[] = [];
  for (const [key, posting] of gazetteer.namesWhere(isPeopled, range)) {
    if (distance(key, wanted) <= 2) found.push({ key, number: numberOf(posting) });
  }
  return found;
}

/** How alike the names are, then how many people live there, in the pool and in the world; 0 is not alike. */
function closeness(wanted: string, key: string, population: number, inPool: number): number {
  const bare = wanted.replaceAll(" ", "");
  const edits = Math.min(distance(key, wanted), distance(key.replaceAll(" ", ""), bare));
  const length = Math.max(key.length, wanted.length);
  const alike = key.startsWith(wanted) ? Math.max(0.6, 1 - edits / length) : 1 - edits / length;
  if (alike < alikeFrom) return 0;
  return alike * 10 + Math.log10(1 + population) / 5 + Math.log10(1 + inPool);
}

function shown(
  scores: [number: number, score: number][],
  gazetteer: Gazetteer,
  find: (text: string) => readonly number[],
): string[] {
  const names: string[] = [];
  for (const [number] of scores.sort(([a, x], [b, y]) => y - x || a - b)) {
    const { fullName } = gazetteer.place(number);
    if (names.includes(fullName) || !find(fullName).includes(number)) continue;
    names.push(fullName);
    if (names.length === limits.suggestionsMax) break;
  }
  return names;
}
