import { distance } from "fastest-levenshtein";
import type { Gazetteer } from "./gazetteer.ts";
import { getNameMarks, getPlaceNumber, nameMarks } from "./gazetteer-file.ts";
import type { MentionGroup } from "./grouping.ts";
import { createSureCandidate, type Mention, type MentionCandidate } from "./mentions.ts";

interface Repair {
  readonly mentions: readonly Mention[];
  readonly why: string;
}

/** Corrects a typing error in one unknown name. If the text also names a country or region, the correct name is a place in it. */
export function repairName(
  mentions: readonly Mention[],
  groups: readonly MentionGroup[],
  gazetteer: Gazetteer,
  notPlaces: ReadonlyMap<string, boolean>,
): Repair | undefined {
  if (groups.some((group) => gazetteer.kind(group.chosen.number) === "city")) return undefined;
  for (const [index, mention] of mentions.entries()) {
    if (
      mention.candidates.length > 0 ||
      mention.key.length < 5 ||
      mention.isNoPlace ||
      notPlaces.has(mention.key)
    )
      continue;
    const within = groups.find((group) => group.from <= index && index < group.to) ?? groups.at(-1);
    const outer = within?.chosen.number;
    if (outer === undefined && mentions.length > 1) continue;
    const candidates = similar(mention.key, outer, gazetteer);
    if (candidates.length === 0) continue;
    const [first] = candidates;
    const name = first ? gazetteer.place(first.number).fullName : "";
    return {
      mentions: mentions.with(index, { ...mention, candidates }),
      why: `"${mention.text}" as ${name}`,
    };
  }
  return undefined;
}

function similar(key: string, outer: number | undefined, gazetteer: Gazetteer): MentionCandidate[] {
  const edits = key.length >= 9 && outer !== undefined ? 2 : 1;
  const isWanted = (posting: number) =>
    isWorth(posting, outer, key, gazetteer) &&
    (outer === undefined || gazetteer.isWithin(getPlaceNumber(posting), outer));
  const range = {
    prefix: key.slice(0, 1),
    bytesFrom: key.length - edits,
    bytesTo: key.length + edits,
  };
  const found = new Set<number>();
  for (const [name, posting] of gazetteer.namesWhere(isWanted, range)) {
    if (isSlip(key, name, edits)) found.add(getPlaceNumber(posting));
  }
  return [...found].map((number) => createSureCandidate(number, gazetteer.population(number) / 10));
}

function isWorth(
  posting: number,
  outer: number | undefined,
  key: string,
  gazetteer: Gazetteer,
): boolean {
  const marks = getNameMarks(posting);
  const population = gazetteer.population(getPlaceNumber(posting));
  if (
    !(marks & (nameMarks.own | nameMarks.alias)) ||
    marks & (nameMarks.code | nameMarks.capitals)
  ) {
    return false;
  }
  if (outer !== undefined) return population >= 5_000;
  return key.length >= 6 && population >= (key.length >= 8 ? 100_000 : 500_000);
}

/** Whether at most `edits` letters are wrong, missing or added, or two adjacent letters are swapped. */
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
