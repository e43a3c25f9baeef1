import { distance } from "fastest-levenshtein";
import type { Containment } from "../containment.ts";
import type { Gazetteer } from "../gazetteer.ts";
import { marksOf, nameMarks, numberOf } from "../layout.ts";
import type { Group } from "./grouping.ts";
import type { Candidate, Mention } from "./mentions.ts";

interface Repair {
  readonly mentions: readonly Mention[];
  readonly why: string;
}

/**
 * Reads an unknown name as a known one that differs by a slip of the hand: within the country or region
 * named after it, or, when nothing else is written, as a country, region or large city.
 *
 * @package
 */
export function repaired(
  mentions: readonly Mention[],
  groups: readonly Group[],
  gazetteer: Gazetteer,
  containment: Containment,
  notPlaces: ReadonlyMap<string, boolean>,
): Repair | undefined {
  if (groups.some((group) => gazetteer.kind(group.chosen.number) === "city")) return undefined;
  for (const [index, mention] of mentions.entries()) {
    if (mention.candidates.length > 0 || mention.key.length < 5 || notPlaces.has(mention.key))
      continue;
    const within = groups.find((group) => group.from <= index && index < group.to) ?? groups.at(-1);
    const outer = within?.chosen.number;
    if (outer === undefined && mentions.length > 1) continue;
    const candidates = similar(mention.key, outer, gazetteer, containment);
    if (candidates.length === 0) continue;
    const mended = mentions.map((each, place) =>
      place === index ? { ...each, candidates } : each,
    );
    const [first] = candidates;
    const shown = first ? gazetteer.place(first.number).fullName : "";
    return { mentions: mended, why: `"${mention.text}" as ${shown}` };
  }
  return undefined;
}

const scanMax = 40_000;

function similar(
  key: string,
  outer: number | undefined,
  gazetteer: Gazetteer,
  containment: Containment,
): Candidate[] {
  const found = new Map<number, number>();
  let scanned = 0;
  const edits = key.length >= 9 && outer !== undefined ? 2 : 1;
  for (const [name, postings] of gazetteer.startingWith(key.slice(0, 1))) {
    if (++scanned > scanMax) break;
    if (Math.abs(name.length - key.length) > edits || !isSlip(key, name, edits)) continue;
    for (const posting of postings) {
      const number = numberOf(posting);
      if (!isWorth(posting, number, outer, key, gazetteer)) continue;
      if (outer !== undefined && !containment.isWithin(number, outer)) continue;
      found.set(number, gazetteer.population(number));
    }
  }
  return [...found].map(([number, weight]) => ({
    number,
    weight: weight * 0.1,
    needsContext: false,
    isCode: false,
  }));
}

function isWorth(
  posting: number,
  number: number,
  outer: number | undefined,
  key: string,
  gazetteer: Gazetteer,
): boolean {
  const marks = marksOf(posting);
  if (
    !(marks & (nameMarks.own | nameMarks.alias)) ||
    marks & (nameMarks.code | nameMarks.capitals)
  ) {
    return false;
  }
  if (outer !== undefined) return gazetteer.population(number) >= 5_000;
  return key.length >= 6 && gazetteer.population(number) >= (key.length >= 8 ? 100_000 : 500_000);
}

/** At most so many letters wrong, missing, too many or two neighbours swapped. */
function isSlip(written: string, name: string, edits: number): boolean {
  const apart = distance(written, name);
  if (apart <= edits) return true;
  return apart === 2 && written.length === name.length && isSwap(written, name);
}

function isSwap(written: string, name: string): boolean {
  for (let at = 0; at + 1 < written.length; at++) {
    if (written[at] === name[at]) continue;
    return (
      written[at] === name[at + 1] &&
      written[at + 1] === name[at] &&
      written.slice(at + 2) === name.slice(at + 2)
    );
  }
  return false;
}
