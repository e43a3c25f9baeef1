/**
 * The gazetteer's file: a header in JSON, then typed arrays, each aligned to eight bytes, so that
 * loading is one read without parsing. Not compressed: decompression took 22 ms of every start, and git and
 * the packages compress it anyway. Written by scripts/seeding/gazetteer.ts.
 */
import { findFirstNot } from "../contract/terms.ts";

export const formatVersion = 2;

export interface Header {
  readonly version: number;
  /** The position of each section, in bytes after the header. */
  readonly sections: Readonly<Record<SectionName, readonly [offset: number, length: number]>>;
}

/** Places are numbered: countries, regions, macro regions, metros, then cities; each kind by falling population. */
export const sectionNames = [
  "kinds", // u8 per place: index into placeKinds
  "marks", // u8 per place: placeMarks
  "countries", // u8 per place: number of its country + 1; 0 is none
  "regions", // u16 per place: number of its region + 1; 0 is none
  "populations", // u32 per place
  "numbers", // u32 per place: GeoNames' number of a city, else 0
  "ids", // text: ids of all that are no cities, a newline between
  "nameEnds", // u32 per place and one before: where its name ends in names
  "names", // text
  "keyEnds", // u32 per key and one before: where it ends in keys
  "keys", // text: folded names, sorted by bytes
  "postingEnds", // u32 per key and one before: where its postings end
  "postings", // u32: number of a place, and in the top byte nameMarks
  "insideOf", // u32: numbers of places that lie in metros, cities or macro regions, sorted
  "containers", // u32: the containing place of each of them
] as const;
export type SectionName = (typeof sectionNames)[number];

export const placeKinds = ["country", "region", "macro", "metro", "city"] as const;

export const placeMarks = {
  /** A section of a city that is itself listed. */
  district: 1,
  capital: 2,
} as const;

/** How a name belongs to a place. */
export const nameMarks = {
  /** The place's own name in the gazetteer or its country. */
  own: 1,
  /** From our list of aliases. */
  alias: 2,
  /** An abbreviation that counts only beside another place: `CA` in `Irvine, CA`. */
  code: 4,
  /** The name without its letters outside ASCII: `So Paulo`. Not used by filters. */
  lossy: 8,
  /** A part of the place, or an institution in it. Not used by filters. */
  part: 16,
  /** Also an everyday word: too weak on its own in a profile's text. */
  word: 32,
  /** Counts in a profile's text only when written in capitals. */
  capitals: 64,
} as const;

export const getPlaceNumber = (posting: number) => posting & 0xffffff;
export const getNameMarks = (posting: number) => posting >>> 24;

/**
 * The gazetteer's file as typed arrays over its own bytes.
 *
 * @package
 */
export type GazetteerSections = ReturnType<typeof readSections>;

/** @package */
export function readSections(file: Uint8Array) {
  // Typed arrays need aligned bytes: copied only when they are not.
  const bytes = file.byteOffset % 8 === 0 ? file : file.slice();
  const headLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = new TextDecoder().decode(bytes.subarray(8, 8 + headLength));
  const header = JSON.parse(head) as Header;
  if (header.version !== formatVersion) {
    throw new Error(`the embedded gazetteer is of version ${header.version}, not ${formatVersion}`);
  }
  const at = (name: SectionName): Uint8Array => {
    const [offset, length] = header.sections[name];
    return bytes.subarray(8 + headLength + offset, 8 + headLength + offset + length);
  };
  const words = (name: SectionName) => {
    const section = at(name);
    return new Uint32Array(section.buffer, section.byteOffset, section.byteLength / 4);
  };
  const halves = (name: SectionName) => {
    const section = at(name);
    return new Uint16Array(section.buffer, section.byteOffset, section.byteLength / 2);
  };
  return {
    kinds: at("kinds"),
    marks: at("marks"),
    countries: at("countries"),
    regions: halves("regions"),
    populations: words("populations"),
    numbers: words("numbers"),
    ids: at("ids"),
    nameEnds: words("nameEnds"),
    names: at("names"),
    keyEnds: words("keyEnds"),
    keys: at("keys"),
    postingEnds: words("postingEnds"),
    postings: words("postings"),
    insideOf: words("insideOf"),
    containers: words("containers"),
  };
}

/**
 * Sorted texts in a single buffer, found by binary search over their bytes and decoded one at a time, so
 * that half a million names need no objects.
 *
 * @package
 */
export class TextTable {
  private readonly text: Uint8Array;
  private readonly until: Uint32Array;

  /** @param until where each text ends, after a first 0. */
  constructor(until: Uint32Array, text: Uint8Array) {
    this.text = text;
    this.until = until;
  }

  get length(): number {
    return this.until.length - 1;
  }

  at(row: number): string {
    return decoder.decode(this.text.subarray(this.until[row], this.until[row + 1]));
  }

  bytesOf(row: number): number {
    return (this.until[row + 1] ?? 0) - (this.until[row] ?? 0);
  }

  /** The row of exactly this text; -1 when there is none. */
  find(needle: string): number {
    const row = this.firstFrom(needle);
    const { written } = encoder.encodeInto(needle, scratch);
    return row < this.length && this.compare(row, written) === 0 ? row : -1;
  }

  /** The first row that does not sort before the text. */
  firstFrom(needle: string): number {
    const { written, read } = encoder.encodeInto(needle, scratch);
    if (read < needle.length) return this.length;
    return findFirstNot((row) => this.compare(row, written) < 0, this.length);
  }

  /** Negative when the row sorts before the needle in scratch. */
  private compare(row: number, needleLength: number): number {
    const from = this.until[row] ?? 0;
    const length = (this.until[row + 1] ?? 0) - from;
    const shared = Math.min(length, needleLength);
    for (let at = 0; at < shared; at++) {
      const difference = (this.text[from + at] ?? 0) - (scratch[at] ?? 0);
      if (difference !== 0) return difference;
    }
    return length - needleLength;
  }
}

/** Longer than any name: a text that does not fit is not in the table. */
const scratch = new Uint8Array(1024);
const decoder = new TextDecoder();
const encoder = new TextEncoder();
