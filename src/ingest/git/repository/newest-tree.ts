/** Reads the newest tree: its files, the kind of each, and the main language. */
import type { FileClassification, Linguist } from "../../linguist/linguist.ts";
import type { Git } from "../git-command.ts";
import { readContents } from "./contents.ts";
import { listTree, type TreeFile } from "./objects.ts";
import type { FoundRepository } from "./view.ts";

export interface NewestTree {
  readonly files: readonly TreeFile[];
  readonly kindOf: (path: string) => FileClassification;
  /** The language with the most bytes. */
  readonly language: string | undefined;
  /** Whether a file is in a language with enough of the source code to share its subject, or in one that has gone. */
  readonly isOfMain: (path: string) => boolean;
  /** Whether the source code has the language. */
  readonly hasLanguage: (language: string) => boolean;
  /** Classifies the files again, with the parts that people write although they look copied. */
  readonly classify: (written: ReadonlySet<string>) => NewestTree;
}

export async function readNewestTree(
  git: Git,
  { directory, head }: Pick<FoundRepository, "directory" | "head">,
  linguist: Linguist,
): Promise<NewestTree> {
  const files = await listTree(git, directory, head);
  const contents = await readContents(git, directory, files, linguist);
  const paths = files.map((file) => file.path);
  const classify = (written?: ReadonlySet<string>): NewestTree => {
    const kindOf = linguist.forTree(paths, contents, written);
    return { files, kindOf, ...findMainLanguages(files, kindOf), classify };
  };
  return classify();
}

/** The least share of the source code that a main language has. It is fixed, because histories are read with it. Own choice. */
export const mainShareMin = 0.15;

/** Finds the main languages. Ignores the files that Linguist's statistics ignore. */
function findMainLanguages(
  files: readonly TreeFile[],
  kindOf: (path: string) => FileClassification,
): Pick<NewestTree, "language" | "isOfMain" | "hasLanguage"> {
  const bytesOf = new Map<string, number>();
  let all = 0;
  for (const { path, bytes } of files) {
    const kind = kindOf(path);
    if (!kind.language || !kind.counts || !bytes) continue;
    if (kind.vendored || kind.generated || kind.documentation) continue;
    bytesOf.set(kind.language, (bytesOf.get(kind.language) ?? 0) + bytes);
    all += bytes;
  }
  const [main] = [...bytesOf].sort(([, a], [, b]) => b - a);
  return {
    language: main?.[0],
    hasLanguage: (language) => bytesOf.has(language),
    isOfMain: (path) => (bytesOf.get(kindOf(path).language ?? "") ?? all) >= mainShareMin * all,
  };
}
