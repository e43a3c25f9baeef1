/**
 * What each path of a history says of those who touch it, by the newest tree: its kind, its classes,
 * and the packages that it imports or lists. Worked out where git is at hand, and kept.
 */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { FileClassification } from "../../linguist/linguist.ts";
import { isManifest } from "../commits/work.ts";
import { type EvidenceFile, type EvidenceFiles, followRenames } from "./evidence-files.ts";

export interface PathMeaning {
  readonly kind: FileClassification;
  /** Path classes of the vocabulary. */
  readonly classes: readonly string[];
  readonly evidenceFile: EvidenceFile | undefined;
  /** What a dependency update touches: lock files, manifests, change logs. */
  readonly routine: boolean;
}

/** The newest tree. */
interface NewestTree {
  readonly kindOf: (path: string) => FileClassification;
  readonly evidenceFiles: EvidenceFiles;
  readonly language: string | undefined;
}

/** @param renames numbers of paths, in pairs that lie flat. */
export function assignPathMeanings(
  { paths, renames }: { readonly paths: readonly string[]; readonly renames: readonly number[] },
  tree: NewestTree,
  vocabulary: Pick<Vocabulary, "pathClasses">,
): { readonly meanings: readonly PathMeaning[]; readonly meaningOf: readonly number[] } {
  const touchstoneOf = followRenames(tree.evidenceFiles, paths, renames);
  const meanings: PathMeaning[] = [];
  const numbers = new Map<string, number>();
  const meaningOf = paths.map((path) => {
    const kind = tree.kindOf(path);
    const meaning: PathMeaning = {
      kind,
      classes: vocabulary.pathClasses(path),
      evidenceFile: touchstoneOf(path),
      routine: kind.generated || isManifest(path),
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
