/** Reads the three lists that the demo people are made of; their forms stand at their heads. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readListLines } from "../../../src/vocabulary/list-lines.ts";

export interface Country {
  readonly weight: number;
  /** The usual English name first. */
  readonly names: readonly string[];
  readonly nameLists: readonly string[];
  readonly cities: readonly City[];
}

export interface City {
  readonly weight: number;
  /** What stands there as it is; then nothing else does. */
  readonly text?: string;
  readonly names: readonly string[];
  readonly regions: readonly string[];
}

interface NameList {
  readonly given: readonly string[];
  readonly family: readonly string[];
}

export interface Archetype {
  readonly id: string;
  readonly role: string;
  readonly weight: number;
  readonly bios: readonly string[];
  readonly languages: readonly Trait[];
  readonly imports: readonly Trait[];
  readonly manifests: readonly Trait[];
  readonly paths: readonly Trait[];
  readonly topics: readonly Trait[];
}

export interface Trait {
  readonly name: string;
  /** How many of the kind have it. */
  readonly percent: number;
}

export function readCountries(): Country[] {
  return linesOf("places.txt").map((line) => {
    const [weight = "", names = "", nameLists = "", cities = ""] = line.split(" | ");
    return {
      weight: Number(weight),
      names: names.split(", "),
      nameLists: nameLists.split(" "),
      cities: cities.split("; ").map(readCity),
    };
  });
}

function readCity(text: string): City {
  const parts = /^(.+?)(?: \((.+)\))? (\d+)$/.exec(text);
  if (!parts) throw new Error(`places.txt: "${text}" is no city with a weight`);
  const [, name = "", region, weight] = parts;
  const city = { weight: Number(weight), regions: region?.split("~") ?? [] };
  if (name.startsWith("=")) return { ...city, text: name.slice(1), names: [] };
  return { ...city, names: name.split("~") };
}

export function readNames(): Map<string, NameList> {
  return new Map(
    linesOf("names.txt").map((line) => {
      const [id = "", given = "", family = ""] = line.split(" | ");
      return [id, { given: given.split(" "), family: family.split(" ") }];
    }),
  );
}

export function readArchetypes(): Archetype[] {
  const sections = linesOf("archetypes.txt").join("\n").split(/^\[/m).slice(1);
  return sections.map((section) => {
    const [head = "", ...lines] = section.split("\n");
    const [id = "", role = "", weight = ""] = head.replace("]", "").split(" | ");
    const fields = new Map(lines.map((line) => line.split(" = ") as [string, string]));
    const traits = (field: string) =>
      (fields.get(field) ?? "").split(", ").filter(Boolean).map(readTrait);
    return {
      id,
      role,
      weight: Number(weight),
      bios: (fields.get("bio") ?? "").split(" / "),
      languages: traits("language"),
      imports: traits("import"),
      manifests: traits("manifest"),
      paths: traits("path"),
      topics: traits("topic"),
    };
  });
}

function readTrait(text: string): Trait {
  const at = text.lastIndexOf(" ");
  return { name: text.slice(0, at), percent: Number(text.slice(at + 1)) };
}

function linesOf(name: string): readonly string[] {
  return readListLines(readFileSync(join(import.meta.dir, name), "utf8"));
}
