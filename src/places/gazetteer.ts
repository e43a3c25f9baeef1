import { readFileSync } from "node:fs";
import path from "../../seed/gazetteer.bin" with { type: "file" };
import { findFirstNot } from "../contract/terms.ts";
import {
  type GazetteerSections,
  type PieceReader,
  placeKinds,
  placeMarks,
  readSections,
  TextTable,
} from "./gazetteer-file.ts";

export interface Place {
  /** Stable: `DE`, region ids like `DE-BY`, a GeoNames number for cities, `metro:...`, `macro:...`. */
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

/**
 * The shipped table of places, opened in a few milliseconds as typed arrays. A place becomes an object
 * only on request: inside this module places are numbers.
 */
export class Gazetteer {
  private readonly sections: GazetteerSections;
  private readonly names: TextTable;
  private readonly keys: TextTable;
  private idTexts: readonly string[] | undefined;
  private readonly places = new Map<number, Place>();
  private numbersById: Map<string, number> | undefined;
  private cityNumbers: Map<number, number> | undefined;

  constructor(sections: GazetteerSections) {
    this.sections = sections;
    this.names = new TextTable(sections.nameEnds, sections.names);
    this.keys = new TextTable(sections.keyEnds, sections.keys);
  }

  /** Of all places that are not cities. */
  private get ids(): readonly string[] {
    this.idTexts ??= new TextDecoder().decode(this.sections.ids.whole()).split("\n");
    return this.idTexts;
  }

  /** Number of places; the cities come last, each kind by falling population. */
  get size(): number {
    return this.sections.kinds.length;
  }

  kind(number: number): Place["kind"] {
    return placeKinds[this.sections.kinds.at(number)] ?? "country";
  }

  population(number: number): number {
    return this.sections.populations.at(number);
  }

  /** The country of a place (itself for a country); -1 for a macro region. */
  country(number: number): number {
    return this.sections.kinds.at(number) === 0 ? number : this.sections.countries.at(number) - 1;
  }

  /** The first-level region of a place (itself for a region); -1 without one. */
  region(number: number): number {
    return this.sections.kinds.at(number) === 1 ? number : this.sections.regions.at(number) - 1;
  }

  /** Whether the place is a section of a city that is itself listed. */
  isDistrict(number: number): boolean {
    return (this.sections.marks.at(number) & placeMarks.district) !== 0;
  }

  /** Cities, metros and macro regions that directly list the place, without those that contain its country. */
  containers(number: number): readonly number[] {
    const { insideOf, containers } = this.sections;
    const found: number[] = [];
    let row = findFirstNot((each) => insideOf.at(each) < number, insideOf.length);
    for (; row < insideOf.length && insideOf.at(row) === number; row++) {
      found.push(containers.at(row));
    }
    return found;
  }

  /** Postings (number and nameMarks, see gazetteer-file.ts) of a folded name; empty when no place has it. */
  named(key: string): readonly number[] {
    const row = this.keys.find(key);
    return row < 0 ? none : this.postingsAt(row);
  }

  /**
   * Folded names of the wanted places, in order, with their postings one by one. Only names with the prefix and
   * within the length are decoded, so that scanning all names of one letter takes microseconds.
   */
  *namesWhere(
    isWanted: (posting: number) => boolean,
    { prefix, bytesFrom, bytesTo }: NameRange = everyName,
  ): Iterable<readonly [key: string, posting: number]> {
    const postings = this.sections.postings.whole();
    const ends = this.sections.postingEnds.whole();
    const end = prefix === "" ? this.keys.length : this.keys.firstFrom(`${prefix}\u{10FFFF}`);
    for (let row = this.keys.firstFrom(prefix); row < end; row++) {
      const bytes = this.keys.bytesOf(row);
      if (bytes < bytesFrom || bytes > bytesTo) continue;
      let key: string | undefined;
      for (let at = ends[row] ?? 0; at < (ends[row + 1] ?? 0); at++) {
        const posting = postings[at] ?? 0;
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
    if (!/^\d+$/.test(id)) {
      this.numbersById ??= new Map(this.ids.map((each, number) => [each, number]));
      return this.numbersById.get(id);
    }
    if (!this.cityNumbers) {
      this.cityNumbers = new Map();
      const numbers = this.sections.numbers.whole();
      for (let n = this.ids.length; n < numbers.length; n++) {
        this.cityNumbers.set(numbers[n] ?? 0, n);
      }
    }
    return this.cityNumbers.get(Number(id));
  }

  private idOf(number: number): string {
    const { ids, numbers } = this.sections;
    const kind = this.kind(number);
    if (kind === "city") return String(numbers.at(number));
    // They come first, with two letters and a newline each: no reason to make strings of thousands of regions.
    if (kind === "country") return new TextDecoder().decode(ids.slice(3 * number, 3 * number + 2));
    return this.ids[number] ?? "";
  }

  private postingsAt(row: number): readonly number[] {
    const { postings, postingEnds } = this.sections;
    return Array.from(postings.slice(postingEnds.at(row), postingEnds.at(row + 1)));
  }

  private build(number: number): Place {
    const name = this.names.at(number);
    const region = this.region(number);
    const country = this.country(number);
    const regionName = region < 0 ? undefined : this.names.at(region);
    const countryName = country < 0 ? undefined : this.names.at(country);
    // A Set keeps the order and drops equal names: "Berlin, Germany", not "Berlin, Berlin, Germany".
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

/** Selects names by prefix and by length in bytes. */
interface NameRange {
  readonly prefix: string;
  readonly bytesFrom: number;
  readonly bytesTo: number;
}
const everyName: NameRange = { prefix: "", bytesFrom: 0, bytesTo: Number.POSITIVE_INFINITY };

const none: readonly number[] = [];

export function openGazetteer(): Gazetteer {
  return new Gazetteer(readSections(createReader()));
}

/** The executable has the file in its memory, and gives pieces of it at once; from the sources it is read whole. */
function createReader(): PieceReader {
  const file = Bun.file(path);
  let whole: ArrayBuffer | undefined;
  return (from, to) => {
    if (!whole) {
      const piece = Bun.peek(file.slice(from, to).arrayBuffer());
      if (piece instanceof ArrayBuffer) return piece;
      whole = new Uint8Array(readFileSync(path)).buffer;
    }
    return whole.slice(from, to);
  };
}

/**
 * The place that contains everyone, whether or not their location is known: "Worldwide", "Earth". So
 * developers known only from git history, which has no locations, can be found too.
 */
export const everywhere = "macro:world";

/**
 * Which place is in which, by number.
 *
 * @package
 */
export interface Containment {
  /** Everything that contains the place, nearest first; not itself. */
  ancestors(number: number): readonly number[];
  /** Whether the place is the outer place or is in it. */
  isWithin(number: number, outer: number): boolean;
}

/** @package */
export function createContainment(gazetteer: Gazetteer): Containment {
  const rank = { city: 0, metro: 1, region: 2, country: 3, macro: 4 } as const;

  function ancestors(number: number): readonly number[] {
    const found = new Set<number>();
    const enter = (inner: number) => {
      const region = gazetteer.region(inner);
      const country = gazetteer.country(inner);
      for (const outer of [...gazetteer.containers(inner), region, country]) {
        if (outer < 0 || outer === number || found.has(outer)) continue;
        found.add(outer);
        enter(outer);
      }
    };
    enter(number);
    return [...found].sort(
      (a, b) =>
        rank[gazetteer.kind(a)] - rank[gazetteer.kind(b)] ||
        gazetteer.population(a) - gazetteer.population(b) ||
        a - b,
    );
  }

  function isWithin(number: number, outer: number): boolean {
    if (number === outer) return true;
    switch (gazetteer.kind(outer)) {
      case "country":
        return gazetteer.country(number) === outer;
      case "region":
        return gazetteer.region(number) === outer;
      case "macro": {
        const country = gazetteer.country(number);
        return gazetteer.containers(country < 0 ? number : country).includes(outer);
      }
      default:
        return isInside(number, outer);
    }
  }

  /** Whether a city or metro contains the place, directly or through the city that it is a part of. */
  function isInside(number: number, outer: number): boolean {
    if (gazetteer.country(number) !== gazetteer.country(outer)) return false;
    const around = gazetteer.containers(number);
    return (
      around.includes(outer) ||
      around.some((each) => gazetteer.kind(each) === "city" && isInside(each, outer))
    );
  }

  return { ancestors, isWithin };
}
