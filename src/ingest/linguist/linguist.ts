/**
 * Classifies files with GitHub Linguist's data (MIT). Files of the newest tree are classified by path and content. Files that
 * occur only in the history are classified by path and the other files of the tree.
 */
import { chooseLanguage, type LanguageCensus, listExtensions } from "./ambiguous.ts";
import { type AttributeOverrides, type AttributesFile, readAttributes } from "./attributes.ts";
import { anyTemplate, type ContentFinding, examineContent, isContentNeeded } from "./content.ts";
import { type LinguistRules, readLinguistRules } from "./data.ts";
import { findMarkedPart, findWrittenParts, pathMax } from "./written-parts.ts";

export type { AttributesFile, ContentFinding };

export interface FileClassification
  extends Required<Pick<AttributeOverrides, "vendored" | "documentation" | "generated">> {
  /** Linguist's name of the language or its group, such as `TypeScript` for TSX; undefined if the file has no language. */
  readonly language: string | undefined;
  /** Linguist's name of the language itself: `TSX` for TSX. */
  readonly dialect: string | undefined;
  /** Whether the language counts among a developer's languages. */
  readonly counts: boolean;
  /** Whether the file was copied from elsewhere. */
  readonly foreign: boolean;
}

export interface TreeContents {
  /** Findings by path, for the files whose content was examined. */
  readonly findings: ReadonlyMap<string, ContentFinding>;
  /** Every `.gitattributes` of the tree. */
  readonly attributes: readonly AttributesFile[];
}

export type Linguist = ReturnType<typeof openLinguist>;

/** Reads the shipped data. This takes a few milliseconds, so reuse the result. */
export function openLinguist() {
  const rules = readLinguistRules();
  return {
    version: rules.data.version,
    isContentNeeded: (path: string) => isContentNeeded(rules, path),
    /** Finds the folders and files that look copied, but in which people write source. */
    findWritten: (context: Parameters<typeof findWrittenParts>[1]) =>
      findWrittenParts(rules, context),
    /** @param content the first 128 KiB of the file, one character per byte. */
    examine: (path: string, content: string) => examineContent(rules, path, content),
    /**
     * @param tree the paths of the newest tree. They decide ambiguous extensions.
     * @param contents default: nothing. Then only paths are used.
     * @param written the parts that `findWritten` found.
     */
    forTree: (
      tree: Iterable<string>,
      { findings, attributes }: TreeContents = noContents,
      written: ReadonlySet<string> = new Set(),
    ) => {
      const census = countTree(rules, tree, findings);
      const overridesOf = readAttributes(attributes);
      const known = new Map<string, FileClassification>();
      return (file: string): FileClassification => {
        const before = known.get(file);
        if (before) return before;
        // Clears the cache to limit memory, because a history may contain any number of paths.
        if (known.size >= 50_000) known.clear();
        const finding = findings.get(file);
        const path = file.slice(-pathMax);
        const overrides = overridesOf(path);
        const kind = classify(rules, { file: path, census, finding, overrides, written });
        known.set(file, kind);
        return kind;
      };
    },
  };
}

const noContents: TreeContents = { findings: new Map(), attributes: [] };

/** Lock files. Linguist detects only some of them by path. */
const lockFiles = /(^|\/)([^/]+\.lock|go\.sum|packages\.lock\.json|gradle\.lockfile)$/;

/** Files that the committers wrote, although Linguist counts them as vendored. */
const ownWork =
  /(^|\/)(\.github|\.vscode|\.teamcity|debian|testdata|fixtures|cache|env)\/|(^|\/)(\.git(attributes|ignore|modules)|Jenkinsfile|Vagrantfile|fabfile\.py|configure|[^/]*\.d\.ts|\.gitpod\.Dockerfile|\.osx|proguard[^/]*)$/;

/** Languages that people write like code, although Linguist counts them as data. */
const writtenData = new Set(["SQL", "GraphQL", "Protocol Buffer", "Nix", "Jupyter Notebook"]);

interface FileContext {
  readonly file: string;
  readonly census: LanguageCensus;
  readonly finding: ContentFinding | undefined;
  readonly overrides: AttributeOverrides;
  readonly written: ReadonlySet<string>;
}

function classify(
  rules: LinguistRules,
  { file, census, finding, overrides, written }: FileContext,
): FileClassification {
  const declared = rules.aliases.get(overrides.language?.toLowerCase() ?? "");
  const dialect = declared ?? findLanguage(rules, census, file, finding);
  const [type, language] = (dialect && rules.data.languages[dialect]) || ["", undefined];
  const part = findMarkedPart(rules, file);
  const vendored = overrides.vendored ?? (part !== undefined && !written.has(part));
  const isWritten = type === "programming" || type === "markup" || writtenData.has(language ?? "");
  return {
    language,
    dialect,
    counts: language !== undefined && (overrides.detectable ?? isWritten),
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
    if (!candidates) continue;
    const language = chooseLanguage(extension, candidates, census, rules.data.popular);
    const isUnread = !finding && anyTemplate.test(base);
    return isUnread && !census.byLanguage.has(language ?? "") ? undefined : language;
  }
  return finding?.candidates[0];
}

/** Counts files by language and extension. Files with several possible languages are left out. */
function countTree(
  rules: LinguistRules,
  tree: Iterable<string>,
  findings: ReadonlyMap<string, ContentFinding>,
): LanguageCensus {
  const byLanguage = new Map<string, number>();
  const shared = new Map<string, Map<string, number>>();
  for (const file of tree) {
    const base = file.slice(file.lastIndexOf("/") + 1);
    const finding = findings.get(file)?.candidates;
    for (const extension of listExtensions(base)) {
      const known = rules.extensions.get(extension);
      const [only, ...others] = finding ?? known ?? [];
      if (only && others.length === 0) {
        increment(byLanguage, only);
        const counts =
          known && known.length > 1 && shared.getOrInsertComputed(extension, () => new Map());
        if (counts) increment(counts, only);
      }
      if (finding ?? known) break;
    }
  }
  const byExtension = new Map(
    [...shared].map(([extension, languages]) => [extension, findMost(languages)] as const),
  );
  return { byLanguage, byExtension };
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function findMost(counts: ReadonlyMap<string, number>): string {
  const [[most] = [""]] = [...counts].sort(([, a], [, b]) => b - a);
  return most;
}
