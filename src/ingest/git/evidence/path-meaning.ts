/** Determines the meaning of each path in a history. The ledger stores the meanings, so that counting does not need git. */
import type { EvidenceKind } from "../../../contract/people/facts.ts";
import type { FileClassification } from "../../linguist/linguist.ts";
import { isTestData } from "./file-table.ts";
import { listPathClasses, type PathContext, type ProsePlaces, proseClass } from "./prose.ts";

/** What edits of a file are evidence for. */
export interface EvidenceFile {
  readonly kind: EvidenceKind;
  /** Packages as `ecosystem:package`. */
  readonly names: readonly string[];
}

export interface PathMeaning {
  readonly kind: FileClassification;
  readonly classes: readonly string[];
  /** What an edit of the file is evidence for. Stored histories contain this key, so it must not be renamed. */
  readonly touchstone: EvidenceFile | undefined;
  /** The products to which this source file belongs; undefined for other files. */
  readonly products?: readonly string[];
  /** Whether dependency updates change the file, which may be a lock file or a change log. */
  readonly routine: boolean;
}

/** What the newest tree says about paths. */
interface MeaningContext extends PathContext {
  readonly kindOf: (path: string) => FileClassification;
  readonly hasLanguage: (language: string) => boolean;
  readonly ofFiles: ReadonlyMap<string, EvidenceFile>;
  readonly ofSource: (path: string) => readonly string[];
}

/** @param newestPath maps an older path to the path of the same file in the newest tree. */
export function assignPathMeanings(
  paths: readonly string[],
  newestPath: (path: string) => string | undefined,
  context: MeaningContext,
) {
  const meanings: PathMeaning[] = [];
  const numbers = new Map<string, number>();
  const meaningOf = paths.map((path) => {
    const newest = newestPath(path) ?? "";
    const named = context.kindOf(path);
    // A language that has gone is believed only if the file was not renamed: a `.pls` that became a `.pl` was always Perl.
    const isGone = named.language !== undefined && !context.hasLanguage(named.language);
    const file = isGone && newest !== "" ? context.kindOf(newest) : named;
    // What a test reads shows nothing of who adds it.
    const kind = isTestData(path) ? { ...file, counts: false } : file;
    const classes = listPathClasses(path, context);
    const meaning: PathMeaning = {
      kind,
      classes,
      touchstone: context.ofFiles.get(newest),
      ...(isSource(kind, classes, context.prose) && { products: context.ofSource(path) }),
      routine: kind.generated || routineFile.test(path),
    };
    return numbers.getOrInsertComputed(JSON.stringify(meaning), () => meanings.push(meaning) - 1);
  });
  return { meanings, meaningOf };
}

/** Whether a file is part of the product of its repository. */
function isSource(
  { counts, vendored, generated, documentation }: FileClassification,
  classes: readonly string[],
  { isWhole }: ProsePlaces,
): boolean {
  if (vendored || generated) return false;
  return (counts && !documentation) || (isWhole && classes.includes(proseClass));
}

/** Files that dependency updates change. */
const routineFile =
  /(^|\/)(package\.json|requirements[^/]*\.txt|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|mix\.exs|pubspec\.yaml|CHANGELOG[^/]*)$/i;
