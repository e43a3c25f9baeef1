/**
 * Extensions that several languages claim, where no content is at hand (the file is gone) or it left
 * several open. Most have one meaning that outweighs the others whatever stands beside them; for a
 * few the neighbours decide.
 */

/** Files per language in one repository, of those whose extension leaves no doubt. */
export type LanguageCensus = ReadonlyMap<string, number>;

/** @package */
export function chooseLanguage(
  extension: string,
  candidates: readonly string[],
  census: LanguageCensus,
  popular: readonly string[],
): string | undefined {
  if (candidates.length === 1) return candidates[0];
  const settled = usual[extension];
  const contested = contests[extension];
  if (!contested) {
    return settled ?? byNeighbours(candidates, census) ?? byPopularity(candidates, popular);
  }
  let best = settled;
  let most = 0;
  for (const [language, neighbours] of Object.entries(contested)) {
    const seen = neighbours.reduce((sum, name) => sum + (census.get(name) ?? 0), 0);
    if (seen > most) [best, most] = [language, seen];
  }
  return best ?? byPopularity(candidates, popular);
}

/** No file system takes a longer name. */
const nameMax = 255;

/** Extensions of a file name, longest first, lower case: `.blade.php`, `.php`. @package */
export function* listExtensions(name: string): Generator<string> {
  const base = name.slice(-nameMax);
  let dot = base.indexOf(".", 1);
  while (dot !== -1) {
    yield base.slice(dot).toLowerCase();
    dot = base.indexOf(".", dot + 1);
  }
}

const usual: Readonly<Record<string, string>> = {
  ".asc": "AsciiDoc",
  ".as": "ActionScript",
  ".asm": "Assembly",
  ".bas": "BASIC",
  ".bb": "BitBake",
  ".cake": "C#",
  ".cfg": "INI",
  ".cgi": "Perl",
  ".cl": "OpenCL",
  ".cls": "TeX",
  ".cs": "C#",
  ".cue": "CUE",
  ".d": "D",
  ".ddl": "SQL",
  ".ex": "Elixir",
  ".f": "Fortran",
  ".for": "Fortran",
  ".frag": "GLSL",
  ".fs": "F#",
  ".ftl": "FreeMarker",
  ".gd": "GDScript",
  ".gml": "Game Maker Language",
  ".h": "C",
  ".hh": "C++",
  ".html": "HTML",
  ".inc": "PHP",
  ".jq": "jq",
  ".json": "JSON",
  ".l": "Lex",
  ".lean": "Lean 4",
  ".lisp": "Common Lisp",
  ".m": "Objective-C",
  ".m4": "M4",
  ".man": "Roff Manpage",
  ".md": "Markdown",
  ".ml": "OCaml",
  ".mm": "Objective-C++",
  ".mo": "Modelica",
  ".nu": "Nushell",
  ".odin": "Odin",
  ".php": "PHP",
  ".pl": "Perl",
  ".plist": "XML Property List",
  ".pm": "Perl",
  ".pp": "Puppet",
  ".pro": "QMake",
  ".properties": "Java Properties",
  ".r": "R",
  ".re": "Reason",
  ".res": "ReScript",
  ".rs": "Rust",
  ".s": "Unix Assembly",
  ".sc": "Scala",
  ".scm": "Scheme",
  ".sls": "Salt",
  ".sol": "Solidity",
  ".spec": "RPM Spec",
  ".sql": "SQL",
  ".st": "Smalltalk",
  ".star": "Starlark",
  ".t": "Perl",
  ".tact": "Tact",
  ".tpl": "Smarty",
  ".ts": "TypeScript",
  ".tsx": "TSX",
  ".txt": "Text",
  ".typ": "Typst",
  ".v": "Verilog",
  ".yaml": "YAML",
  ".yml": "YAML",
  ".yy": "Yacc",
};

/** Where neighbours decide: each reading with the languages whose files speak for it. */
const contests: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ".h": { C: ["C"], "C++": ["C++"], "Objective-C": ["Objective-C", "Objective-C++"] },
  ".inc": { PHP: ["PHP"], "C++": ["C++"], Pascal: ["Pascal"], BitBake: ["BitBake"] },
  ".m": {
    "Objective-C": ["Objective-C++", "Swift", "XML Property List"],
    MATLAB: ["MATLAB"],
    "Wolfram Language": ["Wolfram Language", "Mathematica"],
  },
  ".pl": { Perl: ["Perl"], Prolog: ["Prolog"], Raku: ["Raku"] },
  ".pm": { Perl: ["Perl"], Raku: ["Raku"] },
  ".t": { Perl: ["Perl"], Raku: ["Raku"] },
  ".pp": { Puppet: ["Puppet"], Pascal: ["Pascal"] },
  ".v": { Verilog: ["SystemVerilog", "VHDL"], "Rocq Prover": ["OCaml"], V: ["V"] },
  ".fs": { "F#": ["F#"], GLSL: ["GLSL"], Forth: ["Forth"] },
  ".pro": { QMake: ["C++"], Prolog: ["Prolog"], IDL: ["IDL"] },
  ".cls": { TeX: ["TeX", "BibTeX"], Apex: ["Apex", "Visualforce Page"] },
  ".tpl": { Smarty: ["PHP"], "Go Template": ["Go"] },
  ".r": { R: ["R", "RMarkdown"], Rebol: ["Rebol"] },
  ".sc": { Scala: ["Scala"], SuperCollider: ["SuperCollider"] },
  // Unity's projects are told by their scripts and assets.
  ".shader": { ShaderLab: ["C#", "Unity3D Asset"], GLSL: ["GLSL", "C", "C++"] },
  ".spec": { "RPM Spec": ["Shell"], Python: ["Python"], Ruby: ["Ruby"] },
};

function byNeighbours(candidates: readonly string[], census: LanguageCensus): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const name of candidates) {
    const seen = census.get(name) ?? 0;
    if (seen > most) [best, most] = [name, seen];
  }
  return best;
}

function byPopularity(
  candidates: readonly string[],
  popular: readonly string[],
): string | undefined {
  return candidates.find((name) => popular.includes(name)) ?? candidates[0];
}
