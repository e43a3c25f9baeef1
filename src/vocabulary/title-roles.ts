/**
 * Reads the titles that people give themselves. A title counts only at the beginning of a phrase: "CTO at X" counts, "reporting
 * to the CTO" does not.
 */
import type { Role } from "./roles.ts";

const charactersRead = 1000;

/** @param titles in lower case, with single spaces between words. */
export function createTitleReader(titles: ReadonlyMap<string, Role>) {
  const longest = Math.max(...[...titles.keys()].map((title) => title.split(" ").length));

  return (text: string): readonly Role[] => {
    const found = new Set<Role>();
    for (const phrase of currentPhrases(text.slice(0, charactersRead))) {
      const role = roleOf(phrase, titles, longest);
      if (role) found.add(role);
    }
    return [...found];
  };
}

/** The words of one phrase, in lower case and as written. */
interface Phrase {
  readonly words: readonly string[];
  readonly written: readonly string[];
}

const past =
  /^(?:ex|former|formerly|previous|previously|prev|past|retired|late|was|were|once|been|aspiring|future|wannabe|wanna|soon|becoming|not|never|non|almost|student)$/;
const lasting = /^(?:previously|formerly|prev|past|previous)$/;
const present = /^(?:now|currently|current|today|presently)$/;

/** Splits a text into phrases, without those about the past or the future. */
function* currentPhrases(text: string): Generator<Phrase> {
  const plain = text
    .normalize("NFKC")
    .replace(/[’`]/g, "'")
    .replace(/\b(ex|sr|jr|prev)\./gi, "$1 ")
    .replace(/\b(ex|former|full|front|back|co|vice|non|end|to)-(?=\p{L})/giu, "$1 ")
    .replace(/\bc\.t\.o\b\.?/gi, "CTO");
  for (const sentence of plain.split(/[.!?](?=\s|$)|[\n\r|•·●▪★✦⚡]+/u)) {
    let isPast = false;
    for (const clause of sentence.split(/[,;:()[\]{}]|\s[-–—]+\s|→|➡/u)) {
      let isPastHere = isPast;
      for (const part of clause.split(/&|\+(?!\+)|\/|\b(?:and|und|et|y)\b/iu)) {
        const phrase = phraseOf(part);
        const first = phrase.words.slice(0, 3);
        if (first.some((word) => present.test(word))) {
          isPast = false;
          isPastHere = false;
        }
        if (phrase.words.some((word) => past.test(word))) {
          isPastHere = true;
          if (phrase.words.some((word) => lasting.test(word))) isPast = true;
          continue;
        }
        if (!isPastHere && phrase.words.length > 0) yield phrase;
      }
    }
  }
}

function phraseOf(text: string): Phrase {
  const written = text.match(/[\p{L}\p{N}@][\p{L}\p{N}'.#+&-]*/gu) ?? [];
  return { words: written.map((word) => word.toLowerCase()), written };
}

function roleOf({ words, written }: Phrase, titles: ReadonlyMap<string, Role>, longest: number) {
  for (let from = 0; from < words.length; from++) {
    for (let count = Math.min(longest, words.length - from); count > 0; count--) {
      const role = titles.get(words.slice(from, from + count).join(" "));
      if (!role) continue;
      const before = words.slice(0, from);
      // Other words may come before a technical role: "Berlin based Python backend developer".
      const isOwn =
        role.kind === "leadership"
          ? isOwnLeadership(before)
          : before.length <= 6 && !before.some((word) => other.has(word));
      if (isOwn && endsThere(words[from + count], written[from + count])) return role;
      return undefined;
    }
    if (other.has(words[from] as string)) return undefined;
  }
  return undefined;
}

const set = (words: string) => new Set(words.split(" "));

/** Words that may come before a person's own leadership title, as in "acting CTO". */
const opening = set(
  "i i'm im am a an the as currently current now working work presently today is being self full-time part-time " +
    "fulltime parttime full part time fractional interim acting founding founder cofounder co-founder co senior sr " +
    "lead principal staff global group regional proud experienced hands-on independent freelance freelancer passionate " +
    "chief associate technical tech software my title role position the our-new new happy @ 👋 hi hello serial full-stack agile " +
    "data product platform backend frontend mobile cloud remote strategic accidental your friendly neighborhood",
);
/** Words after which a title is not the person's own, as in "assistant to the CTO". */
const other = set(
  "to for with of my our your his her their under by assistant assisting report reports reporting hire hiring hired " +
    "looking seeking wanted join joining need needs want wants find recruit recruiting helping help helps advise advises " +
    "advising advisor adviser coach coaching mentor mentoring office from than like if when love loves support supporting " +
    "supports work-with become learn learning study studying deputy vice-cto dreams dreaming training trainee intern",
);

function isOwnLeadership(before: readonly string[]): boolean {
  const owned = before.join(" ");
  if (/(?:^| )(?:the)$/.test(owned) && !/(?:am|i'm|as) the$/.test(owned)) return false;
  return before.every((word) => opening.has(word) && !(other.has(word) && word !== "my"));
}

const following = set(
  "at @ of for in with from who working building based since by on currently turned focused focusing specializing " +
    "specialized leading living doing creating making passionate interested experienced extraordinaire here but that " +
    "helping using turning loves loving level 1 2 3 i ii iii iv emeritus-not",
);
const notFollowing = set(
  "office advisor adviser coach assistant advisory summit club community roundtable insights craft school mentor " +
    "student intern recruiter bootcamp meetup podcast newsletter magazine consulting-only trainee wannabe candidate",
);

/** Whether the title ends its phrase, or is followed by "at X" or a company's name. */
function endsThere(next: string | undefined, written: string | undefined): boolean {
  if (next === undefined || written === undefined) return true;
  if (next.startsWith("@") || following.has(next)) return true;
  if (notFollowing.has(next)) return false;
  return written !== next;
}
