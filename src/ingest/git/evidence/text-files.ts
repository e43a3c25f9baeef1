/** Reads the texts of files that may contain evidence. */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { Git } from "../git-command.ts";
import { readBlobs, type TreeFile, toFileText } from "../repository/objects.ts";
import type { OwnFiles } from "./own-files.ts";

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** What readers know about the newest tree. */
export interface TreeContext {
  /** Name of the repository without its owner. */
  readonly name: string;
  readonly isBook: boolean;
  readonly ownFiles: OwnFiles;
  /** Whether paths of the source code name a skill. */
  readonly names: (skillId: string) => boolean;
  readonly vocabulary: Pick<
    Vocabulary,
    "packageSkill" | "textSkills" | "subjectsOf" | "subjectNames" | "skillById"
  >;
}

/** The most bytes of a file. Larger files are skipped, because most of them are generated. */
export const evidenceBytesMax = 256 * 1024;

/** Reads files in order. Calls back with each file that git has. */
export async function readFileTexts<File extends Pick<TreeFile, "sha">>(
  git: Git,
  directory: string,
  files: readonly File[],
  onText: (file: File, text: string) => void,
): Promise<void> {
  const wanted = { files, bytesMax: evidenceBytesMax };
  await readBlobs(git, directory, wanted, (file, content) => onText(file, toFileText(content)));
}
