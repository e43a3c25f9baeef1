/** Finds the README of a repository, and the skills that it names. */
import type { TextFile, TreeContext } from "./text-files.ts";

/** Whether a path is the README that forges show for the repository. */
export function isReadme(path: string): boolean {
  return /^readme(\.(md|markdown|mdown|rst|adoc|asciidoc|org|txt|rdoc|textile))?$/i.test(path);
}

/** @returns the README that forges show. If there is none, returns a README under another name. */
export function findReadme<File extends { readonly path: string }>(
  files: readonly File[],
): File | undefined {
  return (
    files.find(({ path }) => isReadme(path)) ??
    files.find(({ path }) => /^readme\b[^/]*\.(md|rst|adoc|org|txt)$/i.test(path))
  );
}

/** How many characters of a README are searched for skills. */
const readmeMax = 1500;

/** Lists the ids of the skills that a README names. Code, links and HTML tags are left out. */
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
