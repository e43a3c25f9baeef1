/**
 * The gazetteer's file: a header in JSON, then typed arrays, each aligned to eight bytes, so that
 * any part of it is read without parsing. Not compressed: decompression took 22 ms of every start, and git and
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

/** The bytes of the file from one position to another, in a buffer of their own. @package */
export type PieceReader = (from: number, to: number) => ArrayBuffer;

/** @package */
export type GazetteerSections = ReturnType<typeof readSections>;

/**
 * Opens the sections and reads none of them: see `LateSection`.
 *
 * @package
 */
export function readSections(read: PieceReader) {
  const headLength = new DataView(read(0, 8)).getUint32(0, true);
  const head = new TextDecoder().decode(read(8, 8 + headLength));
  const header = JSON.parse(head) as Header;
  if (header.version !== formatVersion) {
    throw new Error(`the embedded gazetteer is of version ${header.version}, not ${formatVersion}`);
  }
  const late = (name: SectionName): SectionSource => {
    const [offset, bytes] = header.sections[name];
    const from = 8 + headLength + offset;
    return { bytes, read: (start, end) => read(from + start, from + end) };
  };
  return {
    kinds: new LateBytes(late("kinds")),
    marks: new LateBytes(late("marks")),
    countries: new LateBytes(late("countries")),
    regions: new LateHalves(late("regions")),
    populations: new LateWords(late("populations")),
    numbers: new LateWords(late("numbers")),
    ids: new LateBytes(late("ids")),
    nameEnds: new LateWords(late("nameEnds")),
    names: new LateBytes(late("names")),
    keyEnds: new LateWords(late("keyEnds")),
    keys: new LateBytes(late("keys")),
    postingEnds: new LateWords(late("postingEnds")),
    postings: new LateWords(late("postings")),
    insideOf: new LateWords(late("insideOf")),
    containers: new LateWords(late("containers")),
  };
}

type SectionArray = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

interface SectionArrayType<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer): T;
}

interface SectionSource {
  readonly bytes: number;
  readonly read: PieceReader;
}

/** Reading this many pieces, those of a few searches, takes as long as reading most sections whole. */
const piecesMax = 512;

/**
 * A section that is read piece by piece, and whole after many pieces. The first search needs only some hundred numbers
 * of the file, and copying all of it would take a tenth of a start.
 *
 * @package
 */
abstract class LateSection<T extends SectionArray> {
  readonly length: number;
  /** Undefined while it is read by pieces. */
  loaded: T | undefined;
  private readonly type: SectionArrayType<T>;
  private readonly read: PieceReader;
  private pieces = 0;

  constructor(type: SectionArrayType<T>, { read, bytes }: SectionSource) {
    this.type = type;
    this.read = read;
    this.length = bytes / type.BYTES_PER_ELEMENT;
  }

  /** 0 outside of it. */
  abstract at(row: number): number;

  slice(from: number, to: number): T {
    if (!this.loaded && this.pieces++ < piecesMax) return this.make(from, to);
    return this.whole().subarray(from, to) as T;
  }

  /** For loops over most of it. */
  whole(): T {
    this.loaded ??= this.make(0, this.length);
    return this.loaded;
  }

  protected pieceAt(row: number): number {
    return row < 0 || row >= this.length ? 0 : (this.slice(row, row + 1)[0] ?? 0);
  }

  private make(from: number, to: number): T {
    const size = this.type.BYTES_PER_ELEMENT;
    return new this.type(this.read(from * size, to * size));
  }
}

// One class for each width: code that sees arrays of several kinds is compiled for none of them.

/** @package */
export class LateBytes extends LateSection<Uint8Array<ArrayBuffer>> {
  constructor(source: SectionSource) {
    super(Uint8Array, source);
  }

  at(row: number): number {
    return this.loaded ? (this.loaded[row] ?? 0) : this.pieceAt(row);
  }
}

class LateHalves extends LateSection<Uint16Array<ArrayBuffer>> {
  constructor(source: SectionSource) {
    super(Uint16Array, source);
  }

  at(row: number): number {
    return this.loaded ? (this.loaded[row] ?? 0) : this.pieceAt(row);
  }
}

/** @package */
export class LateWords extends LateSection<Uint32Array<ArrayBuffer>> {
  constructor(source: SectionSource) {
    super(Uint32Array, source);
  }

  at(row: number): number {
    return this.loaded ? (this.loaded[row] ?? 0) : this.pieceAt(row);
  }
}

/**
 * Sorted texts in a single buffer, found by binary search over their bytes and decoded one at a time, so
 * that half a million names need no objects.
 *
 * @package
 */
export class TextTable {
  private readonly text: LateBytes;
  private readonly until: LateWords;

  /** @param until where each text ends, after a first 0. */
  constructor(until: LateWords, text: LateBytes) {
    this.text = text;
    this.until = until;
  }

  get length(): number {
    return this.until.length - 1;
  }

  at(row: number): string {
    return decoder.decode(this.text.slice(this.until.at(row), this.until.at(row + 1)));
  }

  bytesOf(row: number): number {
    return this.until.at(row + 1) - this.until.at(row);
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
    const from = this.until.at(row);
    const length = this.until.at(row + 1) - from;
    const shared = Math.min(length, needleLength);
    const { loaded } = this.text;
    const text = loaded ?? this.text.slice(from, from + shared);
    const start = loaded ? from : 0;
    for (let at = 0; at < shared; at++) {
      const difference = (text[start + at] ?? 0) - (scratch[at] ?? 0);
      if (difference !== 0) return difference;
    }
    return length - needleLength;
  }
}

/** Longer than any name: a text that does not fit is not in the table. */
const scratch = new Uint8Array(1024);
const decoder = new TextDecoder();
const encoder = new TextEncoder();
