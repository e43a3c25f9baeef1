import { findSubdivision } from "./find.ts";
import { foldPlaceName } from "./fold.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { getNameMarks, getPlaceNumber, nameMarks } from "./gazetteer-file.ts";
import type { Segment } from "./segments.ts";

/** One place that a name may mean. */
export interface MentionCandidate {
  readonly number: number;
  /** How likely people mean this place without further context. It grows with the population of the place. */
  readonly weight: number;
  /** Whether the name counts only if the text also names a place that contains it. This is so for abbreviations. */
  readonly needsContext: boolean;
  /** Whether the name is an abbreviation of a region or country. */
  readonly isCode: boolean;
  /** Whether the name is the place's usual name. */
  readonly isOwn: boolean;
  /** Whether the name belongs to a part of the place, or to an institution in it. */
  readonly isPart: boolean;
}

/** Creates a candidate that counts without context. */
export const createSureCandidate = (number: number, weight: number): MentionCandidate => ({
  ...{ number, weight, needsContext: false, isCode: false, isOwn: true, isPart: false },
});

/** A name in the text, with the places that it may mean. A misspelt name has no candidates. */
export interface Mention {
  readonly text: string;
  readonly key: string;
  readonly joined: Segment["joined"] | "space";
  readonly isCapitals: boolean;
  /** Whether the text usually names no place. Only a region next to it makes it a town (`Mobile, AL`). */
  readonly isNoPlace: boolean;
  readonly candidates: readonly MentionCandidate[];
}

/** Finds the names in the segments of a profile's text. @param notPlaces folded texts that name no place. */
export function findMentions(
  segments: readonly Segment[],
  gazetteer: Gazetteer,
  notPlaces: ReadonlyMap<string, boolean>,
): Mention[] {
  const reader = new SegmentReader(gazetteer, notPlaces);
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
  private readonly notPlaces: ReadonlyMap<string, boolean>;

  constructor(gazetteer: Gazetteer, notPlaces: ReadonlyMap<string, boolean>) {
    this.gazetteer = gazetteer;
    this.notPlaces = notPlaces;
  }

  read(segment: Segment, isSearching: boolean): Mention[] {
    const { text, joined, flag } = segment;
    const code = findSubdivision(text, this.gazetteer) === undefined ? flag : text.trim();
    if (code) return this.flagged(code, segment);
    const whole = this.mention(text, joined);
    if (this.notPlaces.has(whole.key)) return [{ ...whole, isNoPlace: true }];
    if (whole.candidates.length > 0) return [whole];
    const words = text.split(/[\s-]+/u).filter((word) => foldPlaceName(word) !== "");
    if (words.length > wordsMax) return isSearching ? this.prominent(words, joined) : [];
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
    const found = isSearching ? this.prominent(words, joined) : [];
    return found.length > 0 ? found : [whole];
  }

  private flagged(flag: string, { text, joined }: Segment): Mention[] {
    const number = this.gazetteer.numberById(flag);
    if (number === undefined) return [];
    const candidates = [createSureCandidate(number, this.gazetteer.population(number) * 3)];
    return [{ text, key: flag, joined, isCapitals: true, isNoPlace: false, candidates }];
  }

  /** Reads the name without words such as "living in" at the start and "area" at the end. */
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

  /** Finds the fewest names that cover all words except noise: `Bellingham WA` has two names. */
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

  /** Whether each name is well known, or related to another name. */
  private belong(mentions: readonly Mention[]): boolean {
    const { gazetteer } = this;
    return mentions.every((mention, index) => {
      const others = mentions.filter((_, other) => other !== index);
      const isRelated = others.some((other) =>
        mention.candidates.some((a) =>
          other.candidates.some(
            (b) => gazetteer.isWithin(a.number, b.number) || gazetteer.isWithin(b.number, a.number),
          ),
        ),
      );
      return (
        isRelated || others.length === 0 || mention.candidates.some((each) => isWellKnown(each))
      );
    });
  }

  /** Reads names in Chinese or Japanese, which has no spaces. From the left, it always takes the longest known name. */
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

  /** Finds capitalized names of countries, regions and large cities in a sentence. */
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
    const isUsual = postings.some((posting) => isUsualName(getNameMarks(posting)));
    const candidates = postings.map((posting) => this.candidate(posting, key, isUsual));
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

  /** @param isUsual whether the name is the usual name of any place. */
  private candidate(posting: number, key: string, isUsual: boolean): MentionCandidate {
    const number = getPlaceNumber(posting);
    const marks = getNameMarks(posting);
    const kind = this.gazetteer.kind(number);
    const isCode = (marks & nameMarks.code) !== 0;
    const isOwn = (marks & (nameMarks.own | nameMarks.alias)) !== 0;
    const isLossy = (marks & nameMarks.lossy) !== 0;
    const isPart = (marks & nameMarks.part) !== 0;
    const isForeign = !isOwn && !isLossy && !isPart && !isCode;
    const population = Math.max(this.gazetteer.population(number), 500);
    const ofName = isLossy ? 0.02 : isForeign ? 0.3 : 1;
    const factor = isPart ? 0.05 : isUsual && ofName < 1 ? ofName / 30 : ofName;
    const large = kind === "country" || kind === "macro" ? 3 : 1;
    const isShort = key.length < 4 && isLatin.test(key);
    const needsContext =
      isCode ||
      (marks & nameMarks.word) !== 0 ||
      (isLossy && kind === "city" && population < 50_000) ||
      (isLossy && isShort && kind !== "country") ||
      (isForeign && kind === "city" && (population < 15_000 || isShort)) ||
      (kind === "city" && key.length < 3 && isLatin.test(key) && !(marks & nameMarks.alias));
    return { number, weight: population * factor * large, needsContext, isCode, isOwn, isPart };
  }
}

const isLatin = /^[a-z ]*$/;

/** A capitalised word before a name makes it part of a longer name: "New England" does not name England. */
const isTied = (before: string | undefined) =>
  before !== undefined && /^\p{Lu}/u.test(before) && !noise.has(foldPlaceName(before));

const isWellKnown = ({ isOwn, isCode, weight }: MentionCandidate) =>
  isOwn && !isCode && weight >= 500_000;

/** Whether the name is a place's usual name. */
const isUsualName = (marks: number) =>
  (marks & (nameMarks.own | nameMarks.alias)) !== 0 && (marks & nameMarks.word) === 0;

/** Whether the name counts in this spelling: `LA` counts only in capitals. */
function isMeant(posting: number, isCapitals: boolean): boolean {
  const marks = getNameMarks(posting);
  return isCapitals || !(marks & nameMarks.capitals) || (marks & nameMarks.code) !== 0;
}
