/** Finds the packages that code imports, by patterns for each file extension. */
import names from "../../../../seed/git/import-names.json" with { type: "json" };
import { groupByKeys } from "../../group-by-keys.ts";
import { isTestData } from "./file-table.ts";
import { collectOwnFiles, type OwnFiles } from "./own-files.ts";
import {
  findCaptures,
  listPrefixes,
  normalisePypi,
  type PackageName,
  spellNative,
  toPackageNames,
} from "./package-names.ts";
import type { TextFile } from "./text-files.ts";

interface Reader {
  /** File extensions in lower case, separated by spaces. */
  readonly extensions: string;
  readonly ecosystem: string;
  readonly pattern: RegExp;
  /** Derives packages from the imported text. By default, the text is the package. */
  readonly split?: (imported: string) => readonly string[];
  /** Lists possible names of a package, most specific first. By default, the package has only its own name. */
  readonly spell?: (name: string) => readonly string[];
  /** Whether the import names a module of the repository itself, and no package. */
  readonly isOwn?: (imported: string, file: TextFile, ownFiles: OwnFiles) => boolean;
}

/** Returns the readers for a path; undefined when the language is not covered. */
export function findImports(path: string): readonly Reader[] | undefined {
  if (isTestData(path)) return undefined;
  return readers.get(/\.([A-Za-z0-9+]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
}

export function listImports(path: string, text: string, ownFiles = noFiles): PackageName[] {
  return (findImports(path) ?? []).flatMap(({ ecosystem, pattern, split, spell, isOwn }) => {
    const captured = findCaptures(text, pattern);
    const imported = split ? captured.flatMap(split) : captured;
    const foreign = imported.filter((name) => !isOwn?.(name, { path, text }, ownFiles));
    return toPackageNames(ecosystem, foreign, false, spell);
  });
}

const noFiles = collectOwnFiles([], "");

/** Vendors on Packagist by namespace. A namespace that equals the vendor is left out. */
const phpVendors = new Map(Object.entries(names.phpVendors.names));

/** Distributions on PyPI by module. A module that has the name of its distribution is left out. */
const distributions = new Map(Object.entries(names.pythonDistributions.names));

const languages: readonly Reader[] = [
  {
    extensions: "js jsx mjs cjs ts tsx mts cts vue svelte astro",
    ecosystem: "npm",
    pattern: /(?:\bfrom\s*|\bimport\s*(?:\(\s*)?|\brequire\s*\(\s*)(?:"([^"\n]+)"|'([^'\n]+)')/g,
    spell(imported) {
      if (/^(\.|\/|node:|https?:|#|@\/|~)/.test(imported)) return [];
      const [scope = "", name = ""] = imported.replace(/^npm:/, "").split("/");
      return [scope.startsWith("@") ? `${scope}/${name}` : scope];
    },
  },
  {
    extensions: "py pyi ipynb",
    ecosystem: "pypi",
    // Lines of a notebook are JSON strings, so an import may follow a quote.
    pattern:
      /^[ \t]*"?(?:from[ \t]+([A-Za-z_][\w.]*)[ \t]+import|import[ \t]+([A-Za-z_][\w., \t]*))/gm,
    split: (imported) => imported.split(",").map((part) => part.trim().replace(/\s.*/s, "")),
    isOwn: (imported, { path }, ownFiles) =>
      ownFiles.hasModule(path, imported.replace(/\..*/s, "")),
    spell(path) {
      const [module = ""] = path.split(".");
      // Google's packages share the module `google`, so the whole path is used.
      const name = module === "google" ? path : (distributions.get(module) ?? module);
      return [normalisePypi(name)];
    },
  },
  {
    extensions: "jl ipynb",
    ecosystem: "julia",
    pattern: /^[ \t]*"?(?:using|import)[ \t]+([A-Z][\w., \t]*)/gm,
    split: (imported) => imported.split(","),
    spell: (part) => part.trim().split(/[.\s]/, 1),
  },
  {
    extensions: "r rmd qmd ipynb",
    ecosystem: "cran",
    pattern: /^[ \t]*"?(?:library|require|requireNamespace)\s*\(\s*["']?([A-Za-z][\w.]*)/gm,
  },
  {
    extensions: "go",
    ecosystem: "go",
    pattern: /^[ \t]*(?:import\s+)?(?:[\w.]+\s+)?"([a-z0-9-]+(?:\.[a-z0-9-]+)+\/[^"\s]+)"/gm,
    spell: (imported) => listPrefixes(imported, "/", 2),
  },
  {
    extensions: "rs",
    ecosystem: "cargo",
    pattern:
      /^[ \t]*(?:pub(?:\([^)\n]*\))?\s+)?(?:use\s+(?:::)?|extern\s+crate\s+)([a-z_][a-z0-9_]*)/gm,
    isOwn: (imported, { text }) => new RegExp(`\\bmod ${imported}\\s*[;{]`).test(text),
    spell: (imported) => [imported.replaceAll("_", "-")],
  },
  {
    extensions: "java kt kts groovy scala xtend",
    ecosystem: "maven",
    pattern: /^[ \t]*import\s+(?:static\s+)?([a-z][\w]*(?:\.[a-z_][\w]*)+)/gm,
    spell: (imported) => listPrefixes(imported, ".", 2),
  },
  {
    extensions: "rb rake",
    ecosystem: "rubygems",
    pattern: /^[ \t]*require\s*(?:\(\s*)?["']([a-z][\w./-]*)["']/gm,
    spell: (imported) => [...new Set([imported.replaceAll("/", "-"), ...imported.split("/", 1)])],
  },
  {
    extensions: "php",
    ecosystem: "composer",
    pattern: /^[ \t]*use\s+\\?([A-Z]\w*(?:\\\w+)+)/gm,
    spell(imported) {
      const kebab = imported.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
      const [vendor = "", name = ""] = kebab.split("\\");
      const root = phpVendors.get(vendor) ?? vendor;
      // Many packages have the name of their vendor: `Monolog\Logger` is in `monolog/monolog`.
      return [`${root}/${name}`, `${root}/${root}`];
    },
  },
  {
    extensions: "cs",
    ecosystem: "nuget",
    pattern: /^[ \t]*(?:global\s+)?using\s+(?:static\s+)?([A-Z]\w*(?:\.\w+)*)\s*;/gm,
    spell: (imported) => listPrefixes(imported, ".", 1),
  },
  {
    extensions: "ex exs",
    ecosystem: "hex",
    pattern: /^[ \t]*(?:use|import|alias|require)\s+([A-Z]\w*)/gm,
    spell: (imported) => [imported.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase()],
  },
  {
    extensions: "erl hrl",
    ecosystem: "hex",
    pattern: /^[ \t]*-include_lib[ \t]*\([ \t]*"(\w+)\//gm,
  },
  {
    extensions: "dart",
    ecosystem: "pub",
    pattern: /^[ \t]*(?:import|export)\s+["']package:(\w+)\//gm,
  },
  {
    extensions: "swift",
    ecosystem: "swift",
    pattern: /^[ \t]*(?:@\w+\s+)?import\s+(?:class\s+|struct\s+|func\s+)?(\w+)/gm,
  },
  {
    // Finds headers, and directives for OpenMP or for a chip. The project's own headers have quotation marks.
    extensions: "c cc cpp cxx c++ h m mm hh hpp hxx h++ inl ipp tpp cu cuh ino pde s",
    ecosystem: "c",
    pattern:
      /^[ \t]*#[ \t]*(?:(?:include|import)[ \t]*(?:<([^<>"\n]{1,200})>|("[^<>"\n]{1,200})")|pragma[ \t]+(omp|acc)\b|(?:el)?if(?:def)?\b[^\n]{0,200}?\b((?:STM32|ESP32|ESP8266|ESP_PLATFORM|ARDUINO_|NRF5|__AVR_A|__MSP430)\w{0,50}))/gm,
    isOwn: (imported, _, ownFiles) =>
      imported.startsWith('"') && ownFiles.hasHeader(imported.slice(1)),
    spell: (imported) => spellNative(imported.replace('"', "")),
  },
  {
    // Finds Apple's frameworks. They have the same names in Swift.
    extensions: "h m mm",
    ecosystem: "swift",
    pattern: /^[ \t]*(?:#[ \t]*import[ \t]*<(\w+)\/|@import[ \t]+(\w+))/gm,
  },
  {
    extensions: "f for f77 f90 f95 f03 f08 f18 fpp fypp",
    ecosystem: "c",
    pattern:
      /^[ \t]*(?:use(?:[ \t]+|[ \t]*(?:,[ \t]*\w+[ \t]*)?::[ \t]*)([a-z]\w*)|(?:#[ \t]*)?include[ \t]*["'<]([^"'<>\n]{1,200})|[!c*]\$(omp|acc)\b)/gim,
    spell: spellNative,
  },
  {
    // Vala names what it uses with the namespace, such as `Gtk.Window`.
    extensions: "vala",
    ecosystem: "c",
    pattern: /^[ \t]*using[ \t]+([A-Z]\w*)|(?<![\w.])([A-Z]\w*)\.[A-Z]/gm,
    spell: spellNative,
  },
  {
    extensions: "hs lhs hsc",
    ecosystem: "hackage",
    pattern:
      /^(?:>[ \t]*)?import[ \t]+(?:safe[ \t]+)?(?:qualified[ \t]+)?(?:"[\w-]+"[ \t]+)?([A-Z][\w.]*)/gm,
    spell: (imported) => listPrefixes(imported, ".", 1),
  },
  {
    extensions: "ml mli",
    ecosystem: "opam",
    pattern: /^[ \t]*(?:open!?|include|module[ \t]+\w+[ \t]*=)[ \t]+([A-Z]\w*)/gm,
    spell: (imported) => [imported.toLowerCase()],
  },
  {
    extensions: "lua",
    ecosystem: "luarocks",
    pattern: /\brequire[ \t]{0,20}\(?[ \t]{0,20}(?:"([\w./-]{1,200})"|'([\w./-]{1,200})')/g,
    spell: (imported) => listPrefixes(imported.replaceAll("/", "."), ".", 1),
  },
  {
    extensions: "pl pm t psgi",
    ecosystem: "cpan",
    pattern:
      /^[ \t]{0,60}(?:use|require)[ \t]{1,20}(?:(?:base|parent)[ \t]{1,20}(?:qw[ \t]{0,20}\W[ \t]{0,20}|["']))?([A-Z]\w{0,60}(?:::\w{1,60}){0,10})/gm,
    spell: (imported) => listPrefixes(imported, "::", 1),
  },
  {
    // Finds the services that a NixOS module configures.
    extensions: "nix",
    ecosystem: "nix",
    pattern: /\bservices\.([a-z][\w-]*)/g,
    spell: (imported) => [`services.${imported}`],
  },
];

/** The readers by extension. This is a map, because an extension may be called `constructor`. */
const readers = groupByKeys(languages, ({ extensions }) => extensions.split(" "));
