import { nameMarks, placeMarks } from "../../../src/places/gazetteer-file.ts";
import { addName, type Draft, draft } from "./draft.ts";
import { cityNamed, kilometres, type Located } from "./geometry.ts";
import { readCounties, readOwn } from "./sources.ts";

/** Makes the metros of our own table: each has all cities of its country in one of its circles. */
export function draftMetros(
  countries: ReadonlyMap<string, Draft>,
  byCountry: ReadonlyMap<string, readonly Located[]>,
): Draft[] {
  return readOwn("metros").map(([id = "", name = "", code = "", aliases = "", circles = ""]) => {
    const members = new Set<Located>();
    const regions = new Set<Draft | undefined>();
    for (const circle of circles.split(";")) {
      for (const city of membersOf(circle, code, byCountry)) {
        members.add(city);
        regions.add(city.place.region);
      }
    }
    const region = regions.size === 1 ? [...regions][0] : undefined;
    const metro = draft({
      id: `metro:${id}`,
      kind: "metro",
      name,
      country: countries.get(code),
      region,
    });
    addName(metro, name, nameMarks.own);
    for (const alias of aliases.split(";").filter(Boolean)) {
      const isShort = /^(?:[A-Z]\.?){2,3}$/.test(alias);
      addName(metro, alias, isShort ? nameMarks.alias | nameMarks.capitals : nameMarks.alias);
    }
    enter(metro, members);
    return metro;
  });
}

/** The cities of a whole region (`US-ME*`), or those in a circle (`Boston|MA@40`). */
function membersOf(
  circle: string,
  country: string,
  byCountry: ReadonlyMap<string, readonly Located[]>,
): readonly Located[] {
  const all = byCountry.get(country) ?? [];
  if (circle.endsWith("*"))
    return all.filter(({ place }) => place.region?.id === circle.slice(0, -1));
  const [spec = "", radius = "0"] = circle.split("@");
  const [city = "", region = "-"] = spec.split("|");
  const centre = cityNamed(`${city}|${country}|${region}`, byCountry);
  if (!centre) throw new Error(`seed/places/metros.tsv: ${spec} is no city here`);
  return all.filter((each) => kilometres(centre.source, each.source) <= Number(radius));
}

/** Countries in which people name counties as their place. A county is a set of cities. */
const withCounties = new Set(["US", "GB", "IE"]);

export function draftCounties(
  regions: ReadonlyMap<string, Draft>,
  byCountry: ReadonlyMap<string, readonly Located[]>,
): Draft[] {
  const members = new Map<string, Located[]>();
  for (const code of withCounties) {
    for (const city of byCountry.get(code) ?? []) {
      const key = `${code}.${city.source.region}.${city.source.county}`;
      members.set(key, [...(members.get(key) ?? []), city]);
    }
  }
  const counties: Draft[] = [];
  for (const { code, name } of readCounties()) {
    const inside = members.get(code);
    const region = regions.get(code.split(".").slice(0, 2).join("."));
    if (!inside || !region) continue;
    const county = draft({
      id: `metro:${code}`,
      kind: "metro",
      name,
      country: region.country,
      region,
    });
    addName(county, name, nameMarks.own);
    enter(county, new Set(inside));
    counties.push(county);
  }
  return counties;
}

function enter(metro: Draft, members: ReadonlySet<Located>): void {
  for (const { place } of members) {
    place.containers.push(metro);
    if (!(place.marks & placeMarks.district)) metro.population += place.population;
  }
}
