import { type PackageName, toPackageNames } from "./package-names.ts";

/** The ecosystem of native libraries, which headers, pkg-config, CMake and Fortran's modules name each in its way. */
export const nativeEcosystem = "c";

/** @returns the spellings of a native library, most exact first: `SDL2/SDL_image.h`, `Qt6::Widgets`, `gtk+-3.0`. */
export function spellNative(name: string): readonly string[] {
  // A header of Qt has the name of its class; a path that begins with a dot is of the project itself.
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
  return toPackageNames(nativeEcosystem, names, false, spellNative);
}
