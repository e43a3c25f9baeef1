/** Reads the texts of files that may be evidence. */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { Git } from "../git-command.ts";
import { readBlobs, type TreeFile, toFileText } from "../repository/objects.ts";

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** What readers know of the newest tree that a file is in. */
export interface TreeContext {
  /** Of the repository, without its owner. */
  readonly name: string;
  /** Whether the repository is a book. */
  readonly isBook: boolean;
  readonly vocabulary: Pick<Vocabulary, "packageSkill" | "textSkills" | "subjectsOf">;
}

/** Limit of bytes per file; larger files are skipped, since most of them are generated. */
export const evidenceBytesMax = 256 * 1024;

/** Calls back with each file that git has, in order. */
export async function readFileTexts<File extends Pick<TreeFile, "sha">>(
  git: Git,
  directory: string,
  files: readonly File[],
  onText: (file: File, text: string) => void,
): Promise<void> {
  const wanted = { files, bytesMax: evidenceBytesMax };
  await readBlobs(git, directory, wanted, (file, content) => onText(file, toFileText(content)));
}
