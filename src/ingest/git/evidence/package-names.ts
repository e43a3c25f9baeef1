/** Names of packages, and the functions that the parsers of manifests share. */
export interface PackageName {
  readonly ecosystem: string;
  /** A development dependency, which is evidence only if it is a tool. */
  readonly isForDevelopment?: boolean;
  /** Possible names in the ecosystem, most exact first. */
  readonly spellings: readonly [string, ...string[]];
  /** The entry in a tool's file, such as name and version; a changed entry is evidence as well. */
  readonly entry?: string;
}

/** Lists the packages that a file names. */
export type Parse = (text: string) => PackageName[];

/** @package @param spell all spellings of a name, most exact first; none for what is no package. */
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

/** Parses a file in which each match of a pattern names a package. @package */
export function parseCaptures(
  ecosystem: string,
  pattern: RegExp,
  rewrite: (name: string) => string = (name) => name,
): Parse {
  return (text) => toPackageNames(ecosystem, findCaptures(text, pattern).map(rewrite));
}

/** Parses a file whose fields are records with packages as keys. @package @param fields between spaces. */
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

/** @package @returns the keys of records in these fields of a record. */
export function listFieldKeys(value: unknown, fields: string): string[] {
  return fields.split(" ").flatMap((field) => Object.keys(toRecord(toRecord(value)[field])));
}

/** Normalises a name by PEP 503. @package */
export function normalisePypi(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

/** Every prefix of at least `least` parts, longest first: only the vocabulary knows where the package name ends. @package */
export function listPrefixes(text: string, separator: string, least: number): string[] {
  const parts = text.split(separator).slice(0, 6);
  const lengths = parts.map((_, at) => parts.length - at).filter((length) => length >= least);
  return lengths.map((length) => parts.slice(0, length).join(separator));
}

/** @package */
export function findCaptures(text: string, ...patterns: readonly RegExp[]): string[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => match.slice(1).find(Boolean) ?? []),
  );
}

/** @package */
export function parseToml(text: string): unknown {
  try {
    return Bun.TOML.parse(text);
  } catch {
    return undefined;
  }
}

/** @package */
export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** @package */
export function isText(value: unknown): value is string {
  return typeof value === "string";
}
