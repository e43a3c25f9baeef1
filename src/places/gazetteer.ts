import { readFileSync } from "node:fs";
import path from "../../seed/gazetteer.bin" with { type: "file" };
import { findFirstNot } from "../contract/terms.ts";
import {
  type GazetteerSections,
  placeKinds,
  placeMarks,
  readSections,
  TextTable,
} from "./gazetteer-file.ts";

export interface Place {
  /** A permanent id: `DE`, `DE-BY` for a region, a GeoNames number for a city, `metro:...`, `macro:...`. */
  readonly id: string;
  readonly kind: "city" | "region" | "country" | "metro" | "macro";
  readonly name: string;
  /** The name with the places that contain it: `Munich, Bavaria, Germany`. */
  readonly fullName: string;
  /** ISO 3166-1 alpha-2; absent for macro regions. */
  readonly country: string | undefined;
  /** English name of the first-level division, if the country has divisions. */
  readonly region: string | undefined;
  readonly population: number;
}

/** The order of places that contain a place, nearest first. */
const rank = { city: 0, metro: 1, region: 2, country: 3, macro: 4 } as const;

/** The shipped table of places. Inside this module a place is a number; it becomes an object on request. */
export class Gazetteer {
  private readonly sections: GazetteerSections;
  private readonly names: TextTable;
  private readonly keys: TextTable;
  private idTexts: readonly string[] | undefined;
  private readonly places = new Map<number, Place>();
  /** Place numbers by id. */
  private numbers: ReadonlyMap<string | number, number> | undefined;

  constructor(sections: GazetteerSections) {
    this.sections = sections;
    this.names = new TextTable(sections.nameEnds, sections.names);
    this.keys = new TextTable(sections.keyEnds, sections.keys);
  }

  /** Ids of all places other than cities. These come first. */
  private get ids(): readonly string[] {
    this.idTexts ??= this.sections.ids.toString().split("\n");
    return this.idTexts;
  }

  kind(number: number): Place["kind"] {
    return placeKinds[this.sections.kinds[number] ?? 0] ?? "country";
  }

  population(number: number): number {
    return this.sections.populations[number] ?? 0;
  }

  /** Returns the country of a place. A country is its own country. Without a country, returns -1. */
  country(number: number): number {
    const { kinds, countries } = this.sections;
    return kinds[number] === 0 ? number : (countries[number] ?? 0) - 1;
  }

  /** Returns the first-level region of a place. A region is its own region. Without a region, returns -1. */
  region(number: number): number {
    const { kinds, regions } = this.sections;
    return kinds[number] === 1 ? number : (regions[number] ?? 0) - 1;
  }

  /** Whether the place is a district of a listed city. */
  isDistrict(number: number): boolean {
    return ((this.sections.marks[number] ?? 0) & placeMarks.district) !== 0;
  }

  /** Returns the cities, metros and macro regions that directly contain the place. */
  containers(number: number): readonly number[] {
    const { insideOf, containers } = this.sections;
    const from = findFirstNot((row) => (insideOf[row] ?? 0) < number, insideOf.length);
    const found: number[] = [];
    for (let row = from; insideOf[row] === number; row++) found.push(containers[row] ?? 0);
    return found;
  }

  /** Returns everything that contains the place, nearest first, without the place itself. */
  ancestors(number: number): readonly number[] {
    const found = new Set<number>();
    const enter = (inner: number) => {
      for (const outer of [...this.containers(inner), this.region(inner), this.country(inner)]) {
        if (outer < 0 || outer === number || found.has(outer)) continue;
        found.add(outer);
        enter(outer);
      }
    };
    enter(number);
    return [...found].sort(
      (a, b) =>
        rank[this.kind(a)] - rank[this.kind(b)] || this.population(a) - this.population(b) || a - b,
    );
  }

  /** Whether the place is the outer place or inside it. */
  isWithin(number: number, outer: number): boolean {
    if (number === outer) return true;
    switch (this.kind(outer)) {
      case "country":
        return this.country(number) === outer;
      case "region":
        return this.region(number) === outer;
      case "macro": {
        const country = this.country(number);
        return this.containers(country < 0 ? number : country).includes(outer);
      }
      default:
        return this.isInside(number, outer);
    }
  }

  /** Whether a city or metro contains the place, directly or indirectly. */
  private isInside(number: number, outer: number): boolean {
    if (this.country(number) !== this.country(outer)) return false;
    const around = this.containers(number);
    return (
      around.includes(outer) ||
      around.some((each) => this.kind(each) === "city" && this.isInside(each, outer))
    );
  }

  /** Returns the postings of a folded name. A posting is a place number with `nameMarks`. */
  named(key: string): readonly number[] {
    const row = this.keys.find(key);
    if (row < 0) return [];
    const { postings, postingEnds } = this.sections;
    return Array.from(postings.subarray(postingEnds[row], postingEnds[row + 1]));
  }

  /** Yields the folded names that begin with the prefix, in order. A name comes once for each posting that is wanted. */
  *namesWhere(
    isWanted: (posting: number) => boolean,
    { prefix = "", bytesFrom = 0, bytesTo = Number.POSITIVE_INFINITY } = {},
  ): Iterable<readonly [key: string, posting: number]> {
    const { postings, postingEnds } = this.sections;
    const end = prefix === "" ? this.keys.length : this.keys.firstFrom(`${prefix}\u{10FFFF}`);
    for (let row = this.keys.firstFrom(prefix); row < end; row++) {
      const bytes = this.keys.bytesOf(row);
      if (bytes < bytesFrom || bytes > bytesTo) continue;
      let key: string | undefined;
      for (const posting of postings.subarray(postingEnds[row], postingEnds[row + 1])) {
        if (!isWanted(posting)) continue;
        key ??= this.keys.at(row);
        yield [key, posting];
      }
    }
  }

  place(number: number): Place {
    return this.places.getOrInsertComputed(number, (each) => this.build(each));
  }

  numberById(id: string): number | undefined {
    this.numbers ??= new Map(
      this.sections.kinds
        .keys()
        .map((number) => [this.ids[number] ?? this.sections.numbers[number] ?? 0, number]),
    );
    return this.numbers.get(/^\d+$/.test(id) ? Number(id) : id);
  }

  private idOf(number: number): string {
    return this.ids[number] ?? String(this.sections.numbers[number]);
  }

  private build(number: number): Place {
    const name = this.names.at(number);
    const region = this.region(number);
    const country = this.country(number);
    const regionName = region < 0 ? undefined : this.names.at(region);
    const countryName = country < 0 ? undefined : this.names.at(country);
    // Equal names are dropped: "Berlin, Germany", not "Berlin, Berlin, Germany".
    const parts = new Set([name, regionName, countryName].filter((part) => part !== undefined));
    return {
      id: this.idOf(number),
      kind: this.kind(number),
      name,
      fullName: [...parts].join(", "),
      country: country < 0 ? undefined : this.idOf(country),
      region: regionName,
      population: this.population(number),
    };
  }
}

let shipped: Gazetteer | undefined;

/** Returns the shipped gazetteer. The first call reads the file. */
export function openGazetteer(): Gazetteer {
  shipped ??= new Gazetteer(readSections(readFileSync(path).buffer));
  return shipped;
}

/** The place that contains everyone, even people without a known location: "Worldwide", "Earth". */
export const everywhere = "macro:world";
