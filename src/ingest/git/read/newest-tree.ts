/** Reads the newest tree: its files, the kind of each, and the main language. */
import type { FileClassification, Linguist } from "../../linguist/linguist.ts";
import { type EvidenceFile, readEvidenceFiles } from "../evidence/evidence-files.ts";
import { readProducts } from "../evidence/products.ts";
import {
  findProse,
  isClassOfProse,
  isProse,
  type ProsePlaces,
  proseClass,
} from "../evidence/prose.ts";
import { readSubjects } from "../evidence/subjects.ts";
import type { Git } from "../git-command.ts";
import { readTree, type TreeFile } from "../repository/objects.ts";
import type { FoundRepository } from "../repository/view.ts";
import { readContents } from "./contents.ts";

export interface PathMeaning {
  readonly kind: FileClassification;
  /** Path classes of the vocabulary. */
  readonly classes: readonly string[];
  /** What an edit is evidence of; stored ledgers use this key. */
  readonly touchstone: EvidenceFile | undefined;
  /** The packages that it is a source file of; absent for other files. */
  readonly products?: readonly string[];
  /** Whether dependency updates touch it: lock files, manifests, change logs. */
  readonly routine: boolean;
}

type NewestTree = Awaited<ReturnType<typeof readNewestTree>>;

export async function readNewestTree(
  git: Git,
  repository: Pick<FoundRepository, "directory" | "head">,
  linguist: Linguist,
  vocabulary: Pick<Vocabulary, "packageSkill" | "textSkills" | "subjectsOf">,
) {
  const files = await readTree(git, repository);
  const contents = await readContents(git, repository.directory, files, linguist);
  const paths = files.map((file) => file.path);
  const kindOf = linguist.forTree(paths, contents);
  return { files, kindOf, language: findMainLanguage(files, kindOf) };
}

/** @param newestPath the evidence file that a path of the history became. */
export function assignPathMeanings(
  paths: readonly string[],
  newestPath: (path: string) => string | undefined,
  tree: NewestTree,
  vocabulary: Pick<Vocabulary, "pathClasses">,
): { readonly meanings: readonly PathMeaning[]; readonly meaningOf: readonly number[] } {
  const meanings: PathMeaning[] = [];
  const numbers = new Map<string, number>();
  const meaningOf = paths.map((path) => {
    const kind = tree.kindOf(path);
    const classes = classify(path, vocabulary.pathClasses(path), tree.prose);
    const meaning: PathMeaning = {
      kind,
      classes,
      touchstone: tree.evidenceFiles.get(newestPath(path) ?? ""),
      ...(isSource(kind, classes, tree.prose) && { products: tree.productsOf(path) }),
      routine: kind.generated || routineFile.test(path),
    };
    return numbers.getOrInsertComputed(JSON.stringify(meaning), () => meanings.push(meaning) - 1);
  });
  return { meanings, meaningOf };
}

/** Adds the class of prose to texts in a folder for it or in a book, and removes the classes of prose from other files. */
function classify(path: string, classes: readonly string[], prose: ProsePlaces): readonly string[] {
  const isWritten = prose.has(path) || (isProse(path) && classes.includes(proseClass));
  if (!isWritten) return classes.filter((name) => !isClassOfProse(name));
  return classes.includes(proseClass) ? classes : [...classes, proseClass];
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

/** Files that dependency updates touch besides lock files, used to detect bots by behaviour. */
const routineFile =
  /(^|\/)(package\.json|requirements[^/]*\.txt|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|mix\.exs|pubspec\.yaml|CHANGELOG[^/]*)$/i;

/** Finds the language with the most bytes, as in Linguist's statistics, without the files that those leave out. */
function findMainLanguage(
  files: readonly TreeFile[],
  kindOf: (path: string) => FileClassification,
): string | undefined {
  const bytesOf = new Map<string, number>();
  for (const { path, bytes } of files) {
    const kind = kindOf(path);
    if (!kind.language || !kind.counts || !bytes) continue;
    if (kind.vendored || kind.generated || kind.documentation) continue;
    bytesOf.set(kind.language, (bytesOf.get(kind.language) ?? 0) + bytes);
  }
  const [main] = [...bytesOf].sort(([, a], [, b]) => b - a);
  return main?.[0];
}
