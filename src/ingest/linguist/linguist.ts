/**
 * What kind of file a path is, by GitHub Linguist's data (MIT): its language, and whether Linguist
 * would leave it out as vendored, documentation or generated. A file of the newest tree is judged by
 * its content as well, a path that only the history knows by its name, with the neighbours' help.
 */
import { chooseLanguage, type LanguageCensus, listExtensions } from "./ambiguous.ts";
import { type AttributeOverrides, type AttributesFile, readAttributes } from "./attributes.ts";
import { type ContentFinding, examineContent, isContentNeeded } from "./content.ts";
import { type LinguistRules, readLinguistRules } from "./data.ts";

export type { AttributesFile, ContentFinding };

export interface FileClassification {
  /** Linguist's name, of the group where it has one (TSX is TypeScript). Absent: no language. */
  readonly language: string | undefined;
  /** Linguist's name for exactly this kind of file, not of the group. */
  readonly dialect: string | undefined;
  /** A language in which people program or lay out pages: what a person's languages are made of. */
  readonly counts: boolean;
  readonly vendored: boolean;
  readonly documentation: boolean;
  readonly generated: boolean;
  /** Brought in from elsewhere and nobody's work here; narrower than `vendored`, where CI files are. */
  readonly foreign: boolean;
}

/** What was read of the newest tree. */
export interface TreeContents {
  /** By path, of the files whose content was looked at. */
  readonly findings: ReadonlyMap<string, ContentFinding>;
  /** Every `.gitattributes` of the tree. */
  readonly attributes: readonly AttributesFile[];
}

export interface Linguist {
  readonly version: string;
  /** Whether the content of a file can tell more than its path. */
  isContentNeeded(path: string): boolean;
  /** @param content the file from its beginning, a character per byte; 128 KiB are enough. */
  examine(path: string, content: string): ContentFinding;
  /**
   * Judges the paths of one repository.
   *
   * @param tree what it holds now, by which ambiguity is settled.
   * @param contents default: nothing was read, and paths must do.
   */
  forTree(tree: Iterable<string>, contents?: TreeContents): (path: string) => FileClassification;
}

/** Reads the shipped data; a few milliseconds. Keep what it returns. */
export function openLinguist(): Linguist {
  const rules = readLinguistRules();
  return {
    version: rules.data.version,
    isContentNeeded: (path) => isContentNeeded(rules, path),
    examine: (path, content) => examineContent(rules, path, content),
    forTree: (tree, { findings, attributes } = nothingRead) => {
      const census = countTree(rules, tree, findings);
      const overridesOf = readAttributes(attributes);
      const known = new Map<string, FileClassification>();
      return (file) => {
        const held = known.get(file);
        if (held) return held;
        // A history may name more paths than are worth remembering.
        if (known.size >= 50_000) known.clear();
        const finding = findings.get(file);
        const path = file.slice(-pathMax);
        const kind = judge(rules, { file: path, census, finding, overrides: overridesOf(path) });
        known.set(file, kind);
        return kind;
      };
    },
  };
}

/** Of a path, from its end: some of Linguist's rules take the square of its length. */
const pathMax = 1000;

const nothingRead: TreeContents = { findings: new Map(), attributes: [] };

/** Lock files that Linguist knows by their content, or not at all. */
const lockFiles =
  /(^|\/)(yarn\.lock|Gemfile\.lock|go\.sum|mix\.lock|pubspec\.lock|Podfile\.lock|packages\.lock\.json|gradle\.lockfile)$/;

/** Vendored for Linguist's statistics, and yet written by those who commit it. */
const ownWork =
  /(^|\/)(\.github|\.vscode|\.teamcity|debian|testdata|fixtures|cache|env)\/|(^|\/)(\.git(attributes|ignore|modules)|Jenkinsfile|Vagrantfile|fabfile\.py|configure|[^/]*\.d\.ts|\.gitpod\.Dockerfile|\.osx|proguard[^/]*)$/;

/** Data languages that are nonetheless written: queries and interfaces, not values. */
const writtenData = new Set(["SQL", "GraphQL", "Protocol Buffer", "Nix", "Jupyter Notebook"]);

interface Case {
  readonly file: string;
  readonly census: LanguageCensus;
  readonly finding: ContentFinding | undefined;
  readonly overrides: AttributeOverrides;
}

function judge(
  rules: LinguistRules,
  { file, census, finding, overrides }: Case,
): FileClassification {
  const declared = rules.aliases.get(overrides.language?.toLowerCase() ?? "");
  const dialect = declared ?? findLanguage(rules, census, file, finding);
  const [type, language] = (dialect && rules.data.languages[dialect]) || ["", undefined];
  const vendored = overrides.vendored ?? rules.vendored.test(file);
  const written = type === "programming" || type === "markup" || writtenData.has(language ?? "");
  return {
    language,
    dialect,
    counts: language !== undefined && (overrides.detectable ?? written),
    vendored,
    documentation: overrides.documentation ?? rules.documentation.test(file),
    generated:
      overrides.generated ??
      (finding?.generated ||
        lockFiles.test(file) ||
        rules.generated.some((rule) => rule.test(file))),
    foreign: vendored && (overrides.vendored === true || !ownWork.test(file)),
  };
}

function findLanguage(
  rules: LinguistRules,
  census: LanguageCensus,
  file: string,
  finding: ContentFinding | undefined,
): string | undefined {
  if (finding && finding.candidates.length < 2) return finding.candidates[0];
  const base = file.slice(file.lastIndexOf("/") + 1);
  const named = rules.filenames.get(base);
  if (named && !finding) return named[0];
  for (const extension of listExtensions(base)) {
    const candidates = finding?.candidates ?? rules.extensions.get(extension);
    if (candidates) return chooseLanguage(extension, candidates, census, rules.data.popular);
  }
  return finding?.candidates[0];
}

/** Files per language, of those whose extension leaves no doubt or whose content settled it. */
function countTree(
  rules: LinguistRules,
  tree: Iterable<string>,
  findings: ReadonlyMap<string, ContentFinding>,
): LanguageCensus {
  const census = new Map<string, number>();
  for (const file of tree) {
    const base = file.slice(file.lastIndexOf("/") + 1);
    for (const extension of listExtensions(base)) {
      const candidates = findings.get(file)?.candidates ?? rules.extensions.get(extension);
      if (!candidates) continue;
      const [only] = candidates;
      if (only && candidates.length === 1) census.set(only, (census.get(only) ?? 0) + 1);
      break;
    }
  }
  return census;
}
