/**
 * Determines the meaning of each path from the newest tree: the kind of file, its path classes, and the packages that it
 * imports. The ledger stores the result, so that counting needs no git.
 */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { FileClassification, Linguist } from "../../linguist/linguist.ts";
import {
  type EvidenceFile,
  type EvidenceFiles,
  readEvidenceFiles,
} from "../evidence/evidence-files.ts";
import { type ProductsOf, readProducts } from "../evidence/products.ts";
import {
  findProse,
  isClassOfProse,
  isProse,
  type ProsePlaces,
  proseClass,
} from "../evidence/prose.ts";
import { readSubjects } from "../evidence/subjects.ts";
import type { Git } from "../git-command.ts";
import { readContents } from "./contents.ts";
import { readTree, type TreeFile } from "./objects.ts";
import type { FoundRepository } from "./view.ts";

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

interface NewestTree {
  readonly files: readonly TreeFile[];
  readonly kindOf: (path: string) => FileClassification;
  readonly evidenceFiles: EvidenceFiles;
  readonly productsOf: ProductsOf;
  readonly prose: ProsePlaces;
  readonly language: string | undefined;
}

export async function readNewestTree(
  git: Git,
  repository: Pick<FoundRepository, "directory" | "head" | "origin">,
  linguist: Linguist,
  vocabulary: Pick<Vocabulary, "packageSkill" | "textSkills" | "subjectsOf">,
): Promise<NewestTree> {
  const files = await readTree(git, repository);
  const { directory } = repository;
  const contents = await readContents(git, directory, files, linguist);
  const kindOf = linguist.forTree(
    files.map((file) => file.path),
    contents,
  );
  const evidenceFiles = await readEvidenceFiles(git, directory, { files, kindOf }, vocabulary);
  const prose = findProse(files, kindOf);
  const packagesOf = await readProducts(git, directory, { files, kindOf }, vocabulary);
  const { head, origin } = repository;
  const name = origin.name.slice(origin.name.lastIndexOf("/") + 1);
  const about = { name, head, files, isBook: prose.isWhole };
  const subjects = await readSubjects(git, directory, about, vocabulary);
  const productsOf = (path: string) => [...packagesOf(path), ...subjects];
  const language = findMainLanguage(files, kindOf);
  return { files, kindOf, evidenceFiles, productsOf, prose, language };
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
    const key = JSON.stringify(meaning);
    let number = numbers.get(key);
    if (number === undefined) {
      number = meanings.length;
      meanings.push(meaning);
      numbers.set(key, number);
    }
    return number;
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
    if (!kind.language || !kind.counts || Number.isNaN(bytes)) continue;
    if (kind.vendored || kind.generated || kind.documentation) continue;
    bytesOf.set(kind.language, (bytesOf.get(kind.language) ?? 0) + bytes);
  }
  let main: string | undefined;
  let most = 0;
  for (const [language, bytes] of bytesOf) {
    if (bytes > most) [main, most] = [language, bytes];
  }
  return main;
}
