import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";

/** A package that a manifest names. */
export interface PackageName {
  readonly ecosystem: string;
  readonly isForDevelopment?: boolean;
  /** Possible names of the package, most specific first. */
  readonly spellings: readonly [string, ...string[]];
  /** The package's entry in the file of a tool, such as `actions/checkout@v4`. */
  readonly entry?: string;
}

export type Parse = (text: string) => PackageName[];

/** @package @param spell lists the spellings of a name, most specific first; empty when the name is not a package. */
export function toPackageNames(
  ecosystem: string,
  names: readonly string[],
  isForDevelopment = false,
  spell: (name: string) => readonly string[] = (name) => [name],
): PackageName[] {
  return names.flatMap((name) => {
    const [first, ...others] = spell(name);
    return first ? [{ ecosystem, isForDevelopment, spellings: [first, ...others] as const }] : [];
  });
}

/** @package Creates a parser that finds a package in each match of a pattern. */
export function parseCaptures(
  ecosystem: string,
  pattern: RegExp,
  rewrite: (name: string) => string = (name) => name,
): Parse {
  return (text) => toPackageNames(ecosystem, findCaptures(text, pattern).map(rewrite));
}

/** @package Creates a parser that finds packages in the keys of records. @param fields names of records, with spaces between. */
export function parseFields(
  ecosystem: string,
  parse: (text: string) => unknown,
  fields: { readonly needed: string; readonly forDevelopment: string },
  rewrite: (name: string) => string = (name) => name,
): Parse {
  return (text) => {
    const file = parse(text);
    const namesIn = (list: string) => listFieldKeys(file, list).map(rewrite);
    return [
      ...toPackageNames(ecosystem, namesIn(fields.needed)),
      ...toPackageNames(ecosystem, namesIn(fields.forDevelopment), true),
    ];
  };
}

/** @package Lists the keys of the records in these fields. */
export function listFieldKeys(value: unknown, fields: string): string[] {
  return fields.split(" ").flatMap((field) => Object.keys(toRecord(toRecord(value)[field])));
}

/** @package Normalises the name of a Python package: `Foo_Bar` becomes `foo-bar`. */
export function normalisePypi(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

/** @package Lists the prefixes of a text, longest first: `a.b.c`, `a.b`. The shortest has `least` parts. */
export function listPrefixes(text: string, separator: string, least: number): string[] {
  const parts = text.split(separator).slice(0, 6);
  const lengths = parts.map((_, at) => parts.length - at).filter((length) => length >= least);
  return lengths.map((length) => parts.slice(0, length).join(separator));
}

/** @package Lists the captured texts. Each match gives its first group that is not empty. */
export function findCaptures(text: string, ...patterns: readonly RegExp[]): string[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => match.slice(1).find(Boolean) ?? []),
  );
}

/** Returns undefined for invalid TOML. @package */
export function parseToml(text: string): unknown {
  try {
    return Bun.TOML.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns an empty record for anything but an object. @package */
export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** @package */
export function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** @returns spellings of a native library, most specific first: `gtk+-3.0`, then `gtk+`. */
export function spellNative(name: string): readonly string[] {
  // A header of Qt has the name of its class. A path that begins with a dot belongs to the project itself.
  if (/^Qt?[A-Z]\w*(\/\w+)?$/.test(name)) return ["qt"];
  if (name.startsWith(".")) return [];
  const plain = name
    .toLowerCase()
    .replaceAll("::", "/")
    .replace(/\.(h|hh|hpp|hxx|h\+\+|inc)$/, "");
  const parts = plain.split("/").slice(0, partsMax);
  const spellings = parts.map((_, at) => parts.slice(0, parts.length - at).join("/"));
  const unversioned = plain.replace(/-\d+(\.\d+)*$/, "");
  if (parts.length === 1 && unversioned !== plain) spellings.push(unversioned);
  return spellings.filter(Boolean);
}

const partsMax = 4;

/** @package */
export function toNativeNames(names: readonly string[]): PackageName[] {
  return toPackageNames("c", names, false, spellNative);
}

export type PackageVocabulary = Pick<Vocabulary, "packageSkill">;

/** Finds the shortest name of a package that still means the same skill. @returns `ecosystem:package`. */
export function findKnownPackage(
  { ecosystem, spellings }: PackageName,
  vocabulary: PackageVocabulary,
): string | undefined {
  let name: string | undefined;
  let skill: string | undefined;
  for (const spelling of spellings) {
    const found = vocabulary.packageSkill(ecosystem, spelling)?.id;
    if (found === undefined || (skill !== undefined && found !== skill)) continue;
    // The shorter name `vendor/vendor` may not exist, so the longer name is kept.
    if (ecosystem === "composer" && name !== undefined) break;
    skill = found;
    name = `${ecosystem}:${spelling}`;
  }
  return name !== undefined && name.length <= nameMax ? name : undefined;
}

/** The contract's limit on a name, in characters. */
const nameMax = 214;
