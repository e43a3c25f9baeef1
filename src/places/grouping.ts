import { foldPlaceName } from "./fold.ts";
import type { Gazetteer } from "./gazetteer.ts";
import type { Mention, MentionCandidate } from "./mentions.ts";

/** Mentions that together name one place: `Tampa` in `Florida` in `USA`. */
export interface MentionGroup {
  readonly from: number;
  readonly to: number;
  /** Index of the mention that names the place. */
  readonly at: number;
  readonly chosen: MentionCandidate;
  /** Indices of all mentions that contain the place. `at` is one of them. */
  readonly support: readonly number[];
  readonly value: number;
  /** The weight of the chosen candidate, divided by the weight of all candidates that fit equally well. */
  readonly share: number;
}

const mentionsMax = 12;

/**
 * Cuts the mentions into groups, so that together the groups explain most of the text. The value of a group is the number of
 * mentions that contain its place.
 */
export function groupMentions(mentions: readonly Mention[], gazetteer: Gazetteer): MentionGroup[] {
  const list = mentions.slice(0, mentionsMax);
  const best: { value: number; groups: MentionGroup[] }[] = [{ value: 0, groups: [] }];
  for (let to = 1; to <= list.length; to++) {
    let found = best[to - 1] ?? { value: 0, groups: [] };
    for (let from = 0; from < to; from++) {
      const before = best[from];
      const group = groupOf(list, from, to, gazetteer);
      if (!before || !group) continue;
      const value = before.value + group.value - boundary(list, group, before.groups, gazetteer);
      if (value > found.value + 1e-9) found = { value, groups: [...before.groups, group] };
    }
    best[to] = found;
  }
  return best[list.length]?.groups ?? [];
}

/** Returns the cost of reading a group as a new place. */
function boundary(
  mentions: readonly Mention[],
  group: MentionGroup,
  before: readonly MentionGroup[],
  gazetteer: Gazetteer,
): number {
  const last = before.at(-1);
  if (!last) return 0;
  const next = mentions[group.from];
  if (next?.joined === "multi") return 0.1;
  const kind = gazetteer.kind(group.chosen.number);
  const isBroad = kind === "country" || kind === "region";
  const isAlone = group.support.length === 1;
  const wasAlone = last.support.length === 1;
  // "Paris, Ohio" is one town that the gazetteer does not know, not two places.
  const wasCity = gazetteer.kind(last.chosen.number) === "city";
  if (isBroad && wasAlone && wasCity && last.at === group.from - 1) return 1.5;
  // "Addison, Texas (Dallas)" names a large city near by, not a second home.
  const sameRegion = gazetteer.region(group.chosen.number) === gazetteer.region(last.chosen.number);
  if (isAlone && !wasAlone && sameRegion) return 1.5;
  return next?.joined === "space" ? 0.8 : 0.6;
}

function groupOf(
  mentions: readonly Mention[],
  from: number,
  to: number,
  gazetteer: Gazetteer,
): MentionGroup | undefined {
  let best: MentionGroup | undefined;
  for (let at = from; at < to; at++) {
    const named = choose(mentions, from, to, at, gazetteer);
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

/**
 * Whether the group is better than the best so far. More support wins. Otherwise a place inside the other place wins, or a far
 * larger city in another region.
 */
function isBetter(group: MentionGroup, best: MentionGroup, gazetteer: Gazetteer): boolean {
  if (group.support.length !== best.support.length) {
    return group.support.length > best.support.length;
  }
  if (best.support.length === 1) return group.value > best.value;
  const { number, weight, isOwn } = group.chosen;
  if (isOwn && number !== best.chosen.number && gazetteer.isWithin(number, best.chosen.number))
    return true;
  const isElsewhere = gazetteer.region(number) !== gazetteer.region(best.chosen.number);
  return isElsewhere && gazetteer.kind(number) === "city" && weight > best.chosen.weight * 10;
}

/** Chooses the place that a mention means: the candidate that most of the other mentions contain. */
function choose(
  mentions: readonly Mention[],
  from: number,
  to: number,
  at: number,
  gazetteer: Gazetteer,
): (Fit & Pick<MentionGroup, "share">) | undefined {
  const own = mentions[at];
  if (!own || own.candidates.length === 0) return undefined;
  let fits: Fit[] = [];
  let most = 0;
  for (const candidate of own.candidates) {
    const support: number[] = [];
    let weight = candidate.weight;
    let isInRegion = false;
    let isInPlace = false;
    for (let other = from; other < to; other++) {
      if (other === at) support.push(other);
      else {
        const outer = container(candidate, mentions[other], gazetteer);
        if (!outer) continue;
        support.push(other);
        if (gazetteer.kind(outer.number) === "region") isInRegion = true;
        if (gazetteer.kind(outer.number) !== "macro") isInPlace = true;
        if (outer.isCode && gazetteer.place(outer.number).id.startsWith("US-")) weight *= 10;
      }
    }
    if (!isInPlace && candidate.needsContext && !isStateAlone(mentions, at, candidate, gazetteer)) {
      continue;
    }
    if (own.isNoPlace && !isInRegion) continue;
    if (support.length < most) continue;
    if (support.length > most) fits = [];
    most = support.length;
    fits.push({ candidate, support, weight });
  }
  const meant = withoutNamesakes(withoutParts(fits, gazetteer), own.key, gazetteer).toSorted(
    (a, b) => b.weight - a.weight,
  );
  const [first] = meant;
  if (!first) return undefined;
  const total = meant.reduce((sum, each) => sum + each.weight, 0);
  return { ...first, share: first.weight / total };
}

/**
 * Whether an abbreviation stands for a state or country. It does after an unknown town (`Bensalem, PA`), or alone if only one
 * place has this code (`TX`, not `CA`).
 */
function isStateAlone(
  mentions: readonly Mention[],
  at: number,
  { number, isCode }: MentionCandidate,
  gazetteer: Gazetteer,
): boolean {
  const mention = mentions[at];
  if (!isCode || !mention?.isCapitals) return false;
  const { id } = gazetteer.place(number);
  const before = mentions[at - 1];
  if (before && mention.joined !== "multi") {
    return withStates.test(id) && /^\p{Lu}\p{Ll}/u.test(before.text);
  }
  if (mentions.length > 1) return false;
  const isCountry = (each: MentionCandidate) => gazetteer.kind(each.number) === "country";
  const states = mention.candidates.filter((each) =>
    withStates.test(gazetteer.place(each.number).id),
  );
  if (gazetteer.kind(number) === "country") {
    const isKnown = gazetteer.population(number) >= knownFrom;
    return isKnown && (states.length === 0 || surelyCountries.has(id));
  }
  const isOnly = states.length === 1 || id.startsWith("US-");
  return withStates.test(id) && isOnly && !mention.candidates.some(isCountry);
}

/** Countries in which people write the abbreviation of a state after a town. */
const withStates = /^(?:US|CA|AU)-/;
/** Without context, a code means a country only if the country has this many people: `SG` does, `LU` does not. */
const knownFrom = 1_500_000;
/** Codes that mean the country, although a state has the same code. */
const surelyCountries = new Set(["DE", "IN"]);

function container(
  inner: MentionCandidate,
  mention: Mention | undefined,
  gazetteer: Gazetteer,
): MentionCandidate | undefined {
  return mention?.candidates.find(
    (outer) =>
      (outer.number !== inner.number || mention.key.length > 1) &&
      (gazetteer.kind(outer.number) !== "city" || gazetteer.isDistrict(inner.number)) &&
      gazetteer.isWithin(inner.number, outer.number),
  );
}

interface Fit {
  readonly candidate: MentionCandidate;
  readonly support: readonly number[];
  readonly weight: number;
}

/**
 * Among places of one name that contain one another, keeps the city, not its region or country. A country's name that stands
 * alone means the country (Luxembourg).
 */
function withoutNamesakes(fits: readonly Fit[], key: string, gazetteer: Gazetteer): readonly Fit[] {
  const isAlone = fits.every((each) => each.support.length === 1);
  const cities = fits.filter(
    ({ candidate }) =>
      gazetteer.kind(candidate.number) === "city" && isCityName(candidate, key, gazetteer),
  );
  return fits.filter(({ candidate: { number } }) => {
    const kind = gazetteer.kind(number);
    if (kind === "city" || kind === "region" || kind === "metro") {
      const country = gazetteer.country(number);
      const isInIt = fits.some((each) => each.candidate.number === country);
      if (isInIt && isAlone) return false;
    }
    if (kind === "city" || kind === "macro" || (kind === "country" && isAlone)) return true;
    return !cities.some(({ candidate: city }) => {
      const isInIt =
        kind === "country"
          ? gazetteer.country(city.number) === number
          : kind === "region"
            ? gazetteer.region(city.number) === number
            : gazetteer.containers(city.number).includes(number);
      const isLarge = gazetteer.population(city.number) > gazetteer.population(number) / 20;
      return isInIt && isLarge;
    });
  });
}

/** Drops a place if the name means only a part of it, and the part is a candidate too. */
function withoutParts(fits: readonly Fit[], gazetteer: Gazetteer): readonly Fit[] {
  const own = fits.filter(({ candidate }) => candidate.isOwn);
  return fits.filter(
    ({ candidate: part }) =>
      !part.isPart ||
      !own.some(({ candidate }) => gazetteer.isWithin(candidate.number, part.number)),
  );
}

/** Whether the name is nearly the city's own, as Marrakesh is for Marrakech. */
function isCityName(
  { number, isOwn }: MentionCandidate,
  key: string,
  gazetteer: Gazetteer,
): boolean {
  if (isOwn || !/^[a-z]/.test(key)) return true;
  const name = foldPlaceName(gazetteer.place(number).name);
  return name[0] === key[0] || name.includes(key);
}

/** Returns how likely a name alone is a place. Countries are likeliest; large cities come before small cities. */
function strength({ number, weight }: MentionCandidate, gazetteer: Gazetteer): number {
  if (gazetteer.kind(number) !== "city") return 1;
  if (weight >= 1_000_000) return 0.95;
  if (weight >= 300_000) return 0.8;
  if (weight >= 100_000) return 0.65;
  return 0.3;
}
