/**
 * What kind of file a path is, by GitHub Linguist's data (MIT): its language, and whether Linguist
 * would leave it out as vendored, documentation or generated. Looks at paths only; an extension that
 * several languages share is decided by the other files of the same repository.
 */
import { readFileSync } from "node:fs";
import path from "../../../seed/linguist.json.zst" with { type: "file" };
import { type Census, chooseLanguage, extensionsOf } from "./ambiguous.ts";

export interface FileKind {
  /** Linguist's name, of the group where it has one (TSX is TypeScript). Absent: no language. */
  readonly language: string | undefined;
  /** A language in which people program or lay out pages: what a person's languages are made of. */
  readonly counts: boolean;
  readonly vendored: boolean;
  readonly documentation: boolean;
  readonly generated: boolean;
  /** Brought in from elsewhere and nobody's work here; narrower than `vendored`, where CI files are. */
  readonly foreign: boolean;
}

export interface Linguist {
  readonly version: string;
  /** Judges the paths of one repository; `tree` is what it holds now, by which ambiguity is settled. */
  forTree(tree: Iterable<string>): (path: string) => FileKind;
}

interface Data {
  readonly version: string;
  readonly languages: Record<string, [type: string, group: string]>;
  readonly extensions: Record<string, string[]>;
  readonly filenames: Record<string, string[]>;
  readonly popular: readonly string[];
  readonly vendored: readonly string[];
  readonly documentation: readonly string[];
  readonly generated: readonly (readonly [pattern: string, flags: string])[];
}

/** Reads the shipped data; a few milliseconds. Keep what it returns. */
export function openLinguist(): Linguist {
  const data = JSON.parse(Bun.zstdDecompressSync(readFileSync(path)).toString()) as Data;
  const rules: Rules = {
    data,
    extensions: new Map(Object.entries(data.extensions)),
    filenames: new Map(Object.entries(data.filenames)),
    vendored: anyOf(data.vendored),
    documentation: anyOf(data.documentation),
    generated: data.generated.map(([pattern, flags]) => new RegExp(pattern, flags)),
  };
  return {
    version: data.version,
    forTree: (tree) => {
      const census = countTree(rules, tree);
      const known = new Map<string, FileKind>();
      return (file) => {
        const held = known.get(file);
        if (held) return held;
        // A history may name more paths than are worth remembering.
        if (known.size >= 50_000) known.clear();
        const kind = judge(rules, census, file);
        known.set(file, kind);
        return kind;
      };
    },
  };
}

interface Rules {
  readonly data: Data;
  readonly extensions: ReadonlyMap<string, readonly string[]>;
  readonly filenames: ReadonlyMap<string, readonly string[]>;
  readonly vendored: RegExp;
  readonly documentation: RegExp;
  readonly generated: readonly RegExp[];
}

/** Lock files that Linguist knows by their content, or not at all. */
const lockFiles =
  /(^|\/)(yarn\.lock|Gemfile\.lock|go\.sum|mix\.lock|pubspec\.lock|Podfile\.lock|packages\.lock\.json|gradle\.lockfile)$/;

/** Vendored for Linguist's statistics, and yet written by those who commit it. */
const ownWork =
  /(^|\/)(\.github|\.vscode|\.teamcity|debian|testdata|fixtures|cache|env)\/|(^|\/)(\.git(attributes|ignore|modules)|Jenkinsfile|Vagrantfile|fabfile\.py|configure|[^/]*\.d\.ts|\.gitpod\.Dockerfile|\.osx|proguard[^/]*)$/;

/** Data languages that are nonetheless written: queries and interfaces, not values. */
const writtenData = new Set(["SQL", "GraphQL", "Protocol Buffer", "Nix", "Jupyter Notebook"]);

function judge(rules: Rules, census: Census, file: string): FileKind {
  const name = findLanguage(rules, census, file);
  const [type, language] = (name && rules.data.languages[name]) || ["", undefined];
  const vendored = rules.vendored.test(file);
  return {
    language,
    counts: type === "programming" || type === "markup" || writtenData.has(language ?? ""),
    vendored,
    documentation: rules.documentation.test(file),
    generated: lockFiles.test(file) || rules.generated.some((rule) => rule.test(file)),
    foreign: vendored && !ownWork.test(file),
  };
}

function findLanguage(rules: Rules, census: Census, file: string): string | undefined {
  const base = file.slice(file.lastIndexOf("/") + 1);
  const named = rules.filenames.get(base);
  if (named) return named[0];
  for (const extension of extensionsOf(base)) {
    const candidates = rules.extensions.get(extension);
    if (candidates) return chooseLanguage(extension, candidates, census, rules.data.popular);
  }
  return undefined;
}

/** Files per language, of those whose extension leaves no doubt. */
function countTree(rules: Rules, tree: Iterable<string>): Census {
  const census = new Map<string, number>();
  for (const file of tree) {
    const base = file.slice(file.lastIndexOf("/") + 1);
    for (const extension of extensionsOf(base)) {
      const candidates = rules.extensions.get(extension);
      if (!candidates) continue;
      const [only] = candidates;
      if (only && candidates.length === 1) census.set(only, (census.get(only) ?? 0) + 1);
      break;
    }
  }
  return census;
}

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.map((pattern) => `(?:${pattern})`).join("|"));
}
