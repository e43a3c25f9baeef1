/** Reads the newest tree: its files, the kind of each, and the main language. */
import type { FileClassification, Linguist } from "../../linguist/linguist.ts";
import type { Git } from "../git-command.ts";
import { readContents } from "./contents.ts";
import { listTree, type TreeFile } from "./objects.ts";
import type { FoundRepository } from "./view.ts";

export interface NewestTree {
  readonly files: readonly TreeFile[];
  readonly kindOf: (path: string) => FileClassification;
  readonly language: string | undefined;
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
    return { files, kindOf, language: findMainLanguage(files, kindOf), classify };
  };
  return classify();
}

/** Finds the language with the most bytes. Ignores the files that Linguist's statistics ignore. */
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
