/** The functions that the parsers of manifests share. */
export interface PackageName {
  readonly ecosystem: string;
  /** A development dependency, which is evidence only if it is a tool. */
  readonly isForDevelopment?: boolean;
  /** Possible names in the ecosystem, most exact first. */
  readonly spellings: readonly [string, ...string[]];
  /** The entry in a tool's file, such as name and version; a changed entry is evidence as well. */
  readonly entry?: string;
}

export type Parse = (text: string) => PackageName[];

/** The files of one kind that name packages. */
export interface ManifestTable {
  readonly byName: Readonly<Record<string, Parse>>;
  /** By patterns of the file's name, where its name is not the whole of it. */
  readonly byPattern: readonly (readonly [RegExp, Parse])[];
}

/** @package Normalises a name by PEP 503. */
export function normalisePypi(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

/** @package */
export function toPackageNames(ecosystem: string, names: readonly string[]): PackageName[] {
  return names.filter(Boolean).map((name) => ({ ecosystem, spellings: [name] }));
}

/** @package */
export function markForDevelopment(packages: readonly PackageName[]): PackageName[] {
  return packages.map((each) => ({ ...each, isForDevelopment: true }));
}

/** @package */
export function findCaptures(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap((match) => match.slice(1).find(Boolean) ?? []);
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
