import { fold } from "../fold.ts";
import type { Gazetteer } from "../gazetteer.ts";
import { marksOf, nameMarks, numberOf } from "../layout.ts";
import type { Segment } from "./segments.ts";

/** One place that a name may mean. */
export interface Candidate {
  readonly number: number;
  /** How likely people mean it when nothing else is said: population, less for weaker names. */
  readonly weight: number;
  /** Only what lies in another place can be meant: an abbreviation, an everyday word, a stray name. */
  readonly needsContext: boolean;
  /** An abbreviation of a region or country: it contains, but is never what is meant. */
  readonly isCode: boolean;
}

/** A name in the text with what it may mean; without candidates it is kept for a repair. */
export interface Mention {
  readonly text: string;
  readonly key: string;
  readonly joined: Segment["joined"] | "space";
  readonly candidates: readonly Candidate[];
}

/**
 * Finds the names in the segments of a profile's text.
 *
 * @package
 */
export function mentionsOf(
  segments: readonly Segment[],
  gazetteer: Gazetteer,
  notPlaces: ReadonlyMap<string, boolean>,
): Mention[] {
  const reader = new SegmentReader(gazetteer, notPlaces);
  const found = segments.flatMap((segment) => reader.read(segment, false));
  if (found.some((mention) => mention.candidates.length > 0)) return found;
  return segments.flatMap((segment) => reader.read(segment, true));
}

const noise = new Set(
  (
    "in near from at the based living live lives currently now around of greater area city metro " +
    "born originally previously formerly outside suburb suburbs close to by region downtown central " +
    "somewhere here mostly usually sunny rainy cold my hometown home town village native made " +
    "just en de em na no im aus bei la el le les a also and or is i am we are at"
  ).split(" "),
);
const wordsMax = 14;
const spanMax = 6;

class SegmentReader {
  private readonly gazetteer: Gazetteer;
  private readonly notPlaces: ReadonlyMap<string, boolean>;

  constructor(gazetteer: Gazetteer, notPlaces: ReadonlyMap<string, boolean>) {
    this.gazetteer = gazetteer;
    this.notPlaces = notPlaces;
  }

  read(segment: Segment, searching: boolean): Mention[] {
    const { text, joined, flag } = segment;
    if (flag) return this.flagged(flag, segment);
    const whole = this.mention(text, joined);
    if (this.notPlaces.has(whole.key) && !/^[A-Z]{2}$/.test(text)) return [];
    if (whole.candidates.length > 0) return [whole];
    const words = text.split(/[\s-]+/u).filter((word) => fold(word) !== "");
    if (words.length > wordsMax) return searching ? this.prominent(words, joined) : [];
    const camel = text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
    if (words.length === 1 && camel !== text) {
      const split = this.mention(camel, joined);
      if (split.candidates.length > 0) return [split];
    }
    const trimmed = this.trimmed(words, joined);
    if (trimmed) return [trimmed];
    const covered = this.covering(words, joined) ?? this.scripted(text, joined);
    if (covered) return covered;
    const run = this.mention(words.join(""), joined);
    if (words.length > 1 && words.length < 4 && run.candidates.some((each) => !each.needsContext)) {
      return [run];
    }
    return searching ? this.prominent(words, joined) : [whole];
  }

  private flagged(flag: string, { text, joined }: Segment): Mention[] {
    const number = this.gazetteer.numberById(flag);
    if (number === undefined) return [];
    const weight = this.gazetteer.population(number) * 3;
    const candidates = [{ number, weight, needsContext: false, isCode: false }];
    return [{ text, key: flag, joined, candidates }];
  }

  /** Without words such as "living in" at the start and "area" at the end. */
  private trimmed(words: readonly string[], joined: Mention["joined"]): Mention | undefined {
    let from = 0;
    let to = words.length;
    while (from < to && noise.has(fold(words[from] ?? ""))) from++;
    while (to > from && noise.has(fold(words[to - 1] ?? ""))) to--;
    if ((from === 0 && to === words.length) || from === to) return undefined;
    const mention = this.mention(words.slice(from, to).join(" "), joined);
    if (this.notPlaces.has(mention.key)) return undefined;
    return mention.candidates.length > 0 ? mention : undefined;
  }

  /** Names side by side (`Bellingham WA`, `Russia SPB`) that leave no word over, noise aside; the fewest of them. */
  private covering(words: readonly string[], joined: Mention["joined"]): Mention[] | undefined {
    const best: (Mention[] | undefined)[] = [[]];
    for (let to = 1; to <= words.length; to++) {
      for (let from = Math.max(0, to - spanMax); from < to; from++) {
        const before = best[from];
        const known = best[to];
        if (!before || (known && known.length <= before.length)) continue;
        const mention = this.mention(
          words.slice(from, to).join(" "),
          before.length === 0 ? joined : "space",
        );
        if (mention.candidates.length > 0) best[to] = [...before, mention];
        else if (to - from === 1 && noise.has(mention.key)) best[to] ??= before;
      }
    }
    const found = best[words.length];
    return found && found.length > 0 ? found : undefined;
  }

  /** Chinese and Japanese write no spaces: the longest known name from the left, endings such as 市 left out. */
  private scripted(text: string, joined: Mention["joined"]): Mention[] | undefined {
    const signs = [...text.replace(/\s+/g, "")];
    if (
      !signs.every((sign) => /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}ー々]/u.test(sign))
    ) {
      return undefined;
    }
    const found: Mention[] = [];
    for (let from = 0; from < signs.length; ) {
      let to = Math.min(signs.length, from + 8);
      let mention: Mention | undefined;
      for (; to > from + 1; to--) {
        mention = this.mention(
          signs.slice(from, to).join(""),
          found.length === 0 ? joined : "space",
        );
        if (mention.candidates.length > 0) break;
      }
      if (mention && mention.candidates.length > 0 && to > from + 1) {
        found.push(mention);
        from = to;
      } else from++;
    }
    return found.length > 0 ? found : undefined;
  }

  /** In a sentence: names in capitals of countries, regions and large cities. */
  private prominent(words: readonly string[], joined: Mention["joined"]): Mention[] {
    const found: Mention[] = [];
    for (let from = 0; from < words.length; from++) {
      for (let to = Math.min(words.length, from + 4); to > from; to--) {
        const text = words.slice(from, to).join(" ");
        if (!/^\p{Lu}/u.test(text) || this.notPlaces.has(fold(text))) continue;
        const mention = this.mention(text, found.length === 0 ? joined : "space");
        const candidates = mention.candidates.filter(
          ({ number, needsContext, isCode, weight }) =>
            !needsContext &&
            !isCode &&
            mention.key.length > 3 &&
            (this.gazetteer.kind(number) !== "city" || weight >= 300_000),
        );
        if (candidates.length === 0) continue;
        found.push({ ...mention, candidates });
        from = to - 1;
        break;
      }
    }
    return found;
  }

  private mention(text: string, joined: Mention["joined"]): Mention {
    const key = fold(text);
    const isCapitals = /^\P{Ll}*$/u.test(text) && /\p{Lu}/u.test(text);
    const candidates: Candidate[] = [];
    for (const posting of this.gazetteer.named(key)) {
      const candidate = this.candidate(posting, key, isCapitals);
      if (candidate) candidates.push(candidate);
    }
    return { text, key, joined, candidates };
  }

  private candidate(posting: number, key: string, isCapitals: boolean): Candidate | undefined {
    const number = numberOf(posting);
    const marks = marksOf(posting);
    const kind = this.gazetteer.kind(number);
    if (marks & nameMarks.capitals && !isCapitals) {
      if (!(marks & nameMarks.code)) return undefined;
    }
    const isCode = (marks & nameMarks.code) !== 0;
    const isOwn = (marks & (nameMarks.own | nameMarks.alias)) !== 0;
    const isLossy = (marks & nameMarks.lossy) !== 0;
    const isPart = (marks & nameMarks.part) !== 0;
    const population = Math.max(this.gazetteer.population(number), 500);
    const factor = isLossy ? 0.02 : isPart ? 0.01 : isOwn || isCode ? 1 : 0.3;
    const large = kind === "country" || kind === "macro" ? 3 : 1;
    const needsContext =
      isCode ||
      (marks & nameMarks.word) !== 0 ||
      (isLossy && kind === "city" && population < 50_000) ||
      (isLossy && key.length < 4 && kind !== "country") ||
      (!isOwn && !isLossy && !isPart && kind === "city" && (population < 15_000 || key.length < 4));
    return { number, weight: population * factor * large, needsContext, isCode };
  }
}
