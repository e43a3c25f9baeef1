/**
 * Determines from the newest tree what an edit of each path means: the kind of file, its path classes, and the
 * packages that it imports. The ledger stores the result, so that counting needs no git.
 */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { FileClassification, Linguist } from "../../linguist/linguist.ts";
import {
  type EvidenceFile,
  type EvidenceFiles,
  readEvidenceFiles,
} from "../evidence/evidence-files.ts";
import type { Git } from "../git-command.ts";
import { readContents } from "./contents.ts";
import { readTree, type TreeFile } from "./objects.ts";

export interface PathMeaning {
  readonly kind: FileClassification;
  /** Path classes of the vocabulary. */
  readonly classes: readonly string[];
  /** What an edit is evidence of; stored ledgers use this key. */
  readonly touchstone: EvidenceFile | undefined;
  /** Whether dependency updates touch it: lock files, manifests, change logs. */
  readonly routine: boolean;
}

interface NewestTree {
  readonly files: readonly TreeFile[];
  readonly kindOf: (path: string) => FileClassification;
  readonly evidenceFiles: EvidenceFiles;
  readonly language: string | undefined;
}

export async function readNewestTree(
  git: Git,
  repository: { readonly directory: string; readonly head: string },
  linguist: Linguist,
  vocabulary: Pick<Vocabulary, "packageSkill" | "textSkills">,
): Promise<NewestTree> {
  const files = await readTree(git, repository);
  const { directory } = repository;
  const contents = await readContents(git, directory, files, linguist);
  const kindOf = linguist.forTree(
    files.map((file) => file.path),
    contents,
  );
  const evidenceFiles = await readEvidenceFiles(git, directory, { files, kindOf }, vocabulary);
  return { files, kindOf, evidenceFiles, language: findMainLanguage(files, kindOf) };
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
    const meaning: PathMeaning = {
      kind,
      classes: vocabulary.pathClasses(path),
      touchstone: tree.evidenceFiles.get(newestPath(path) ?? ""),
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
