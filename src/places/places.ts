import { limits } from "../contract/limits.ts";
import { containmentOf } from "./containment.ts";
import { findPlaces } from "./find.ts";
import { fold } from "./fold.ts";
import { openGazetteer } from "./gazetteer/gazetteer.ts";
import { marksOf, nameMarks, numberOf } from "./gazetteer/layout.ts";
import { resolver } from "./profile-text/profile-text.ts";
import { suggester } from "./suggest.ts";

/**
 * The place that everybody is in, whether or not their location is known: "Worldwide", "Earth". So people
 * whom only git history tells of, which knows no place, can be found too.
 */
export const everywhere = "macro:world";

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
  /** Whether it bears this name, in any language, as a name of its own. */
  isNamed(placeId: string, name: string): boolean;
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

/**
 * The gazetteer that is shipped with the program. Opening costs nothing: the table is read at the first
 * question, in some milliseconds, and kept.
 */
export function openPlaces(): Places {
  let opened: Places | undefined;
  const places = () => {
    opened ??= readPlaces();
    return opened;
  };
  return {
    find: (text) => places().find(text),
    resolve: (text) => places().resolve(text),
    suggest: (text, populated) => places().suggest(text, populated),
    byId: (placeId) => places().byId(placeId),
    isNamed: (placeId, name) => places().isNamed(placeId, name),
    ancestors: (placeId) => places().ancestors(placeId),
  };
}

function readPlaces(): Places {
  const gazetteer = openGazetteer();
  const containment = containmentOf(gazetteer);
  const find = (text: string) => findPlaces(text, gazetteer, containment);
  const similar = suggester(gazetteer, find);
  const resolve = resolver(gazetteer, containment);
  /** What a profile with this text would be taken for comes first: "Remote, Germany" means Germany. */
  const suggest = (text: string, populated: (placeId: string) => number): string[] => {
    const read = resolve(text)
      .places.filter(({ place }) => find(place.fullName).some((number) => id(number) === place.id))
      .map(({ place }) => place.fullName);
    const alike = similar(text, (number) => populated(id(number)));
    return [...new Set([...read, ...alike])].slice(0, limits.suggestionsMax);
  };
  const id = (number: number) => gazetteer.place(number).id;
  return {
    find: (text) => find(text).map((number) => gazetteer.place(number)),
    resolve,
    suggest,
    byId(placeId) {
      const number = gazetteer.numberById(placeId);
      return number === undefined ? undefined : gazetteer.place(number);
    },
    isNamed(placeId, name) {
      const number = gazetteer.numberById(placeId);
      const never = nameMarks.lossy | nameMarks.part | nameMarks.code;
      return gazetteer
        .named(fold(name))
        .some((posting) => numberOf(posting) === number && !(marksOf(posting) & never));
    },
    ancestors(placeId) {
      const number = gazetteer.numberById(placeId);
      return number === undefined ? [] : containment.ancestors(number).map(id);
    },
  };
}
