/**
 * The gazetteer's file: a header in JSON, then typed arrays, each at a multiple of eight bytes, so that
 * loading is one read and no parsing. Not compressed: decompressing took 22 ms of every start, and git and
 * the packages compress it anyway. Written by scripts/seeding/gazetteer.ts.
 */
export const formatVersion = 2;

export interface Header {
  readonly version: number;
  /** Where each section lies, in bytes after the header. */
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
  /** A section of a city: it lies in a city of its own. */
  district: 1,
  capital: 2,
} as const;

/** How a name belongs to a place. */
export const nameMarks = {
  /** The place's own name in the gazetteer or its country. */
  own: 1,
  /** From the list of aliases kept by hand. */
  alias: 2,
  /** An abbreviation that only counts beside another place: `CA` in `Irvine, CA`. */
  code: 4,
  /** The name after every letter outside ASCII was lost: `So Paulo`. Never for filters. */
  lossy: 8,
  /** A part of the place, or an institution in it. Never for filters. */
  part: 16,
  /** Also an everyday word: too weak to stand alone in a profile's text. */
  word: 32,
  /** Counts in a profile's text only when written in capitals. */
  capitals: 64,
} as const;

export const getPlaceNumber = (posting: number) => posting & 0xffffff;
export const getNameMarks = (posting: number) => posting >>> 24;
