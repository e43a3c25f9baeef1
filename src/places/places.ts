/** Cities, regions, countries: what a text names, and what contains what. */
export interface Places {
  /**
   * What a search filter names: exact normalised name or alias, with qualifiers; never repairs a misspelling.
   * @returns candidates by population, largest first; empty when the text names no known place.
   */
  find(text: string): readonly Place[];
  /** What a profile's free text names; may repair a misspelling, with lower confidence. */
  resolve(text: string): Resolution;
  /** At most `limits.suggestionsMax` names of supported places similar to the text, each of which `find` knows. */
  suggest(text: string, populated: (placeId: string) => number): string[];
  byId(placeId: string): Place | undefined;
  /** Ids of everything that contains it, nearest first: city, metros, region, country, macro regions; itself not included. */
  ancestors(placeId: string): readonly string[];
}

export interface Place {
  /** Stable over versions of the gazetteer: `DE`, `DE-BY`-like region ids, a GeoNames number for cities, `metro:...`, `macro:...`. */
  readonly id: string;
  readonly kind: "city" | "region" | "country" | "metro" | "macro";
  readonly name: string;
  /** Name with what contains it: `Munich, Bavaria, Germany`. */
  readonly fullName: string;
  /** ISO 3166-1 alpha-2; absent for macro regions. */
  readonly country: string | undefined;
  /** English name of the first-level division, where it has one. */
  readonly region: string | undefined;
  readonly population: number;
}

export interface Resolution {
  /** Finest places named, in the order written; several for "Berlin / Lisbon". */
  readonly places: readonly {
    readonly place: Place;
    readonly matched: string;
    readonly confidence: number;
  }[];
  readonly remote: boolean;
  /** Steps of the decision, for `places explain`. */
  readonly why: readonly string[];
}
