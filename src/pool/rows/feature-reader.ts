import { DamagedRow, parseStored } from "./unpack.ts";

/**
 * Reads stored ranking features (see ranking-features.ts) without creating strings. It gives each text as a position in the row
 * and a hash.
 */
export class FeatureReader {
  text = "";
  /** The position and the hash of the text that was read last. */
  start = 0;
  end = 0;
  hash = 0;
  private at = 0;

  /** Begins to read the features of another developer. */
  open(text: string): void {
    this.text = text;
    this.at = 0;
    this.openList();
  }

  openList(): void {
    this.passComma();
    this.expect(opening);
  }

  /** Whether the current list has another item. If not, leaves the list. */
  hasNext(): boolean {
    if (this.text.charCodeAt(this.at) !== closing) return true;
    this.at++;
    return false;
  }

  /** Reads a whole number. */
  readNumber(): number {
    this.passComma();
    const { text } = this;
    const first = this.at;
    let value = 0;
    for (; ; this.at++) {
      const digit = text.charCodeAt(this.at) - zero;
      // Past the end of the text, `digit` is NaN.
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    // What follows a number shows that it is whole: `12` may be the start of `123`.
    if (this.at === first || this.at >= text.length) throw new DamagedRow("a row does not parse");
    return value;
  }

  readText(): void {
    this.passComma();
    this.start = this.at + 1;
    this.hash = 0;
    this.passText();
  }

  /** Reads two texts as one. The result includes the characters `","` between them. */
  readPair(): void {
    this.readText();
    this.passComma();
    this.passText();
  }

  private passComma(): void {
    if (this.text.charCodeAt(this.at) === comma) this.at++;
  }

  private passText(): void {
    this.expect(quote);
    const { text } = this;
    let { at, hash } = this;
    for (; ; at++) {
      const unit = text.charCodeAt(at);
      if (unit === quote) break;
      hash = Math.imul(hash ^ unit, prime);
      if (unit !== backslash && at < text.length) continue;
      if (++at >= text.length) throw new DamagedRow("a row does not parse");
      hash = Math.imul(hash ^ text.charCodeAt(at), prime);
    }
    this.end = at;
    this.hash = hash;
    this.at = at + 1;
  }

  private expect(unit: number): void {
    if (this.text.charCodeAt(this.at) !== unit) throw new DamagedRow("a row does not parse");
    this.at++;
  }
}

/** Returns the text or texts at a position. They may keep the whole row in memory; see `copyText`. */
export function readTexts({
  text,
  start,
  end,
}: Pick<FeatureReader, "text" | "start" | "end">): readonly string[] {
  const raw = text.slice(start, end);
  if (raw.includes("\\")) return parseStored(`["${raw}"]`) as readonly string[];
  return raw.split('","');
}

/** Returns a copy of the text, which does not keep the row in memory. */
export function copyText(text: string): string {
  return [text, ""].join("");
}

/** Reads the start of a developer's features, which precedes the lists. */
export function readFeatureHead(cursor: FeatureReader) {
  cursor.readText();
  const [login = ""] = readTexts(cursor);
  const isSearchable = cursor.readNumber() === 1;
  const [profile, activity] = [cursor.readNumber(), cursor.readNumber()];
  const [techStack, experienceTenths] = [cursor.readNumber(), cursor.readNumber()];
  const isHireable = cursor.readNumber() === 1;
  return { login, isSearchable, profile, activity, techStack, experienceTenths, isHireable };
}

/** Reads what follows the last active day. Returns undefined for a row of an older version, which ends before. */
export function readFeatureEnd(cursor: FeatureReader) {
  if (!cursor.hasNext()) return undefined;
  for (cursor.openList(); cursor.hasNext(); ) {
    cursor.readText();
    cursor.readNumber();
  }
  if (!cursor.hasNext()) return undefined;
  let company: string | undefined;
  for (cursor.openList(); cursor.hasNext(); ) {
    cursor.readText();
    [company] = readTexts(cursor);
  }
  return { company, followers: cursor.readNumber() };
}

const [opening, closing, quote, comma, backslash, zero] = [0x5b, 0x5d, 0x22, 0x2c, 0x5c, 0x30];
/** The prime of the Fowler-Noll-Vo hash. */
const prime = 0x01000193;
