/**
 * What each path of a history says of those who touch it, by the newest tree: its kind, its classes,
 * and the packages that it imports or lists. Worked out where git is at hand, and kept.
 */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { FileClassification, Linguist } from "../../linguist/linguist.ts";
import type { Git } from "../git-command.ts";
import { readContents } from "./contents.ts";
import {
  type EvidenceFile,
  type EvidenceFiles,
  followRenames,
  readEvidenceFiles,
} from "./evidence-files.ts";
import { readTree, type TreeFile } from "./objects.ts";

export interface PathMeaning {
  readonly kind: FileClassification;
  /** Path classes of the vocabulary. */
  readonly classes: readonly string[];
  /** What touching it is evidence of; ledgers that exist hold it under this name. */
  readonly touchstone: EvidenceFile | undefined;
  /** What a dependency update touches: lock files, manifests, change logs. */
  readonly routine: boolean;
}

/** The newest tree. */
interface NewestTree {
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
  const evidenceFiles = await readEvidenceFiles(git, directory, files, vocabulary);
  return { kindOf, evidenceFiles, language: findMainLanguage(files, kindOf) };
}

/** @param renames numbers of paths, in pairs that lie flat. */
export function assignPathMeanings(
  { paths, renames }: { readonly paths: readonly string[]; readonly renames: readonly number[] },
  tree: NewestTree,
  vocabulary: Pick<Vocabulary, "pathClasses">,
): { readonly meanings: readonly PathMeaning[]; readonly meaningOf: readonly number[] } {
  const evidenceFileOf = followRenames(tree.evidenceFiles, paths, renames);
  const meanings: PathMeaning[] = [];
  const numbers = new Map<string, number>();
  const meaningOf = paths.map((path) => {
    const kind = tree.kindOf(path);
    const meaning: PathMeaning = {
      kind,
      classes: vocabulary.pathClasses(path),
      touchstone: evidenceFileOf(path),
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

const manifest =
  /(^|\/)(package\.json|requirements[^/]*\.txt|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|mix\.exs|pubspec\.yaml|CHANGELOG[^/]*)$/i;

/** What a dependency update touches beside lock files: for telling bots by behaviour. */
function isManifest(path: string): boolean {
  return manifest.test(path);
}

/** By bytes, as Linguist's statistics do, without what it leaves out. */
function findMainLanguage(
  files: readonly TreeFile[],
  kindOf: (path: string) => FileClassification,
): string | undefined {
  const bytesOf = new Map<string, number>();
  for (const { path, bytes } of files) {
    const kind = kindOf(path);
    if (!kind.language || !kind.counts) continue;
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
