import { findPlaces } from "./find.ts";
import { createFindable, type PeopleByPlace } from "./findable.ts";
import { foldPlaceName } from "./fold.ts";
import { createContainment, everywhere, openGazetteer, type Place } from "./gazetteer.ts";
import { getNameMarks, getPlaceNumber, nameMarks } from "./gazetteer-file.ts";
import {
  type FoundPlace,
  findNearPlaces,
  findPlacesByPrefix,
  suggestLocations,
} from "./look-up.ts";
import { createResolver, type Resolution } from "./profile-text.ts";

export type { PeopleByPlace } from "./findable.ts";
export type { Place } from "./gazetteer.ts";
export { everywhere } from "./gazetteer.ts";
export type { FoundPlace } from "./look-up.ts";
export type { Resolution } from "./profile-text.ts";

/** Cities, regions and countries: which of them a text names, and what contains what. */
export interface Places {
  /**
   * Finds what a search filter names: an exact normalised name or alias, with qualifiers; never repairs a misspelling.
   * @returns candidates by population, largest first; empty when the text names no known place.
   */
  find(text: string): readonly Place[];
  /** Finds what a profile's free text names; may repair a misspelling, with lower confidence. */
  resolve(text: string): Resolution;
  /**
   * Suggests at most `limits.suggestionsMax` full names of places with people, similar to the text or else the largest.
   * `find` knows each of them. Empty only when no person is in a known place.
   */
  suggest(text: string, people: PeopleByPlace): string[];
  /**
   * At most `max` places that the text names or begins to name, best first; of the cities only those with people. A
   * search for the full name of each finds that place.
   */
  complete(text: string, people: PeopleByPlace, max: number): readonly FoundPlace[];
  /** The same for a text that may be a misspelling. */
  similar(text: string, people: PeopleByPlace, max: number): readonly FoundPlace[];
  byId(placeId: string): Place | undefined;
  /** Whether the place has this name, in any language, as a name of its own. */
  isNamed(placeId: string, name: string): boolean;
  /** Ids of everything that contains the place, nearest first: city, metros, region, country, macro regions; not itself. */
  ancestors(placeId: string): readonly string[];
}

/**
 * Opens the gazetteer that is shipped with the program. Opening costs nothing: the table is read on first
 * use, piece by piece, and kept.
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
    suggest: (text, people) => places().suggest(text, people),
    complete: (text, people, max) => places().complete(text, people, max),
    similar: (text, people, max) => places().similar(text, people, max),
    byId: (placeId) => places().byId(placeId),
    isNamed: (placeId, name) => places().isNamed(placeId, name),
    ancestors: (placeId) => places().ancestors(placeId),
  };
}

function readPlaces(): Places {
  const gazetteer = openGazetteer();
  const containment = createContainment(gazetteer);
  const find = (text: string) => findPlaces(text, gazetteer, containment);
  const findable = createFindable(gazetteer, find);
  let resolver: Places["resolve"] | undefined;
  const resolve: Places["resolve"] = (text) => {
    // A search needs none.
    resolver ??= createResolver(gazetteer, containment);
    return resolver(text);
  };
  /** Without the world, which contains everything. */
  const withContaining = (place: Place): number[] => {
    const number = gazetteer.numberById(place.id);
    if (number === undefined) return [];
    return [number, ...containment.ancestors(number).filter((outer) => id(outer) !== everywhere)];
  };
  const id = (number: number) => gazetteer.place(number).id;
  return {
    find: remember((text) => find(text).map((number) => gazetteer.place(number))),
    resolve,
    suggest(text, people) {
      const { places: named, remote } = resolve(text);
      const read = named.map(({ place }) => withContaining(place));
      return suggestLocations({ text, read, remote }, findable(people), gazetteer);
    },
    complete: (text, people, max) =>
      findPlacesByPrefix(text, find(text), findable(people), { gazetteer, max }),
    similar: (text, people, max) =>
      resolve(text).remote ? [] : findNearPlaces(text, findable(people), { gazetteer, max }),
    byId(placeId) {
      const number = gazetteer.numberById(placeId);
      return number === undefined ? undefined : gazetteer.place(number);
    },
    isNamed(placeId, name) {
      const number = gazetteer.numberById(placeId);
      const never = nameMarks.lossy | nameMarks.part | nameMarks.code;
      return gazetteer
        .named(foldPlaceName(name))
        .some((posting) => getPlaceNumber(posting) === number && !(getNameMarks(posting) & never));
    },
    ancestors(placeId) {
      const number = gazetteer.numberById(placeId);
      return number === undefined ? [] : containment.ancestors(number).map(id);
    },
  };
}

const rememberedMax = 1000;

/** The gazetteer never changes, and most searches name one of a few places. */
function remember(find: Places["find"]): Places["find"] {
  const known = new Map<string, ReturnType<Places["find"]>>();
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    if (known.size >= rememberedMax) known.clear();
    const found = find(text);
    known.set(text, found);
    return found;
  };
}
