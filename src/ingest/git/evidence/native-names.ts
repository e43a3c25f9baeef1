import { type PackageName, toPackageNames } from "./package-names.ts";

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
