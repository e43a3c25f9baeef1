import { describe, expect, test } from "bun:test";
import { createAssessor } from "../../src/analysis/analysis.ts";
import { forgesSource } from "../../src/contract/people/facts.ts";
import { createJudge } from "../../src/ingest/ingest.ts";
import { openPlaces } from "../../src/places/places.ts";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";
import { factsOf } from "./sample.ts";

const places = openPlaces();
const assess = createAssessor(createVocabulary());
const judge = createJudge({ assess, places, asOf: "2026-11-01" });

describe("judging facts", () => {
  test("resolves the profile's location, and keeps the facts as they are", () => {
    const facts = factsOf("ada", { location: "Berlin, Germany" });
    const { facts: kept, standing, analysis } = judge(facts);
    expect(kept).toEqual(facts);
    expect(standing.places).toEqual([places.find("Berlin")[0]?.id ?? ""]);
    expect(analysis.profile.places).toEqual([places.find("Berlin")[0]?.fullName ?? ""]);
    expect(analysis.asOf).toBe("2026-11-01");
  });

  test.each([
    ["a full name of the forge", "Ada Byron", "github.com", "Ada Byron", ["Ada Example"]],
    ["not a handle of the forge", "ada-x", "github.com", "Ada Example", ["ada-x"]],
    ["the name of a people file, whatever it is", "ada-x", "hr", "ada-x", ["Ada Example"]],
  ])("shows %s, and knows the others", (_, stated, source, name, others) => {
    const supplement = { source, logins: ["ada"], profile: { name: stated }, emails: [] };
    const facts = { ...factsOf("ada", { name: "Ada Example" }), otherNames: ["adalove"] };
    const { analysis, card } = judge({
      ...facts,
      supplements: [{ ...supplement, source: source === "hr" ? source : forgesSource }],
    });
    expect(card.name).toBe(name);
    expect(analysis.profile.name).toBe(name);
    expect(analysis.profile.otherNames).toEqual([...others, "adalove"]);
  });

  test.each([[undefined], ["Somewhere with coffee"], ["Remote"]])(
    "claims no place for %p",
    (location) => {
      const { standing } = judge(factsOf("ada", location === undefined ? {} : { location }));
      expect(standing.places).toEqual([]);
    },
  );

  test("claims no place of which the resolver is not sure", () => {
    const berlin = places.find("Berlin")[0];
    if (!berlin) throw new Error("The gazetteer knows Berlin.");
    const judged = (confidence: number) =>
      createJudge({
        assess,
        places: {
          resolve: (matched) => {
            return { places: [{ place: berlin, matched, confidence }], remote: false, why: [] };
          },
        },
        asOf: "2026-11-01",
      })(factsOf("ada", { location: "Berlyn" })).standing.places;
    expect(judged(0.49)).toEqual([]);
    expect(judged(0.5)).toEqual([berlin.id]);
  });
});
