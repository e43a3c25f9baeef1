/** The file of the gazetteer: a header in JSON, then typed arrays, each aligned to eight bytes. */
import { findFirstNot } from "../contract/terms.ts";

export const formatVersion = 2;

export interface Header {
  readonly version: number;
  /** The position of each section, in bytes after the header. */
  readonly sections: Readonly<Record<SectionName, readonly [offset: number, length: number]>>;
}

/**
 * The sections of the file. Places are numbered by kind (countries, regions, macro regions, metros, cities), and within
 * a kind by descending population.
 */
export const sectionNames = [
  "kinds", // u8 per place: index into placeKinds
  "marks", // u8 per place: placeMarks
  "countries", // u8 per place: number of its country + 1; 0 is none
  "regions", // u16 per place: number of its region + 1; 0 is none
  "populations", // u32 per place
  "numbers", // u32 per place: GeoNames' number of a city, else 0
  "ids", // text: ids of all that are no cities, a newline between; those of countries have two letters
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
  /** The place is a district of a listed city. */
  district: 1,
  capital: 2,
} as const;

/** Flags that say how a name belongs to a place. */
export const nameMarks = {
  /** The place's main name in the gazetteer, or its main name in its country. */
  own: 1,
  /** A name from Roster's list of aliases. */
  alias: 2,
  /** An abbreviation that counts only next to another place: `CA` in `Irvine, CA`. */
  code: 4,
  /** The name without its non-ASCII letters: `So Paulo`. Search filters ignore it. */
  lossy: 8,
  /** The name of a part of the place, or of an institution in it. Search filters ignore it. */
  part: 16,
  /** The name is also an everyday word. */
  word: 32,
  /** In a profile's text, the name counts only in capitals. */
  capitals: 64,
} as const;

export const getPlaceNumber = (posting: number) => posting & 0xffffff;
export const getNameMarks = (posting: number) => posting >>> 24;

export type GazetteerSections = ReturnType<typeof readSections>;

/** Returns views of the sections, which share the memory of the file. */
export function readSections(file: ArrayBuffer) {
  const headLength = new DataView(file).getUint32(0, true);
  const header = JSON.parse(Buffer.from(file, 8, headLength).toString()) as Header;
  if (header.version !== formatVersion) {
    throw new Error(`the embedded gazetteer is of version ${header.version}, not ${formatVersion}`);
  }
  const place = (name: SectionName, width: number) => {
    const [offset, bytes] = header.sections[name];
    return [file, 8 + headLength + offset, bytes / width] as const;
  };
  const bytes = (name: SectionName) => Buffer.from(...place(name, 1));
  const words = (name: SectionName) => new Uint32Array(...place(name, 4));
  return {
    kinds: bytes("kinds"),
    marks: bytes("marks"),
    countries: bytes("countries"),
    regions: new Uint16Array(...place("regions", 2)),
    populations: words("populations"),
    numbers: words("numbers"),
    ids: bytes("ids"),
    nameEnds: words("nameEnds"),
    names: bytes("names"),
    keyEnds: words("keyEnds"),
    keys: bytes("keys"),
    postingEnds: words("postingEnds"),
    postings: words("postings"),
    insideOf: words("insideOf"),
    containers: words("containers"),
  };
}

/** A table of sorted texts in a single buffer, so that half a million names need no objects. */
export class TextTable {
  private readonly text: Buffer;
  private readonly ends: Uint32Array;

  /** @param ends 0, and then the position at which each text ends. */
  constructor(ends: Uint32Array, text: Buffer) {
    this.text = text;
    this.ends = ends;
  }

  get length(): number {
    return this.ends.length - 1;
  }

  at(row: number): string {
    return this.text.toString("utf8", this.ends[row], this.ends[row + 1]);
  }

  bytesOf(row: number): number {
    return (this.ends[row + 1] ?? 0) - (this.ends[row] ?? 0);
  }

  /** Returns the row of exactly this text, or -1. */
  find(text: string): number {
    const row = this.firstFrom(text);
    return row < this.length && this.at(row) === text ? row : -1;
  }

  /** Returns the first row whose text equals the given text or sorts after it. */
  firstFrom(text: string): number {
    const wanted = Buffer.from(text);
    const isBefore = (row: number) =>
      this.text.compare(wanted, 0, wanted.length, this.ends[row], this.ends[row + 1]) < 0;
    return findFirstNot(isBefore, this.length);
  }
}
