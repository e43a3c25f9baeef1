/** A package in a manifest. This module also has the functions that the parsers of manifests share. */
export interface PackageName {
  readonly ecosystem: string;
  /** Whether the package is a development dependency, which is evidence only for a tool. */
  readonly isForDevelopment?: boolean;
  /** Possible names in the ecosystem, most specific first. */
  readonly spellings: readonly [string, ...string[]];
  /** The entry in a tool's file, such as name and version. A changed entry is also evidence. */
  readonly entry?: string;
}

/** Parses a file into the packages that it names. */
export type Parse = (text: string) => PackageName[];

/** @package @param spell lists all spellings of a name, most specific first; none if the name is no package. */
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

/** Creates a parser for files in which each match of a pattern names a package. @package */
export function parseCaptures(
  ecosystem: string,
  pattern: RegExp,
  rewrite: (name: string) => string = (name) => name,
): Parse {
  return (text) => toPackageNames(ecosystem, findCaptures(text, pattern).map(rewrite));
}

/** Creates a parser for files with records whose keys are packages. @package @param fields names separated by spaces. */
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

/** Normalises a name by PEP 503. @package */
export function normalisePypi(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

/** Lists prefixes of at least `least` parts, longest first. Only the vocabulary knows where a package's name ends. @package */
export function listPrefixes(text: string, separator: string, least: number): string[] {
  const parts = text.split(separator).slice(0, 6);
  const lengths = parts.map((_, at) => parts.length - at).filter((length) => length >= least);
  return lengths.map((length) => parts.slice(0, length).join(separator));
}

/** Lists what the patterns capture: of each match, the first group that is not empty. @package */
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
