import { foldPlaceName } from "../../../src/places/fold.ts";
import { nameMarks, type placeKinds } from "../../../src/places/gazetteer-file.ts";

/** A place while the gazetteer is being made. */
export interface Draft {
  readonly id: string;
  readonly kind: (typeof placeKinds)[number];
  /** In English, where English speakers use an English name. */
  name: string;
  readonly country?: Draft | undefined;
  readonly region?: Draft | undefined;
  population: number;
  marks: number;
  readonly geoNamesNumber: number;
  /** Folded names with nameMarks. */
  readonly names: Map<string, number>;
  /** Places that contain it, apart from region and country. */
  readonly containers: Draft[];
}

export function draft(place: Pick<Draft, "id" | "kind" | "name"> & Partial<Draft>): Draft {
  return { population: 0, marks: 0, geoNamesNumber: 0, names: new Map(), containers: [], ...place };
}

/** Adds a name; of the same name with several marks, the strongest mark stays. */
export function addName(place: Draft, name: string, marks: number): void {
  const key = foldPlaceName(name);
  if (key === "" || key.length > 60) return;
  const known = place.names.get(key);
  if (known === undefined || strength(marks) > strength(known)) place.names.set(key, marks);
}

function strength(marks: number): number {
  if (marks & nameMarks.alias && marks & nameMarks.capitals) return 2.5;
  const weak = nameMarks.code | nameMarks.lossy | nameMarks.part | nameMarks.capitals;
  if (marks & nameMarks.lossy) return 1.5;
  if (marks & weak) return 1;
  return marks & nameMarks.own ? 4 : marks & nameMarks.alias ? 3 : 2;
}

/** @returns the name without its letters outside ASCII; undefined when it has none, or when too little is left. */
export function lossy(name: string): string | undefined {
  const composed = name.normalize("NFC");
  if (
    /^[\x20-\x7e’]*$/.test(composed) ||
    !/^[\p{Script=Latin}\p{Script=Common}\p{Mn}]*$/u.test(composed)
  )
    return undefined;
  const left = composed.replace(/[^\x20-\x7e]/g, "");
  return left.replace(/[^A-Za-z]/g, "").length >= 3 ? left : undefined;
}

const expansions: Record<string, string> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  å: "aa",
  ø: "oe",
  Ä: "Ae",
  Ö: "Oe",
  Ü: "Ue",
  Å: "Aa",
  Ø: "Oe",
};

/** `Düsseldorf` as `Duesseldorf`, as people of the German and Nordic languages write it. */
export function expanded(name: string): string | undefined {
  const result = name
    .normalize("NFC")
    .replace(/[äöüåøÄÖÜÅØ]/g, (letter) => expansions[letter] ?? letter);
  return result === name.normalize("NFC") ? undefined : result;
}
