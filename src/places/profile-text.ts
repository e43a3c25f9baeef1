import notPlacesPath from "../../seed/places/not-places.txt" with { type: "text" };
import { foldPlaceName } from "./fold.ts";
import type { Gazetteer, Place } from "./gazetteer.ts";
import { getNameMarks, nameMarks } from "./gazetteer-file.ts";
import { groupMentions, type MentionGroup } from "./grouping.ts";
import { findMentions, type Mention } from "./mentions.ts";
import { repairName } from "./repair.ts";
import { cutSegments } from "./segments.ts";

export interface Resolution {
  /** The places that the text names, in its order: "Berlin / Lisbon" names two. */
  readonly places: readonly {
    readonly place: Place;
    readonly matched: string;
    readonly confidence: number;
  }[];
  readonly remote: boolean;
  /** The steps of the decision, for `places explain`. */
  readonly why: readonly string[];
}

let notPlaces: ReadonlyMap<string, boolean> | undefined;

/** Reads a profile's text. A doubtful name is not read as a place. */
export function resolveProfileText(given: string, gazetteer: Gazetteer): Resolution {
  notPlaces ??= readNotPlaces(notPlacesPath);
  const known = notPlaces;
  const isName = (text: string) =>
    gazetteer
      .named(foldPlaceName(text))
      .some((posting) => (getNameMarks(posting) & usualName) !== 0);
  const segments = cutSegments(given.slice(0, lengthMax), isName);
  const why = [`segments: ${segments.map(({ text }) => text).join(" | ") || "none"}`];
  const remote = segments.some(({ text }) => isRemote(text, known));
  if (remote) why.push("says that the work is remote");
  let mentions: readonly Mention[] = findMentions(segments, gazetteer, known);
  let groups = groupMentions(mentions, gazetteer);
  const repair = repairName(mentions, groups, gazetteer, known);
  if (repair) {
    why.push(`repaired: ${repair.why}`);
    mentions = repair.mentions;
    groups = groupMentions(mentions, gazetteer);
  }
  const places = groups.map((group) => toPlace(group, mentions, gazetteer, repair !== undefined));
  for (const { place, matched, confidence } of places) {
    why.push(`${matched} is ${place.fullName} (${place.id}), confidence ${confidence}`);
  }
  if (places.length === 0) why.push("names no known place");
  return { places, remote, why };
}

const lengthMax = 300;
const usualName = nameMarks.own | nameMarks.alias;

function toPlace(
  group: MentionGroup,
  mentions: readonly Mention[],
  gazetteer: Gazetteer,
  isRepaired: boolean,
): Resolution["places"][number] {
  const number = wholeCity(group, mentions, gazetteer);
  const certain = group.support.length > 1 ? 0.98 : 0.9;
  const confidence = certain * (0.5 + group.share / 2) * (isRepaired ? 0.7 : 1);
  return {
    place: gazetteer.place(number),
    matched: group.support.map((index) => mentions[index]?.text ?? "").join(", "),
    confidence: Math.round(confidence * 100) / 100,
  };
}

/**
 * Replaces a district by its city if the text names the city too (`Kreuzberg, Berlin`). In `Brooklyn, New York`, the second name
 * is the state, so nothing is replaced.
 */
function wholeCity(
  group: MentionGroup,
  mentions: readonly Mention[],
  gazetteer: Gazetteer,
): number {
  const { number } = group.chosen;
  if (!gazetteer.isDistrict(number)) return number;
  for (const outer of gazetteer.containers(number)) {
    if (gazetteer.kind(outer) !== "city") continue;
    const beside = group.support.some((index) => {
      const candidates = index === group.at ? [] : (mentions[index]?.candidates ?? []);
      const names = candidates.map((candidate) => candidate.number);
      const isState =
        gazetteer.place(number).country === "US" && names.includes(gazetteer.region(number));
      return names.includes(outer) && !isState;
    });
    if (beside) return outer;
  }
  return number;
}

function isRemote(text: string, notPlaces: ReadonlyMap<string, boolean>): boolean {
  const key = foldPlaceName(text);
  if (notPlaces.get(key)) return true;
  return /\b(?:remote|remotely|nomad|nomadic|wfh|telecommut\w+)\b/.test(key);
}

/** Reads the list of texts that name no place. The value is true for a text that means "remote". */
function readNotPlaces(table: string): ReadonlyMap<string, boolean> {
  const rows = table.split("\n").map((line) => line.split("\t"));
  return new Map(rows.map(([text = "", kind]) => [foldPlaceName(text), kind === "remote"]));
}
