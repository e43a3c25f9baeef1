/** Finds the README of a repository, and the skills that it names. */
import type { TextFile, TreeContext } from "./text-files.ts";

/** Whether a path is the README that forges show for the repository. */
export function isReadme(path: string): boolean {
  return /^readme(\.(md|markdown|mdown|rst|adoc|asciidoc|org|txt|rdoc|textile))?$/i.test(path);
}

/** @returns the README that forges show, or else a README under another name. */
export function findReadme<File extends { readonly path: string }>(
  files: readonly File[],
): File | undefined {
  return (
    files.find(({ path }) => isReadme(path)) ??
    files.find(({ path }) => /^readme\b[^/]*\.(md|rst|adoc|org|txt)$/i.test(path))
  );
}

/** How many characters of a README describe the project. In 22 public repositories, competitors and tools came later. */
const readmeMax = 1500;

/** Lists the ids of the skills that a README names, outside code, links and HTML tags. */
export function listReadmeSkills(
  { text }: TextFile,
  { vocabulary }: TreeContext,
): readonly string[] {
  const prose = text
    .slice(0, readmeMax)
    .replace(/^(```|~~~)[\s\S]*?(^\1|(?![\s\S]))/gm, "\n")
    .replace(/<[^<>]{0,1000}>|\]\([^()\n]{0,1000}\)/g, " , ");
  return vocabulary
    .textSkills(prose)
    .map(({ id }) => id)
    .sort();
}
