import {
  formatVersion,
  type Header,
  placeKinds,
  type SectionName,
  sectionNames,
} from "../../../src/places/gazetteer-file.ts";
import type { Draft } from "./draft.ts";

/** Makes the gazetteer's file, with the places in the given order (see src/places/gazetteer-file.ts). */
export function pack(places: readonly Draft[]): Uint8Array {
  const numbers = new Map(places.map((place, number) => [place, number]));
  const number = (place: Draft | undefined) => (place ? (numbers.get(place) ?? -1) + 1 : 0);
  const names = textSection(places.map((place) => place.name));
  const keys = keySections(places);
  const inside = insideSections(places, numbers);
  const sections: Record<SectionName, Uint8Array> = {
    kinds: Uint8Array.from(places, (place) => placeKinds.indexOf(place.kind)),
    marks: Uint8Array.from(places, (place) => place.marks),
    countries: Uint8Array.from(places, (place) => number(place.country)),
    regions: bytes(Uint16Array.from(places, (place) => number(place.region))),
    populations: bytes(Uint32Array.from(places, (place) => place.population)),
    numbers: bytes(Uint32Array.from(places, (place) => place.geoNamesNumber)),
    ids: text(
      places
        .filter((place) => place.kind !== "city")
        .map((place) => place.id)
        .join("\n"),
    ),
    nameEnds: names.ends,
    names: names.text,
    ...keys,
    ...inside,
  };
  return join(sections);
}

const text = (content: string) => new TextEncoder().encode(content);
const bytes = (array: Uint16Array | Uint32Array) => new Uint8Array(array.buffer);

function textSection(entries: readonly string[]): { ends: Uint8Array; text: Uint8Array } {
  return {
    ends: endsOf(entries.map((entry) => Buffer.byteLength(entry))),
    text: text(entries.join("")),
  };
}

/** @returns where each entry ends, with one element more than there are entries. */
function endsOf(lengths: readonly number[]): Uint8Array {
  const ends = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, row) => {
    ends[row + 1] = (ends[row] ?? 0) + length;
  });
  return bytes(ends);
}

function keySections(places: readonly Draft[]) {
  const postings = new Map<string, number[]>();
  places.forEach((place, number) => {
    for (const [key, marks] of place.names) {
      const list = postings.get(key) ?? [];
      list.push(((marks << 24) | number) >>> 0);
      postings.set(key, list);
    }
  });
  const sorted = [...postings.keys()]
    .map((key) => ({ key, bytes: Buffer.from(key) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  const keys = textSection(sorted.map(({ key }) => key));
  const counts = sorted.map(({ key }) => postings.get(key)?.length ?? 0);
  const flat = Uint32Array.from(sorted.flatMap(({ key }) => postings.get(key) ?? []));
  return {
    keyEnds: keys.ends,
    keys: keys.text,
    postingEnds: endsOf(counts),
    postings: bytes(flat),
  };
}

function insideSections(places: readonly Draft[], numbers: ReadonlyMap<Draft, number>) {
  const pairs = places.flatMap((place, number) =>
    place.containers.map((container) => [number, numbers.get(container) ?? 0] as const),
  );
  return {
    insideOf: bytes(Uint32Array.from(pairs, ([place]) => place)),
    containers: bytes(Uint32Array.from(pairs, ([, container]) => container)),
  };
}

function join(sections: Record<SectionName, Uint8Array>): Uint8Array {
  let offset = 0;
  const places: Partial<Record<SectionName, [number, number]>> = {};
  for (const name of sectionNames) {
    places[name] = [offset, sections[name].length];
    offset += Math.ceil(sections[name].length / 8) * 8;
  }
  const header: Header = { version: formatVersion, sections: places as Header["sections"] };
  const head = text(JSON.stringify(header).padEnd(headerBytes - 8));
  const file = new Uint8Array(headerBytes + offset);
  new DataView(file.buffer).setUint32(0, head.length, true);
  file.set(head, 8);
  for (const name of sectionNames) file.set(sections[name], headerBytes + (places[name]?.[0] ?? 0));
  return file;
}

/** A fixed size, so that the sections start at a multiple of eight. */
const headerBytes = 2048;
