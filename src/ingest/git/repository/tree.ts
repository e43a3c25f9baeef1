/** The newest tree of a repository: paths with sizes, and the language most of it is written in. */
import type { FileClassification } from "../../linguist/linguist.ts";
import { decodeGitText, type Git } from "../git-command.ts";

export interface TreeFile {
  readonly path: string;
  readonly sha: string;
  readonly bytes: number;
}

/** Regular files only: no links, no submodules. */
export async function readTree(
  git: Git,
  repository: { readonly directory: string; readonly head: string },
): Promise<readonly TreeFile[]> {
  const output = await git.read(repository.directory, [
    "ls-tree",
    "-r",
    "-l",
    "-z",
    "--full-tree",
    repository.head,
  ]);
  const files: TreeFile[] = [];
  let from = 0;
  for (let nul = output.indexOf(0); nul !== -1; nul = output.indexOf(0, from)) {
    const line = decodeGitText(output.subarray(from, nul));
    from = nul + 1;
    const [, sha, bytes, path] = /^100\d+ blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(line) ?? [];
    if (sha && path) files.push({ path, sha, bytes: Number(bytes) });
  }
  return files;
}

/** By bytes, as Linguist's statistics do, without what it leaves out. */
export function findMainLanguage(
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
