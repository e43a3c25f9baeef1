import { findPlaces } from "./find.ts";
import { createFindable, type PeopleByPlace } from "./findable.ts";
import { foldPlaceName } from "./fold.ts";
import { openGazetteer, type Place } from "./gazetteer.ts";
import { getNameMarks, getPlaceNumber, nameMarks } from "./gazetteer-file.ts";
import {
  type FoundPlace,
  findNearPlaces,
  findPlacesByPrefix,
  suggestLocations,
} from "./look-up.ts";
import { resolveProfileText } from "./profile-text.ts";

export type { PeopleByPlace } from "./findable.ts";
export type { Place } from "./gazetteer.ts";
export { everywhere } from "./gazetteer.ts";
export type { Resolution } from "./profile-text.ts";

/** Finds the places that a text names, and the places that contain a place. */
export type Places = ReturnType<typeof openPlaces>;

/** The shipped gazetteer is read only at first use. */
export function openPlaces() {
  const findable = createFindable();
  return {
    /**
     * Finds the places that a search filter names. Never repairs a misspelling.
     * @returns places by population, largest first; empty if the text names no known place.
     */
    find: (text: string): readonly Place[] =>
      findPlaces(text, openGazetteer()).map((number) => openGazetteer().place(number)),
    /** Finds the places that a profile's free text names. May repair a misspelling, with lower confidence. */
    resolve: (text: string) => resolveProfileText(text, openGazetteer()),
    /**
     * Suggests full names of places with people. The names are similar to the text. If none is similar, the largest places are
     * suggested.
     */
    suggest: (text: string, people: PeopleByPlace): string[] =>
      suggestLocations(text, findable(people), openGazetteer()),
    /** Finds at most `max` places with a name that begins with the text, best first. A city is found only if it has people. */
    complete: (text: string, people: PeopleByPlace, max: number): readonly FoundPlace[] =>
      findPlacesByPrefix(text, findable(people), { gazetteer: openGazetteer(), max }),
    /** Does the same as `complete` for a text that may be misspelled. */
    similar: (text: string, people: PeopleByPlace, max: number): readonly FoundPlace[] =>
      findNearPlaces(text, findable(people), { gazetteer: openGazetteer(), max }),
    byId(placeId: string): Place | undefined {
      const gazetteer = openGazetteer();
      const number = gazetteer.numberById(placeId);
      return number === undefined ? undefined : gazetteer.place(number);
    },
    /** Whether this is a name of the place itself, in any language. */
    isNamed(placeId: string, name: string): boolean {
      const gazetteer = openGazetteer();
      const number = gazetteer.numberById(placeId);
      const never = nameMarks.lossy | nameMarks.part | nameMarks.code;
      return gazetteer
        .named(foldPlaceName(name))
        .some((posting) => getPlaceNumber(posting) === number && !(getNameMarks(posting) & never));
    },
    /** Returns the ids of all places that contain the place, nearest first. */
    ancestors(placeId: string): readonly string[] {
      const gazetteer = openGazetteer();
      const number = gazetteer.numberById(placeId);
      if (number === undefined) return [];
      return gazetteer.ancestors(number).map((outer) => gazetteer.place(outer).id);
    },
  };
}
