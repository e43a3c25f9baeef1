import { foldPlaceName } from "./fold.ts";
import type { Containment, Gazetteer } from "./gazetteer.ts";
import { getNameMarks, getPlaceNumber, nameMarks } from "./gazetteer-file.ts";
import type { Segment } from "./segments.ts";

/** What the reading of a text rests on. */
interface MentionSources {
  readonly gazetteer: Gazetteer;
  readonly containment: Containment;
  /** Folded texts that name no place; true for those that say "remote". */
  readonly notPlaces: ReadonlyMap<string, boolean>;
}

/** One place that a name may mean. */
export interface MentionCandidate {
  readonly number: number;
  /** How likely people mean it when nothing else is said: population, less for weaker names. */
  readonly weight: number;
  /** Only what lies in another place can be meant: an abbreviation, an everyday word, a stray name. */
  readonly needsContext: boolean;
  /** An abbreviation of a region or country: it contains, but is never what is meant. */
  readonly isCode: boolean;
  /** The place's usual name, not a foreign or former one. */
  readonly isOwn: boolean;
  /** The name is that of a part of the place, or of an institution in it. */
  readonly isPart: boolean;
}

/** A name in the text with what it may mean; without candidates it is kept for a repair. */
export interface Mention {
  readonly text: string;
  readonly key: string;
  readonly joined: Segment["joined"] | "space";
  readonly isCapitals: boolean;
  /** Of the list of texts that name no place: only a region beside it makes a town of it (`Mobile, AL`). */
  readonly isNoPlace: boolean;
  readonly candidates: readonly MentionCandidate[];
}

/**
 * Finds the names in the segments of a profile's text.
 *
 * @package
 */
export function findMentions(segments: readonly Segment[], known: MentionSources): Mention[] {
  const reader = new SegmentReader(known);
  const found = segments.flatMap((segment) => reader.read(segment, false));
  if (found.some((each) => each.candidates.length > 0 && !each.isNoPlace)) return found;
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
  private readonly containment: Containment;
  private readonly notPlaces: ReadonlyMap<string, boolean>;

  constructor({ gazetteer, containment, notPlaces }: MentionSources) {
    this.gazetteer = gazetteer;
    this.containment = containment;
    this.notPlaces = notPlaces;
  }

  read(segment: Segment, searching: boolean): Mention[] {
    const { text, joined, flag } = segment;
    if (flag) return this.flagged(flag, segment);
    const whole = this.mention(text, joined);
    if (this.notPlaces.has(whole.key)) return [{ ...whole, isNoPlace: true }];
    if (whole.candidates.length > 0) return [whole];
    const words = text.split(/[\s-]+/u).filter((word) => foldPlaceName(word) !== "");
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
    const found = searching ? this.prominent(words, joined) : [];
    return found.length > 0 ? found : [whole];
  }

  private flagged(flag: string, { text, joined }: Segment): Mention[] {
    const number = this.gazetteer.numberById(flag);
    if (number === undefined) return [];
    const weight = this.gazetteer.population(number) * 3;
    const candidates = [
      { number, weight, needsContext: false, isCode: false, isOwn: true, isPart: false },
    ];
    return [{ text, key: flag, joined, isCapitals: true, isNoPlace: false, candidates }];
  }

  /** Without words such as "living in" at the start and "area" at the end. */
  private trimmed(words: readonly string[], joined: Mention["joined"]): Mention | undefined {
    let from = 0;
    let to = words.length;
    while (from < to && noise.has(foldPlaceName(words[from] ?? ""))) from++;
    while (to > from && noise.has(foldPlaceName(words[to - 1] ?? ""))) to--;
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
    return found && found.length > 0 && this.belong(found) ? found : undefined;
  }

  /** Whether names side by side have to do with each other, or are each too well known to be chance. */
  private belong(mentions: readonly Mention[]): boolean {
    const within = this.containment;
    return mentions.every((mention, index) => {
      const others = mentions.filter((_, other) => other !== index);
      const isRelated = others.some((other) =>
        mention.candidates.some((a) =>
          other.candidates.some(
            (b) => within.isWithin(a.number, b.number) || within.isWithin(b.number, a.number),
          ),
        ),
      );
      return (
        isRelated || others.length === 0 || mention.candidates.some((each) => isWellKnown(each))
      );
    });
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
        if (!/^\p{Lu}/u.test(text) || this.notPlaces.has(foldPlaceName(text))) continue;
        if (isTied(words[from - 1])) continue;
        const mention = this.mention(text, found.length === 0 ? joined : "space");
        const candidates = mention.candidates.filter(
          ({ number, needsContext, isCode, isOwn, weight }) =>
            isOwn &&
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
    const key = foldPlaceName(text);
    const isCapitals = /^\P{Ll}*$/u.test(text) && /\p{Lu}/u.test(text);
    const postings = this.gazetteer.named(key).filter((posting) => isMeant(posting, isCapitals));
    const isBorne = postings.some((posting) => isUsualName(getNameMarks(posting)));
    const candidates = postings.map((posting) => this.candidate(posting, key, isBorne));
    const isMacro = candidates.some(({ number }) => this.gazetteer.kind(number) === "macro");
    return {
      text,
      key,
      joined,
      isCapitals,
      isNoPlace: false,
      candidates: isMacro ? candidates.filter((each) => !each.needsContext) : candidates,
    };
  }

  private candidate(posting: number, key: string, isBorne: boolean): MentionCandidate {
    const number = getPlaceNumber(posting);
    const marks = getNameMarks(posting);
    const kind = this.gazetteer.kind(number);
    const isCode = (marks & nameMarks.code) !== 0;
    const isOwn = (marks & (nameMarks.own | nameMarks.alias)) !== 0;
    const isLossy = (marks & nameMarks.lossy) !== 0;
    const isPart = (marks & nameMarks.part) !== 0;
    const isStray = !isOwn && !isLossy && !isPart && !isCode;
    const population = Math.max(this.gazetteer.population(number), 500);
    const distant = isLossy ? 0.02 : isStray ? 0.3 : 1;
    const factor = isPart ? 0.05 : isBorne && distant < 1 ? distant / 30 : distant;
    const large = kind === "country" || kind === "macro" ? 3 : 1;
    const isShort = key.length < 4 && isLatin.test(key);
    const needsContext =
      isCode ||
      (marks & nameMarks.word) !== 0 ||
      (isLossy && kind === "city" && population < 50_000) ||
      (isLossy && isShort && kind !== "country") ||
      (isStray && kind === "city" && (population < 15_000 || isShort)) ||
      (kind === "city" && key.length < 3 && isLatin.test(key) && !(marks & nameMarks.alias));
    return { number, weight: population * factor * large, needsContext, isCode, isOwn, isPart };
  }
}

const isLatin = /^[a-z ]*$/;

/** A capital before it makes it part of a longer name: no England in "New England". */
const isTied = (before: string | undefined) =>
  before !== undefined && /^\p{Lu}/u.test(before) && !noise.has(foldPlaceName(before));

const isWellKnown = ({ isOwn, isCode, weight }: MentionCandidate) =>
  isOwn && !isCode && weight >= 500_000;

/** Whether another place bears the name by right, so that foreign and former bearers hardly count. */
const isUsualName = (marks: number) =>
  (marks & (nameMarks.own | nameMarks.alias)) !== 0 && (marks & nameMarks.word) === 0;

/** Abbreviations written in capitals are meant only when they are: `LA`, not "la". */
function isMeant(posting: number, isCapitals: boolean): boolean {
  const marks = getNameMarks(posting);
  return isCapitals || !(marks & nameMarks.capitals) || (marks & nameMarks.code) !== 0;
}
