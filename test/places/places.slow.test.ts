import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { limits } from "../../src/contract/limits.ts";
import { everywhere, openPlaces, type PeopleByPlace, type Place } from "../../src/places/places.ts";
import { rounds } from "../long.ts";

const places = openPlaces();
const first = (text: string) => places.find(text)[0]?.id;

describe("find", () => {
  test("knows a city by its names in many languages and scripts", () => {
    for (const text of ["Munich", "München", "Muenchen", "MUNICH", " munich ", "Мюнхен", "慕尼黑"])
      expect(first(text)).toBe("2867714");
  });

  test("knows regions and countries by their English and their own names", () => {
    const regions = ["Bavaria", "Bayern", "Freistaat Bayern", "Holland", "England", "NYC"];
    expect(regions.map(first).join(" ")).toBe("DE-BY DE-BY DE-BY NL GB-ENG 5128581");
    const countries = ["USA", "United States", "U.S.A.", "美国", "日本"];
    expect(countries.map(first).join(" ")).toBe("US US US US JP");
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
    expect(["New York", "Luxembourg", "Singapore"].map(first)).toEqual(["5128581", "LU", "SG"]);
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
    const macros = ["macro:dach", "macro:eu", "macro:europe", "macro:emea"];
    const munich = places.ancestors("2867714");
    expect(munich).toEqual(expect.arrayContaining(["DE-BY", "DE", ...macros]));
    // A borough lies in its city.
    expect(places.ancestors("5110302")).toContain("5128581");
  });
});

/** A pool with so many people in each of these places and in all that contains them. */
function pool(counts: Readonly<Record<string, number>>): PeopleByPlace {
  const people = new Map<string, number>();
  for (const [name, count] of Object.entries(counts)) {
    const { id } = places.find(name)[0] as Place;
    for (const each of [id, ...places.ancestors(id)]) {
      people.set(each, (people.get(each) ?? 0) + count);
    }
  }
  return people.set(everywhere, 1000);
}
const nobody: PeopleByPlace = new Map([[everywhere, 1000]]);
const here = pool({
  ...{ Munich: 5, Barcelona: 4, "San Francisco": 3, Bangalore: 2, Berlin: 9, Paris: 6 },
});

describe("suggest", () => {
  test("names the place that a misspelling meant, and every suggestion works when sent back", () => {
    for (const [text, meant] of [
      ["Munchn", "2867714"],
      ["Barcleona", "3128760"],
      ["Germny", "DE"],
      ["Sanfransisco", "5391959"],
      ["Bangalor", "1277333"],
    ] as const) {
      const names = places.suggest(text, here);
      expect(names.length).toBeLessThanOrEqual(limits.suggestionsMax);
      expect(names.flatMap((name) => places.find(name).map((place) => place.id))).toContain(meant);
    }
  });

  test("knows a place only when somebody there is in the pool", () => {
    const [town] = places.find("Stornoway") as [Place];
    expect(places.suggest("Stornowey", here)).not.toContain(town.fullName);
    expect(places.suggest("Stornowey", pool({ Stornoway: 3 }))[0]).toBe(town.fullName);
    expect(places.suggest("Tokio Tokyo", here)).not.toContain("Tokyo, Japan");
  });

  test("names the largest places where nothing is alike, those made of others last", () => {
    for (const text of ["", "🏠", "no such place at all", "x".repeat(200)]) {
      const names = places.suggest(text, here);
      expect(names.slice(0, 2)).toEqual(["Germany", "Berlin, Germany"]);
      expect(names).not.toContain("Europe");
    }
    const [europe] = places.find("Europe") as [Place];
    expect(places.suggest("No place", new Map([[europe.id, 3]]))).toEqual(["Europe"]);
  });

  test("names everybody, and nothing that sounds alike, where the text means anywhere", () => {
    const piedmont = places.find("Piedmont, Italy")[0] as Place;
    const antwerp = places.find("Antwerp")[0] as Place;
    const pool = new Map([...here, [piedmont.id, 2], [antwerp.id, 2]]);
    const nowhere = ["Remote", "remote only", "Anywhere", "WFH", "fully-remote", "digital nomad"];
    for (const text of nowhere) {
      const names = places.suggest(text, pool);
      expect([text, ...names.slice(0, 2)]).toEqual([text, "Worldwide", "Germany"]);
      expect(names).toHaveLength(5);
      expect(places.find(names[0] as string)[0]?.id).toBe(everywhere);
      expect([text, places.similar(text, pool, 5)]).toEqual([text, []]);
    }
    // What sounds alike is named where it is meant.
    expect(places.suggest("Piemonnt", pool)).toContain("Piedmont, Italy");
  });

  test("is empty only when nobody is in a known place", () => {
    expect(places.suggest("Berlln", nobody)).toEqual([]);
    expect(places.suggest("Remote", new Map())).toEqual([]);
  });

  test("names first what a profile with this text is taken for, or what contains that", () => {
    expect(places.suggest("Remote, Germany", here)[0]).toBe("Germany");
    expect(places.suggest("10115 Berlin", here)[0]).toBe("Berlin, Germany");
    const either = places.suggest("Berlin or Paris", here).slice(0, 2);
    expect(either.map((name) => name.split(",")[0])).toEqual(["Berlin", "Paris"]);
    expect(places.suggest("Nuremberg", here)[0]).toBe("Bavaria, Germany");
  });

  test("gives, for any text and any pool with somebody in it, 1 to 5 places with people that work", () => {
    const cities = ["Berlin", "Stornoway", "Springfield, Missouri", "Tokyo", "Georgia", "New York"];
    const counts = fc.dictionary(fc.constantFrom(...cities), fc.integer({ min: 1, max: 50 }), {
      minKeys: 1,
    });
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constantFrom("Springfield", "Atlantis", "Remote", "Berlni", "Munich", "Nowhere, Germany"),
    );
    fc.assert(
      fc.property(text, counts, (asked, where) => {
        const people = pool(where);
        const names = places.suggest(asked, people);
        expect(names.length).toBeGreaterThanOrEqual(1);
        expect(names.length).toBeLessThanOrEqual(limits.suggestionsMax);
        for (const name of names) {
          const most = Math.max(...places.find(name).map(({ id }) => people.get(id) ?? 0));
          expect([name, most > 0]).toEqual([name, true]);
        }
      }),
      { numRuns: rounds(300) },
    );
  });
});

const named = (text: string, people: PeopleByPlace) =>
  places.complete(text, people, 10).map(({ place }) => place.fullName);

describe("complete", () => {
  test("names what begins so, best first: most people, then population", () => {
    expect(named("Ber", here)[0]).toBe("Berlin, Germany");
    expect(named("ger", here)).toContain("Germany");
    expect(named("munich", here)[0]).toBe("Munich, Bavaria, Germany");
    expect(places.complete("Ber", here, 1)).toMatchObject([{ people: 9 }]);
  });

  test("puts a whole name before a longer one, and a later word behind both", () => {
    const both = pool({ York: 1, "New York": 7 });
    expect(named("York", both)[0]).toBe("York, England, United Kingdom");
    expect(named("York", both)).toContain("New York City, New York, United States");
  });

  test("takes names in other languages and qualifiers", () => {
    expect(named("Мюнхен", here)).toEqual(["Munich, Bavaria, Germany"]);
    expect(named("Berlin, DE", here)).toEqual(["Berlin, Germany"]);
  });

  test("leaves out cities with nobody in them, not countries and regions", () => {
    expect(named("Springfield", here)).toEqual([]);
    expect(named("Reykja", here)).toEqual([]);
    expect(named("Icela", here)).toEqual(["Iceland"]);
  });

  test("names nothing for a text without letters, or with signs that only skills have", () => {
    for (const text of ["🏠", "c++", "b#"]) expect(named(text, here)).toEqual([]);
    expect(named("", here)).toContain("Berlin, Germany");
  });
});

test("similar names what a misspelling meant, nearest first", () => {
  expect(places.similar("Berlni", here, 10)[0]?.place.fullName).toBe("Berlin, Germany");
  expect(places.similar("x".repeat(200), here, 10)).toEqual([]);
});

test("a profile's text may name a subdivision by its code of ISO 3166-2", () => {
  const read = (text: string) => places.resolve(text).places.map(({ place }) => place.fullName);
  expect(read("DE-BE")).toEqual(["Berlin, Germany"]);
  expect(read("DE-BY, Germany")).toEqual(["Bavaria, Germany"]);
  expect(read("US-CA / CH-ZH")).toEqual(["California, United States", "Zürich, Switzerland"]);
});

test("large cities have their names in the scripts of their countries", () => {
  const names = {
    ...{ Москва: "Moscow", Αθήνα: "Athens", თბილისი: "Tbilisi", Երևան: "Yerevan" },
    ...{ กรุงเทพ: "Bangkok", मुंबई: "Mumbai", बेंगलुरु: "Bengaluru", "תל אביב": "Tel Aviv" },
    ...{ ಬೆಂಗಳೂರು: "Bengaluru", బెంగళూరు: "Bengaluru" },
    ...{ ရန်ကုန်: "Yangon", ঢাকা: "Dhaka", "አዲስ አበባ": "Addis Ababa", القاهرة: "Cairo", 서울: "Seoul" },
  };
  for (const [name, city] of Object.entries(names)) {
    expect([name, places.find(name)[0]?.name]).toEqual([name, city]);
  }
});
