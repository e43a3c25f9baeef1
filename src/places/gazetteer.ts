import { readFileSync } from "node:fs";
import path from "../../seed/gazetteer.bin" with { type: "file" };
import { placeKinds, placeMarks } from "./gazetteer-file.ts";
import type { Place } from "./places.ts";
import { type GazetteerSections, readSections } from "./sections.ts";
import { findFirstNot, TextTable } from "./table.ts";

/**
 * The shipped table of places: opened in some milliseconds into typed arrays; a place becomes an object
 * only when somebody asks for it. Inside this module places are numbers.
 */
export class Gazetteer {
  private readonly read: GazetteerSections;
  private readonly names: TextTable;
  private readonly keys: TextTable;
  private readonly postingEnds: Uint32Array;
  /** Ids of all that are no cities. */
  private readonly ids: readonly string[];
  private readonly made = new Map<number, Place>();
  private numbersById: Map<string, number> | undefined;
  private cityNumbers: Map<number, number> | undefined;

  constructor(read: GazetteerSections) {
    this.read = read;
    this.names = new TextTable(read.nameEnds, read.names);
    this.keys = new TextTable(read.keyEnds, read.keys);
    this.postingEnds = read.postingEnds;
    this.ids = new TextDecoder().decode(read.ids).split("\n");
  }

  /** How many places there are; the cities come last, each kind by falling population. */
  get size(): number {
    return this.read.kinds.length;
  }

  kind(number: number): Place["kind"] {
    return placeKinds[this.read.kinds[number] ?? 0] ?? "country";
  }

  population(number: number): number {
    return this.read.populations[number] ?? 0;
  }

  /** Number of its country (its own for a country); -1 for a macro region. */
  country(number: number): number {
    return this.read.kinds[number] === 0 ? number : (this.read.countries[number] ?? 0) - 1;
  }

  /** Number of its first-level region (its own for a region); -1 without one. */
  region(number: number): number {
    return this.read.kinds[number] === 1 ? number : (this.read.regions[number] ?? 0) - 1;
  }

  /** Whether it is a section of a city that is itself listed. */
  isDistrict(number: number): boolean {
    return ((this.read.marks[number] ?? 0) & placeMarks.district) !== 0;
  }

  /** Cities, metros and macro regions that it was entered in, without those that follow from its country. */
  containers(number: number): readonly number[] {
    const { insideOf, containers } = this.read;
    const found: number[] = [];
    let row = findFirstNot((each) => (insideOf[each] ?? 0) < number, insideOf.length);
    for (; insideOf[row] === number; row++) found.push(containers[row] ?? 0);
    return found;
  }

  /** Postings (number and nameMarks, see layout.ts) of a folded name; empty when nobody bears it. */
  named(key: string): readonly number[] {
    const row = this.keys.find(key);
    return row < 0 ? none : this.postingsAt(row);
  }

  /**
   * Folded names of the places that are wanted, in order, with their postings one by one. Only names that begin
   * so and have so many bytes are decoded: that makes the scan of a letter a matter of microseconds.
   */
  *namesWhere(
    isWanted: (posting: number) => boolean,
    { prefix, bytesFrom, bytesTo }: NameRange = everyName,
  ): Iterable<readonly [key: string, posting: number]> {
    const { postings } = this.read;
    const end = prefix === "" ? this.keys.length : this.keys.firstFrom(`${prefix}\u{10FFFF}`);
    for (let row = this.keys.firstFrom(prefix); row < end; row++) {
      const bytes = this.keys.bytesOf(row);
      if (bytes < bytesFrom || bytes > bytesTo) continue;
      let key: string | undefined;
      for (let at = this.postingEnds[row] ?? 0; at < (this.postingEnds[row + 1] ?? 0); at++) {
        const posting = postings[at] ?? 0;
        if (!isWanted(posting)) continue;
        key ??= this.keys.at(row);
        yield [key, posting];
      }
    }
  }

  place(number: number): Place {
    let known = this.made.get(number);
    if (!known) {
      known = this.build(number);
      this.made.set(number, known);
    }
    return known;
  }

  numberById(id: string): number | undefined {
    if (!/^\d+$/.test(id)) {
      this.numbersById ??= new Map(this.ids.map((each, number) => [each, number]));
      return this.numbersById.get(id);
    }
    if (!this.cityNumbers) {
      this.cityNumbers = new Map();
      const { numbers } = this.read;
      for (let n = this.ids.length; n < numbers.length; n++) {
        this.cityNumbers.set(numbers[n] ?? 0, n);
      }
    }
    return this.cityNumbers.get(Number(id));
  }

  private postingsAt(row: number): readonly number[] {
    return Array.from(
      this.read.postings.subarray(this.postingEnds[row], this.postingEnds[row + 1]),
    );
  }

  private build(number: number): Place {
    const name = this.names.at(number);
    const region = this.region(number);
    const country = this.country(number);
    const regionName = region < 0 ? undefined : this.names.at(region);
    const countryName = country < 0 ? undefined : this.names.at(country);
    // A Set keeps the order and drops what is called alike: "Berlin, Germany", not "Berlin, Berlin, Germany".
    const parts = new Set([name, regionName, countryName].filter((part) => part !== undefined));
    return {
      id: this.ids[number] ?? String(this.read.numbers[number]),
      kind: this.kind(number),
      name,
      fullName: [...parts].join(", "),
      country: country < 0 ? undefined : this.ids[country],
      region: regionName,
      population: this.population(number),
    };
  }
}

/** Names by how they begin and by their length in bytes. */
export interface NameRange {
  readonly prefix: string;
  readonly bytesFrom: number;
  readonly bytesTo: number;
}
const everyName: NameRange = { prefix: "", bytesFrom: 0, bytesTo: Number.POSITIVE_INFINITY };

const none: readonly number[] = [];

/** Reads the embedded file: some milliseconds, all of them copying. */
export function openGazetteer(): Gazetteer {
  return new Gazetteer(readSections(readFileSync(path)));
}
