import type { Containment } from "../containment.ts";
import type { Gazetteer } from "../gazetteer.ts";
import type { Candidate, Mention } from "./mentions.ts";

/** Mentions that together name one place: `Tampa` within `Florida` within `USA`. */
export interface Group {
  readonly from: number;
  readonly to: number;
  /** Index of the mention that names the place, and which of its candidates it is. */
  readonly at: number;
  readonly chosen: Candidate;
  /** Indices of the mentions that the place lies in, the naming one included. */
  readonly support: readonly number[];
  readonly value: number;
  /** The share of the chosen candidate's weight among those of the name that fit as well. */
  readonly share: number;
}

const mentionsMax = 12;

/**
 * Cuts the mentions into runs that each name one place, so that most of what is written is explained: a run
 * is worth the mentions that contain its place, a new place costs more after a comma than after a slash.
 *
 * @package
 */
export function groupsOf(
  mentions: readonly Mention[],
  gazetteer: Gazetteer,
  containment: Containment,
): Group[] {
  const list = mentions.slice(0, mentionsMax);
  const best: { value: number; groups: Group[] }[] = [{ value: 0, groups: [] }];
  for (let to = 1; to <= list.length; to++) {
    let found = best[to - 1] ?? { value: 0, groups: [] };
    for (let from = 0; from < to; from++) {
      const before = best[from];
      const group = groupOf(list, from, to, gazetteer, containment);
      if (!before || !group) continue;
      const value = before.value + group.value - boundary(list, from, before.groups, gazetteer);
      if (value > found.value + 1e-9) found = { value, groups: [...before.groups, group] };
    }
    best[to] = found;
  }
  return best[list.length]?.groups ?? [];
}

/** What it costs to take the mentions from here on for another place. */
function boundary(
  mentions: readonly Mention[],
  from: number,
  before: readonly Group[],
  gazetteer: Gazetteer,
): number {
  const last = before.at(-1);
  if (!last) return 0;
  const next = mentions[from];
  if (next?.joined === "multi") return 0.1;
  const isBroad = next?.candidates.some(
    ({ number }) => gazetteer.kind(number) === "country" || gazetteer.kind(number) === "region",
  );
  const wasCityAlone = last.support.length === 1 && gazetteer.kind(last.chosen.number) === "city";
  // "Paris, Ohio": a town too small for the gazetteer, not two places.
  if (isBroad && wasCityAlone && last.at === from - 1) return 1.5;
  return next?.joined === "space" ? 0.8 : 0.6;
}

function groupOf(
  mentions: readonly Mention[],
  from: number,
  to: number,
  gazetteer: Gazetteer,
  containment: Containment,
): Group | undefined {
  let best: Group | undefined;
  for (let at = from; at < to; at++) {
    const named = choose(mentions, from, to, at, gazetteer, containment);
    if (!named) continue;
    const { support, candidate } = named;
    const alone = support.length === 1;
    const value =
      (alone ? strength(candidate, gazetteer) : support.length) +
      Math.log10(1 + candidate.weight) / 1000;
    const group = { from, to, at, chosen: candidate, support, value, share: named.share };
    if (!best || isBetter(group, best, gazetteer)) best = group;
  }
  return best;
}

/** More support wins; then the earlier mention, unless the later names a far larger city elsewhere in the country. */
function isBetter(group: Group, best: Group, gazetteer: Gazetteer): boolean {
  if (group.support.length !== best.support.length) {
    return group.support.length > best.support.length;
  }
  if (best.support.length === 1) return group.value > best.value;
  const elsewhere =
    gazetteer.region(group.chosen.number) !== gazetteer.region(best.chosen.number) &&
    gazetteer.kind(group.chosen.number) === "city";
  return elsewhere && group.chosen.weight > best.chosen.weight * 10;
}

interface Named {
  readonly candidate: Candidate;
  readonly support: readonly number[];
  readonly share: number;
}

/** The candidate of one mention that most of the others contain; then the one people most likely mean. */
function choose(
  mentions: readonly Mention[],
  from: number,
  to: number,
  at: number,
  gazetteer: Gazetteer,
  containment: Containment,
): Named | undefined {
  const own = mentions[at];
  if (!own || own.candidates.length === 0) return undefined;
  let fits: { candidate: Candidate; support: number[]; weight: number }[] = [];
  let most = 0;
  for (const candidate of own.candidates) {
    if (candidate.isCode && to - from === 1) continue;
    const support: number[] = [];
    let weight = candidate.weight;
    for (let other = from; other < to; other++) {
      if (other === at) support.push(other);
      else {
        const outer = container(candidate, mentions[other], gazetteer, containment);
        if (!outer) continue;
        support.push(other);
        if (outer.isCode && gazetteer.place(outer.number).id.startsWith("US-")) weight *= 10;
      }
    }
    if (support.length === 1 && (candidate.needsContext || candidate.isCode)) continue;
    if (candidate.isCode && support.length < 2) continue;
    if (support.length < most) continue;
    if (support.length > most) fits = [];
    most = support.length;
    fits.push({ candidate, support, weight });
  }
  fits = sharingNames(fits, gazetteer).sort((a, b) => b.weight - a.weight);
  const [first] = fits;
  if (!first) return undefined;
  const total = fits.reduce((sum, each) => sum + each.weight, 0);
  return { candidate: first.candidate, support: first.support, share: first.weight / total };
}

function container(
  inner: Candidate,
  mention: Mention | undefined,
  gazetteer: Gazetteer,
  containment: Containment,
): Candidate | undefined {
  return mention?.candidates.find(
    (outer) =>
      (outer.number !== inner.number || mention.key.length > 1) &&
      (gazetteer.kind(outer.number) !== "city" || gazetteer.isDistrict(inner.number)) &&
      containment.isWithin(inner.number, outer.number),
  );
}

/** A country before the city of its name; a city before the region of its name in which it lies. */
function sharingNames<T extends { candidate: Candidate }>(fits: T[], gazetteer: Gazetteer): T[] {
  const numbers = fits.map((each) => each.candidate.number);
  return fits.filter(({ candidate: { number } }) => {
    const kind = gazetteer.kind(number);
    if (kind === "city" || kind === "region") {
      const country = gazetteer.country(number);
      if (numbers.includes(country)) return false;
    }
    return (
      kind !== "region" ||
      !numbers.some(
        (city) =>
          gazetteer.kind(city) === "city" &&
          gazetteer.region(city) === number &&
          gazetteer.population(city) > gazetteer.population(number) / 20,
      )
    );
  });
}

/** How sure a name alone is a place at all: countries, then cities by size. */
function strength({ number, weight }: Candidate, gazetteer: Gazetteer): number {
  if (gazetteer.kind(number) !== "city") return 1;
  if (weight >= 1_000_000) return 0.95;
  if (weight >= 300_000) return 0.8;
  if (weight >= 100_000) return 0.65;
  return 0.3;
}
