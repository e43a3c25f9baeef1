/** Parses package lists of functional and scripting languages. */
import { tryParseJson } from "../../../contract/foreign-json.ts";
import type { FileTable } from "./file-table.ts";
import {
  findCaptures,
  listFieldKeys,
  listPrefixes,
  type PackageName,
  type Parse,
  parseCaptures,
  parseFields,
  parseToml,
  toPackageNames,
  toRecord,
} from "./package-names.ts";

/** Returns the packages of libraries. The library `a.b` belongs to package `a`. */
function toOpam(names: readonly string[], isForDevelopment: boolean): PackageName[] {
  const packages = names.map((name) => name.replace(/\..*$/s, "").toLowerCase());
  return toPackageNames("opam", packages, isForDevelopment);
}

const cpanfile: Parse = (text) => {
  let isInTests = false;
  return text.split("\n").flatMap((line) => {
    if (/^\s*on\b/.test(line)) isInTests = /\b(test|develop)\b/.test(line);
    const [, phase = "", name] =
      /^[ \t]{0,60}(\w{1,40}_)?(?:requires|recommends|suggests)[ \t]{0,20}\(?[ \t]{0,20}["']([\w:]{1,200})/.exec(
        line,
      ) ?? [];
    const packages = toCpan(name ? [name] : [], isInTests || /^(test|author)_/.test(phase));
    if (/^\s*\}/.test(line)) isInTests = false;
    return packages;
  });
};

function toCpan(names: readonly string[], isForDevelopment = false): PackageName[] {
  return toPackageNames("cpan", names, isForDevelopment, (name) => listPrefixes(name, "::", 1));
}

interface Term {
  readonly name: string;
  /** `name`, and the words that follow in the same brackets. */
  readonly words: readonly string[];
  /** Position of the name in the text. */
  readonly at: number;
}

/** Lists the entries of lists in brackets. An entry is a word. An inner list counts as the first word in it. */
function listTerms(text: string, beginning: RegExp): Term[] {
  const found: Term[] = [];
  let end = 0;
  for (const { index, 0: opening } of text.matchAll(beginning)) {
    // This list is part of a list that was already read.
    if (index < end) continue;
    const token = /"(?:[^"\\]|\\.){0,1000}"|[;%][^\n]*|[([{]|[)\]}]|[\w.:+-]+/g;
    token.lastIndex = index + opening.length;
    let depth = 0;
    let words: string[] = [];
    for (let count = 0; count < tokensMax; count++) {
      const match = token.exec(text);
      if (!match) break;
      end = token.lastIndex;
      const [word] = match;
      if (/^[;%"]/.test(word)) continue;
      if (/^[([{]/.test(word)) {
        depth += 1;
        if (depth === 1) words = [];
      } else if (/^[)\]}]/.test(word)) {
        depth -= 1;
        if (depth < 0) break;
      } else {
        if (depth > 0) words.push(word);
        if (depth === 0) words = [word];
        if (words.length === 1 && /^[a-z]/.test(word))
          found.push({ name: word, words, at: match.index });
      }
    }
  }
  return found;
}

const tokensMax = 2000;

/** The parsers of package lists, by file name. @package */
export const packageLists: FileTable<Parse> = {
  "opam *.opam": (text) => {
    const lists = findCaptures(text, /^(?:depends|depopts):\s*\[([^\]]{0,20000})\]/gm);
    const entries = lists.flatMap((list) => [
      ...list.matchAll(/"([\w+.-]+)"\s*(\{[^{}]{0,500}\})?/g),
    ]);
    return entries.flatMap(([, name = "", filter = ""]) =>
      toOpam([name], /\bwith-(test|doc|dev-setup)\b/.test(filter)),
    );
  },
  "dune dune-project": (text) => {
    const named = findCaptures(text, /\((?:libraries|pps|re_export)\s([^()]{1,5000})/g);
    const names = named.flatMap((list) => findCaptures(list, /(?:^|\s)([a-z][\w.-]*)/g));
    return [
      ...toOpam(names, /^\s*\((?:test|tests)\b/.test(text)),
      ...listTerms(text, /\(depends\b/g).flatMap(({ name, words }) => {
        const isForDevelopment = words.some((word) => word.startsWith(":with-"));
        return toOpam([name], isForDevelopment);
      }),
    ];
  },
  /** Parses the `package.yaml` of hpack. */
  "package.yaml": (text) => {
    const found: PackageName[] = [];
    let [isForDevelopment, isInList] = [false, false];
    for (const line of text.split("\n")) {
      const [, key] = /^\s*([\w-]+):\s*$/.exec(line) ?? [];
      if (/^\S/.test(line)) isForDevelopment = /^(tests|benchmarks):/.test(line);
      const [, name] = /^\s*-\s+(?:name:\s*)?([A-Za-z][\w-]*)/.exec(line) ?? [];
      if (key !== undefined) isInList = key === "dependencies" || key === "build-tools";
      else if (name === undefined && line.trim() !== "") isInList = false;
      if (isInList && name) found.push(...toPackageNames("hackage", [name], isForDevelopment));
    }
    return found;
  },
  /** The dependencies after `{profiles` are for development. */
  "rebar.config": (text) => {
    const profiles = text.indexOf("{profiles");
    return listTerms(text, /\{\s*deps\s*,\s*\[/g).flatMap(({ name, at }) =>
      toPackageNames("hex", [name], profiles !== -1 && at > profiles),
    );
  },
  cpanfile: cpanfile,
  /** Parses modules with versions, and the commands of Module::Install. */
  "Makefile.PL Build.PL": (text) => {
    const versioned =
      /["']?\b([A-Z]\w{0,60}(?:::\w{1,60}){0,10})["']?[ \t]{0,20}=>[ \t]{0,20}["']?[<>= v]{0,4}\d/g;
    return [...toCpan(findCaptures(text, versioned)), ...cpanfile(text)];
  },
  /** Parses the `dist.ini` of Dist::Zilla. */
  "dist.ini": (text) => {
    const sections = text.split(/^(?=\[)/m).filter((section) => section.startsWith("[Prereqs"));
    return sections.flatMap((section) =>
      toCpan(
        findCaptures(section, /^([A-Z]\w*(?:::\w+)*)[ \t]*=/gm),
        /^\[Prereqs[^\]\n]*(Test|Develop)/.test(section),
      ),
    );
  },
  "META.json": (text) => {
    const prereqs = toRecord(toRecord(tryParseJson(text))["prereqs"]);
    const namesIn = (phase: string) => listFieldKeys(prereqs[phase], "requires");
    return [
      ...toCpan(namesIn("runtime")),
      ...toCpan([...namesIn("test"), ...namesIn("develop")], true),
    ];
  },
  "Project.toml": parseFields("julia", parseToml, {
    needed: "deps weakdeps",
    forDevelopment: "extras",
  }),
  // Finds the inputs of a flake.
  "flake.nix": parseCaptures(
    "nix",
    /\burl[ \t]*=[ \t]*"(?:github|gitlab|sourcehut):~?([\w.-]+\/[\w.-]+)/g,
    (name) => name.toLowerCase(),
  ),
  "*.cabal": (text) => {
    const found: PackageName[] = [];
    let [isForDevelopment, indentOfField] = [false, -1];
    for (const line of text.split("\n")) {
      if (/^\s*(--|$)/.test(line)) continue;
      const indent = line.search(/\S/);
      if (indent === 0) isForDevelopment = /^(test-suite|benchmark)\b/i.test(line);
      const [field, rest] = /^\s*(?:build|setup)-depends[ \t]*:(.*)/i.exec(line) ?? [];
      if (field !== undefined) indentOfField = indent;
      else if (indent <= indentOfField) indentOfField = -1;
      if (indentOfField === -1) continue;
      const names = findCaptures(rest ?? line, /(?:^|,)[ \t]*([A-Za-z][\w-]*)/g);
      found.push(...toPackageNames("hackage", names, isForDevelopment));
    }
    return found;
  },
  "*.rockspec": (text) =>
    [...text.matchAll(/\b(test_|build_)?dependencies\s*=\s*\{([^{}]{0,5000})/g)].flatMap(
      ([, purpose, list = ""]) => {
        const names = findCaptures(list, /["']\s*([\w.-]+)/g).filter((name) => name !== "lua");
        return toPackageNames("luarocks", names, Boolean(purpose));
      },
    ),
};
