/** Reads the evidence in files of the newest tree. */
import type { Git } from "../git-command.ts";
import type { NewestTree } from "../repository/newest-tree.ts";
import type { TreeFile } from "../repository/objects.ts";
import type { FoundRepository } from "../repository/view.ts";
import { listParents } from "./file-table.ts";
import { findProjectFolder } from "./hosts.ts";
import { evidenceKinds } from "./kinds.ts";
import { collectOwnFiles } from "./own-files.ts";
import type { EvidenceFile } from "./path-meaning.ts";
import { findProse } from "./prose.ts";
import { createNameCheck } from "./subjects.ts";
import { evidenceBytesMax, readFileTexts, type TextFile, type TreeContext } from "./text-files.ts";

export type TreeEvidence = Awaited<ReturnType<typeof readTreeEvidence>>;

/** Reads evidence. Skips foreign and generated files, and examples in documentation. */
export async function readTreeEvidence(
  git: Git,
  { directory, head, origin }: Pick<FoundRepository, "directory" | "head" | "origin">,
  { files, kindOf, isOfMain }: Pick<NewestTree, "files" | "kindOf" | "isOfMain">,
  vocabulary: TreeContext["vocabulary"],
) {
  const prose = findProse(files, kindOf);
  const small = files.filter(({ bytes }) => bytes > 0 && bytes <= evidenceBytesMax);
  const readme = findReadme(small) ?? (await followLink(git, directory, head, small));
  const isOwn = ({ path }: TreeFile): boolean => {
    const { vendored, generated, documentation } = kindOf(path);
    return !vendored && !generated && !documentation;
  };
  const name = origin.name.slice(origin.name.lastIndexOf("/") + 1);
  const ownFiles = collectOwnFiles(small.filter(isOwn), name);
  const source = files.filter((file) => isOwn(file) && kindOf(file.path).counts);
  const names = createNameCheck(source, vocabulary);
  const context = { name, isBook: prose.isWhole, ownFiles, names, vocabulary };
  const ofFiles = new Map<string, EvidenceFile>();
  const ofFolders = new Map<string, string[]>();
  const ofRepository: string[] = [];
  const tree = { files: small, readme, isOwn };
  const wanted = evidenceKinds.flatMap(({ select, ...kind }) =>
    select(tree).map(({ sha, path }) => ({ sha, path, ...kind })),
  );
  await readFileTexts(git, directory, wanted, ({ to, kind, read, path }, text) => {
    const names = read({ path, text }, context);
    if (names.length === 0) return;
    if (to === "file") ofFiles.getOrInsert(path, { kind, names });
    else if (to === "repository") ofRepository.push(...names);
    else ofFolders.getOrInsertComputed(findProjectFolder(path), () => []).push(...names);
  });
  const ofTop = [...new Set(ofRepository)].sort();
  /** Lists the products that an edit of a source file is evidence for. Files in minor languages do not get the project's subject. */
  const ofSource = (path: string): readonly string[] => {
    const names = [...listParents(path), ""].flatMap((folder) => ofFolders.get(folder) ?? []);
    return [...[...new Set(names)].sort(), ...(prose.isWhole || isOfMain(path) ? ofTop : [])];
  };
  const importing = evidenceKinds.filter(({ kind }) => kind === "import");
  const importsOf = (file: TextFile) => importing.flatMap(({ read }) => read(file, context));
  return { ofFiles, ofSource, importsOf, prose };
}

/** @returns the README that forges show. If there is none, returns a README under another name. */
export function findReadme(files: readonly TreeFile[]): TreeFile | undefined {
  const named = [
    /^readme(\.(md|markdown|mdown|rst|adoc|asciidoc|org|txt|rdoc|textile))?$/i,
    /^(\.github|\.gitlab|docs)\/readme\.(md|markdown|rst|adoc|asciidoc|org|txt)$/i,
    /^readme\b[^/]*\.(md|rst|adoc|org|txt)$/i,
  ];
  return named.flatMap((pattern) => files.find(({ path }) => pattern.test(path)) ?? []).at(0);
}

/** Finds the README if `README.md` is a symbolic link to another file. */
async function followLink(git: Git, directory: string, head: string, files: readonly TreeFile[]) {
  const links = ["README", "README.md", "README.rst"].map((path) => ({ sha: `${head}:${path}` }));
  let found: TreeFile | undefined;
  await readFileTexts(git, directory, links, (_, text) => {
    found ??= files.find(({ path }) => path === text.replace(/^\.\//, ""));
  });
  return found;
}
