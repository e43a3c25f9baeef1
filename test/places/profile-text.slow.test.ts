import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openPlaces } from "../../src/places/places.ts";

const places = openPlaces();
const names = (text: string) => places.resolve(text).places.map(({ place }) => place.name);

describe("a profile's text", () => {
  test("is read from the whole to the finest place that fits", () => {
    expect(names("Portland, Maine, USA")).toEqual(["Portland"]);
    expect(places.resolve("Portland, ME").places[0]?.place.region).toBe("Maine");
    expect(names("Brasil, Rio de Janeiro")).toEqual(["Rio de Janeiro"]);
    expect(names("Somerville MA")).toEqual(["Somerville"]);
  });

  test("may name several places in the order written, and names with a separator stay whole", () => {
    expect(names("Stockholm / Helsinki")).toEqual(["Stockholm", "Helsinki"]);
    expect(names("🇬🇧 🇫🇷")).toEqual(["United Kingdom", "France"]);
    expect(names("India & USA")).toEqual(["India", "United States"]);
    expect(names("Trinidad & Tobago")).toEqual(["Trinidad and Tobago"]);
    expect(names("Sarajevo, Bosnia and Herzegovina")).toEqual(["Sarajevo"]);
  });

  test("is understood through mojibake, lost letters and slips, with less confidence for a repair", () => {
    expect(names("DÃ¼sseldorf")).toEqual(["Düsseldorf"]);
    expect(names("M?nchen")).toEqual(["Munich"]);
    expect(names("Gteborg, Sweden")).toEqual(["Gothenburg"]);
    const slip = places.resolve("Barcleona, Spain").places[0];
    const right = places.resolve("Barcelona, Spain").places[0];
    expect(slip?.place.id).toBe(right?.place.id ?? "");
    expect(slip?.confidence).toBeLessThan(right?.confidence ?? 0);
  });

  test("yields the city for a district beside it, and the district alone", () => {
    expect(names("Kreuzberg, Berlin")).toEqual(["Berlin"]);
    expect(names("Brooklyn")).toEqual(["Brooklyn"]);
    expect(names("Brooklyn, NY")).toEqual(["Brooklyn"]);
  });

  test("takes the state when the town is too small to be known, not a famous namesake", () => {
    expect(places.resolve("Paris, Ohio").places.map(({ place }) => place.id)).toEqual(["US-OH"]);
  });

  test("reads two-letter codes in capitals and in context only", () => {
    expect(["NY", "DE"].map(names)).toEqual([["New York"], ["Germany"]]);
    expect(["CA", "in", "la"].flatMap(names)).toEqual([]);
  });

  test("marks remote work without making a place of it", () => {
    for (const text of ["Remote", "Digital nomad", "The Internet", "100% remote"]) {
      expect(places.resolve(text)).toMatchObject({ remote: true, places: [] });
    }
    expect(places.resolve("Remote, US")).toMatchObject({ remote: true });
    expect(names("Remote, US")).toEqual(["United States"]);
  });

  test("of a joke, a machine or a company names no place", () => {
    const nowhere = ["Hogwarts", "localhost", "127.0.0.1", "/dev/null", "Yelp", "Google", "🏠"];
    expect(nowhere.flatMap(names)).toEqual([]);
  });

  test("comes with the steps of the decision", () => {
    const { why } = places.resolve("Munich, Germany");
    expect(why.join("\n")).toContain("Munich, Bavaria, Germany (2867714)");
    expect(places.resolve("Hogwarts").why.at(-1)).toBe("names no known place");
  });

  test("never fails, whatever is written, and stays within its bounds", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.constantFrom("Berlin", ", ", " / ", "CA", "🇩🇪", "Ã¼", "?", "東京", "remote", "(", "and"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        for (const { place, confidence } of places.resolve(pieces.join("")).places) {
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThanOrEqual(1);
          expect(places.byId(place.id)).toEqual(place);
        }
      }),
    );
  });
});
