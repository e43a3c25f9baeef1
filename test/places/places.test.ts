import { describe, expect, test } from "bun:test";
import { limits } from "../../src/contract/limits.ts";
import { openPlaces } from "../../src/places/places.ts";

const places = openPlaces();
const first = (text: string) => places.find(text)[0]?.id;

describe("find", () => {
  test("knows a city by its names in many languages and scripts", () => {
    for (const text of [
      "Munich",
      "München",
      "Muenchen",
      "MUNICH",
      " munich ",
      "Мюнхен",
      "慕尼黑",
    ]) {
      expect(first(text)).toBe("2867714");
    }
  });

  test("knows regions and countries by their English and their own names", () => {
    expect(["Bavaria", "Bayern", "Freistaat Bayern"].map(first)).toEqual([
      "DE-BY",
      "DE-BY",
      "DE-BY",
    ]);
    expect(["USA", "United States", "U.S.A.", "美国"].map(first)).toEqual(["US", "US", "US", "US"]);
    expect(["Holland", "England", "NYC", "日本"].map(first)).toEqual([
      "NL",
      "GB-ENG",
      "5128581",
      "JP",
    ]);
  });

  test("gives every candidate of an ambiguous name, largest first", () => {
    const georgia = places.find("Georgia");
    expect(georgia.map((place) => place.id)).toEqual(expect.arrayContaining(["US-GA", "GE"]));
    const sizes = georgia.map((place) => place.population);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  });

  test("lets qualifiers decide, in any order", () => {
    expect(places.find("Cambridge, UK").map((place) => place.id)).toEqual(["2653941"]);
    expect(first("Cambridge, MA")).toBe("4931972");
    expect(first("Germany, Berlin")).toBe("2950159");
    expect(first("Paris, Texas")).toBe("4717560");
  });

  test("never repairs a misspelling", () => {
    for (const text of ["Munchn", "Barcleona", "Germny", "So Paulo", "Berlin, Frnace"]) {
      expect(places.find(text)).toEqual([]);
    }
  });

  test("knows no place called Remote, nor one in blanks and signs", () => {
    for (const text of ["Remote", "", "   ", ",,,", "?", "🏠", "x".repeat(5000), "\ud800"]) {
      expect(places.find(text)).toEqual([]);
    }
  });

  test("takes the city of a name before the region it lies in, and the country before its capital", () => {
    expect(first("New York")).toBe("5128581");
    expect(first("Luxembourg")).toBe("LU");
    expect(first("Singapore")).toBe("SG");
  });
});

describe("byId and ancestors", () => {
  test("a place is found again by its id", () => {
    for (const id of ["DE", "DE-BY", "2867714", "metro:bay-area", "macro:dach"]) {
      expect(places.byId(id)?.id).toBe(id);
    }
    expect(places.byId("nowhere")).toBeUndefined();
    expect(places.ancestors("nowhere")).toEqual([]);
  });

  test("a city lies in its metros, region, country and macro regions, nearest first", () => {
    const paloAlto = places.ancestors(first("Palo Alto, CA") ?? "");
    const wanted = ["metro:silicon-valley", "metro:bay-area", "US-CA", "US", "macro:north-america"];
    expect(paloAlto.filter((id) => wanted.includes(id))).toEqual(wanted);
    expect(places.ancestors("2867714")).toEqual(
      expect.arrayContaining([
        "DE-BY",
        "DE",
        "macro:dach",
        "macro:eu",
        "macro:europe",
        "macro:emea",
      ]),
    );
  });

  test("a borough lies in its city", () => {
    expect(places.ancestors("5110302")).toContain("5128581");
  });
});

describe("suggest", () => {
  const nobody = () => 0;

  test("names the place that a misspelling meant, and every suggestion works when sent back", () => {
    for (const [text, meant] of [
      ["Munchn", "2867714"],
      ["Barcleona", "3128760"],
      ["Germny", "DE"],
      ["Sanfransisco", "5391959"],
      ["Bangalor", "1277333"],
    ] as const) {
      const names = places.suggest(text, nobody);
      expect(names.length).toBeLessThanOrEqual(limits.suggestionsMax);
      expect(names.flatMap((name) => places.find(name).map((place) => place.id))).toContain(meant);
    }
  });

  test("knows a small town only when somebody there is in the pool", () => {
    const town = places.find("Stornoway")[0];
    const populated = (id: string) => (id === town?.id ? 3 : 0);
    expect(places.suggest("Stornowey", nobody)).not.toContain(town?.fullName ?? "");
    expect(places.suggest("Stornowey", populated)).toContain(town?.fullName ?? "");
  });

  test("has nothing to say to a text without letters", () => {
    expect(places.suggest("", nobody)).toEqual([]);
    expect(places.suggest("🏠", nobody)).toEqual([]);
  });

  test("names first what a profile with this text is taken for", () => {
    expect(places.suggest("Remote, Germany", nobody)[0]).toBe("Germany");
    expect(places.suggest("10115 Berlin", nobody)[0]).toBe("Berlin, Germany");
    const either = places.suggest("Berlin or Paris", nobody).slice(0, 2);
    expect(either.map((name) => name.split(",")[0])).toEqual(["Berlin", "Paris"]);
  });
});
