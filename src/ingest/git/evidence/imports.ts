/**
 * Finds the packages that code imports, by file extension. It uses patterns instead of parsers: imports inside
 * comments count too, which is harmless since the vocabulary knows few packages.
 */
import { builtinModules } from "node:module";
import names from "../../../../seed/git/import-names.json" with { type: "json" };
import type { PackageName } from "./manifest-text.ts";
import { nativeEcosystem, spellNative } from "./native-names.ts";

interface Reader {
  readonly ecosystem: string;
  readonly pattern: RegExp;
  /** The packages that an imported text means, each with its possible names, most exact first. */
  readonly packages: (imported: string) => readonly (readonly string[])[];
}

/** The readers of a file with this path; undefined when its language is not covered. */
export function findImports(path: string): readonly Reader[] | undefined {
  return readers.get(/\.([A-Za-z0-9+]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
}

export function listImports(path: string, text: string): PackageName[] {
  const found: PackageName[] = [];
  for (const { ecosystem, pattern, packages } of findImports(path) ?? []) {
    for (const match of text.matchAll(pattern)) {
      const imported = match.slice(1).find(Boolean);
      if (!imported) continue;
      for (const [first, ...others] of packages(imported)) {
        if (first) found.push({ ecosystem, spellings: [first, ...others] });
      }
    }
  }
  return found;
}

const builtin = new Set(builtinModules);

const script: Reader = {
  ecosystem: "npm",
  pattern: /(?:\bfrom\s*|\bimport\s*(?:\(\s*)?|\brequire\s*\(\s*)(?:"([^"\n]+)"|'([^'\n]+)')/g,
  packages: (imported) => {
    if (/^(\.|\/|node:|https?:|#|@\/|~)/.test(imported)) return [];
    const [scope = "", name = ""] = imported.replace(/^npm:/, "").split("/");
    const whole = scope.startsWith("@") ? `${scope}/${name}` : scope;
    return builtin.has(whole) ? [] : [[whole]];
  },
};

const python: Reader = {
  ecosystem: "pypi",
  // Lines of a notebook are JSON strings, so a quote may precede them.
  pattern:
    /^[ \t]*"?(?:from[ \t]+([A-Za-z_][\w.]*)[ \t]+import|import[ \t]+([A-Za-z_][\w., \t]*))/gm,
  packages: (imported) =>
    imported.split(",").flatMap((part) => {
      const [path = ""] = part.trim().split(/\s/);
      const [module = ""] = path.split(".");
      if (!module) return [];
      // Google's packages share one module, so only the whole path tells them apart.
      const name = module === "google" ? path : (distributions.get(module) ?? module);
      return [[name.toLowerCase().replace(/[-_.]+/g, "-")]];
    }),
};

const go: Reader = {
  ecosystem: "go",
  pattern: /^[ \t]*(?:import\s+)?(?:[\w.]+\s+)?"([a-z0-9-]+(?:\.[a-z0-9-]+)+\/[^"\s]+)"/gm,
  packages: (imported) => [prefixes(imported, "/", 2)],
};

const rust: Reader = {
  ecosystem: "cargo",
  pattern:
    /^[ \t]*(?:pub(?:\([^)\n]*\))?\s+)?(?:use\s+(?:::)?|extern\s+crate\s+)([a-z_][a-z0-9_]*)/gm,
  packages: (imported) =>
    /^(std|core|alloc|crate|self|super)$/.test(imported) ? [] : [[imported.replaceAll("_", "-")]],
};

const jvm: Reader = {
  ecosystem: "maven",
  pattern: /^[ \t]*import\s+(?:static\s+)?([a-z][\w]*(?:\.[a-z_][\w]*)+)/gm,
  packages: (imported) => (/^(java|kotlin)\./.test(imported) ? [] : [prefixes(imported, ".", 2)]),
};

const ruby: Reader = {
  ecosystem: "rubygems",
  pattern: /^[ \t]*require\s*(?:\(\s*)?["']([a-z][\w./-]*)["']/gm,
  packages: (imported) => {
    const [first = ""] = imported.split("/");
    return [[...new Set([imported.replaceAll("/", "-"), first])]];
  },
};

const php: Reader = {
  ecosystem: "composer",
  pattern: /^[ \t]*use\s+\\?([A-Z]\w*(?:\\\w+)+)/gm,
  packages: (imported) => {
    const [vendor = "", name = ""] = imported.split("\\").map(kebab);
    const root = phpVendors.get(vendor) ?? vendor;
    // Many a package has its vendor's name: `Monolog\Logger` is of monolog/monolog.
    return [[`${root}/${name}`, `${root}/${root}`]];
  },
};

const csharp: Reader = {
  ecosystem: "nuget",
  pattern: /^[ \t]*(?:global\s+)?using\s+(?:static\s+)?([A-Z]\w*(?:\.\w+)*)\s*;/gm,
  packages: (imported) => [prefixes(imported, ".", 1)],
};

const elixir: Reader = {
  ecosystem: "hex",
  pattern: /^[ \t]*(?:use|import|alias|require)\s+([A-Z]\w*)/gm,
  packages: (imported) => [[imported.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase()]],
};

const dart: Reader = {
  ecosystem: "pub",
  pattern: /^[ \t]*(?:import|export)\s+["']package:(\w+)\//gm,
  packages: (imported) => [[imported]],
};

const swift: Reader = {
  ecosystem: "swift",
  pattern: /^[ \t]*(?:@\w+\s+)?import\s+(?:class\s+|struct\s+|func\s+)?(\w+)/gm,
  packages: (imported) => [[imported]],
};

const r: Reader = {
  ecosystem: "cran",
  pattern: /^[ \t]*"?(?:library|require|requireNamespace)\s*\(\s*["']?([A-Za-z][\w.]*)/gm,
  packages: (imported) => [[imported]],
};

/** Headers, and what code asks of the compiler: OpenMP, the kind of chip that it is built for. */
const native: Reader = {
  ecosystem: nativeEcosystem,
  pattern:
    /^[ \t]*#[ \t]*(?:(?:include|import)[ \t]*[<"]([^<>"\n]{1,200})[>"]|pragma[ \t]+(omp|acc)\b|(?:el)?if(?:def)?\b[^\n]{0,200}?\b((?:STM32|ESP32|ESP8266|ESP_PLATFORM|ARDUINO|NRF5|__AVR|__MSP430)\w{0,50}))/gm,
  packages: (imported) => [spellNative(imported)],
};

/** Apple's frameworks, which Swift calls the same. */
const framework: Reader = {
  ecosystem: "swift",
  pattern: /^[ \t]*(?:#[ \t]*import[ \t]*<(\w+)\/|@import[ \t]+(\w+))/gm,
  packages: (imported) => [[imported]],
};

const fortran: Reader = {
  ecosystem: nativeEcosystem,
  pattern:
    /^[ \t]*(?:use(?:[ \t]+|[ \t]*(?:,[ \t]*\w+[ \t]*)?::[ \t]*)([a-z]\w*)|(?:#[ \t]*)?include[ \t]*["'<]([^"'<>\n]{1,200})|[!c*]\$(omp|acc)\b)/gim,
  packages: (imported) => [spellNative(imported)],
};

const haskell: Reader = {
  ecosystem: "hackage",
  pattern:
    /^(?:>[ \t]*)?import[ \t]+(?:safe[ \t]+)?(?:qualified[ \t]+)?(?:"[\w-]+"[ \t]+)?([A-Z][\w.]*)/gm,
  packages: (imported) => [prefixes(imported, ".", 1)],
};

const ocaml: Reader = {
  ecosystem: "opam",
  pattern: /^[ \t]*(?:open!?|include|module[ \t]+\w+[ \t]*=)[ \t]+([A-Z]\w*)/gm,
  packages: (imported) => [[imported.toLowerCase()]],
};

const erlang: Reader = {
  ecosystem: "hex",
  pattern: /^[ \t]*-include_lib[ \t]*\([ \t]*"(\w+)\//gm,
  packages: (imported) => [[imported]],
};

const lua: Reader = {
  ecosystem: "luarocks",
  pattern: /\brequire[ \t]{0,20}\(?[ \t]{0,20}(?:"([\w./-]{1,200})"|'([\w./-]{1,200})')/g,
  packages: (imported) => [prefixes(imported.replaceAll("/", "."), ".", 1)],
};

const perl: Reader = {
  ecosystem: "cpan",
  pattern:
    /^[ \t]{0,60}(?:use|require)[ \t]{1,20}(?:(?:base|parent)[ \t]{1,20}(?:qw[ \t]{0,20}\W[ \t]{0,20}|["']))?([A-Z]\w{0,60}(?:::\w{1,60}){0,10})/gm,
  packages: (imported) => [spellCpan(imported)],
};

const julia: Reader = {
  ecosystem: "julia",
  pattern: /^[ \t]*"?(?:using|import)[ \t]+([A-Z][\w., \t]*)/gm,
  packages: (imported) =>
    imported.split(",").flatMap((part) => {
      const [name = ""] = part.trim().split(/[.\s]/);
      return name ? [[name]] : [];
    }),
};

/** The services that a NixOS module configures. */
const nix: Reader = {
  ecosystem: "nix",
  pattern: /\bservices\.([a-z][\w-]*)/g,
  packages: (imported) => [[`services.${imported}`]],
};

/** These are maps since an extension or module may be called `constructor`. */
const readers = new Map(
  Object.entries<readonly Reader[]>({
    ...each("js jsx mjs cjs ts tsx mts cts vue svelte astro", script),
    ...each("py pyi", python),
    ...each("ipynb", python, julia, r),
    ...each("r rmd qmd", r),
    ...each("c cc cpp cxx c++ hh hpp hxx h++ inl ipp tpp cu cuh ino pde s", native),
    ...each("h m mm", native, framework),
    ...each("f for f77 f90 f95 f03 f08 f18 fpp fypp", fortran),
    ...each("hs lhs hsc", haskell),
    ...each("ml mli", ocaml),
    ...each("erl hrl", erlang),
    ...each("lua", lua),
    ...each("pl pm t psgi", perl),
    ...each("jl", julia),
    ...each("nix", nix),
    ...each("go", go),
    ...each("rs", rust),
    ...each("java kt kts groovy scala", jvm),
    ...each("rb rake", ruby),
    ...each("php", php),
    ...each("cs", csharp),
    ...each("ex exs", elixir),
    ...each("dart", dart),
    ...each("swift", swift),
  }),
);

function each(extensions: string, ...those: readonly Reader[]): Record<string, readonly Reader[]> {
  return Object.fromEntries(extensions.split(" ").map((extension) => [extension, those]));
}

/** Every prefix of at least `least` parts, longest first: only the vocabulary knows where the package name ends. */
function prefixes(text: string, separator: string, least: number): string[] {
  const parts = text.split(separator).slice(0, 6);
  const found: string[] = [];
  for (let length = parts.length; length >= least; length--) {
    found.push(parts.slice(0, length).join(separator));
  }
  return found;
}

/** @returns the spellings of a Perl module, which a distribution of its first words may hold. */
export function spellCpan(module: string): readonly string[] {
  return prefixes(module, "::", 1);
}

function kebab(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}

/** Namespaces that differ from the vendor's name on Packagist. */
const phpVendors = new Map(Object.entries(names.phpVendors.names));

/** Modules that are not named like their distribution; source: PyPI's metadata of these packages. */
const distributions = new Map(Object.entries(names.pythonDistributions.names));
