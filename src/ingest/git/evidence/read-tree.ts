/** Reads the evidence that the files of the newest tree give: the rows of the table that are read from it. */
import type { EvidenceKind } from "../../../contract/people/facts.ts";
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { FileClassification } from "../../linguist/linguist.ts";
import type { Git } from "../git-command.ts";
import type { TreeFile } from "../repository/objects.ts";
import { listParents } from "./file-table.ts";
import { type EvidenceTree, evidenceKinds } from "./kinds.ts";
import type { KnownPackages } from "./known-packages.ts";
import type { EvidenceFile } from "./path-meaning.ts";
import { findProse, type ProsePlaces } from "./prose.ts";
import { findReadme } from "./readme.ts";
import { evidenceBytesMax, readFileTexts } from "./text-files.ts";

/** A repository whose newest tree is read. */
interface TreeSource {
  readonly directory: string;
  readonly head: string;
  readonly origin: { readonly name: string };
}

/** Files of the newest tree, and what Linguist says of them. */
interface ClassifiedTree {
  readonly files: readonly TreeFile[];
  readonly kindOf: (path: string) => FileClassification;
}

export interface TreeEvidence {
  /** By path in the newest tree. */
  readonly ofFiles: ReadonlyMap<string, EvidenceFile>;
  /** What an edit of a source is evidence of, wherever it is in the tree. */
  readonly ofSource: (path: string) => readonly string[];
  readonly prose: ProsePlaces;
}

/** Code and manifests that others or tools wrote, and examples in documentation, are no evidence for their committers. */
export async function readTreeEvidence(
  git: Git,
  { directory, head, origin }: TreeSource,
  { files, kindOf }: ClassifiedTree,
  known: { readonly vocabulary: TreeVocabulary; readonly packages: KnownPackages },
): Promise<TreeEvidence> {
  const prose = findProse(files, kindOf);
  const small = files.filter(({ bytes }) => bytes > 0 && bytes <= evidenceBytesMax);
  const readme = findReadme(small) ?? (await followLink(git, directory, head, small));
  const isOwn = ({ path }: TreeFile): boolean => {
    const { vendored, generated, documentation } = kindOf(path);
    return !vendored && !generated && !documentation;
  };
  const name = origin.name.slice(origin.name.lastIndexOf("/") + 1);
  const context = { name, isBook: prose.isWhole, ...known };
  const ofFiles = new Map<string, EvidenceFile>();
  const ofFolders = new Map<string, Set<string>>();
  const ofRepository = new Set<string>();
  const take = {
    ofFiles: (path: string, names: readonly string[], kind: EvidenceKind) =>
      ofFiles.getOrInsert(path, { kind, names }),
    ofFolders: (path: string, names: readonly string[]) => {
      const [folder = ""] = listParents(path);
      const found = ofFolders.getOrInsertComputed(folder, () => new Set());
      for (const name of names) found.add(name);
    },
    ofRepository: (_: string, names: readonly string[]) => {
      for (const name of names) ofRepository.add(name);
    },
  };
  const wanted = listWanted({ files: small, readme, isOwn });
  await readFileTexts(git, directory, wanted, ({ to, kind, read, path }, text) => {
    const names = read({ path, text }, context);
    if (names.length > 0) take[to](path, names, kind);
  });
  const ofTop = [...ofRepository].sort();
  const ofSource = (path: string): readonly string[] => {
    const found = [...listParents(path), ""].flatMap((folder) => [
      ...(ofFolders.get(folder) ?? []),
    ]);
    return [...[...new Set(found)].sort(), ...ofTop];
  };
  return { ofFiles, ofSource, prose };
}

type TreeVocabulary = Pick<Vocabulary, "packageSkill" | "textSkills" | "subjectsOf">;

/** Lists each file with each row of the table that reads it. */
function listWanted(tree: EvidenceTree) {
  return (["ofFiles", "ofFolders", "ofRepository"] as const).flatMap((to) =>
    evidenceKinds[to].flatMap(({ kind, select, read }) =>
      select(tree).map(({ sha, path }) => ({ sha, path, to, kind, read })),
    ),
  );
}

/** `README.md` may be a link to another file of the tree. */
async function followLink(
  git: Git,
  directory: string,
  head: string,
  files: readonly TreeFile[],
): Promise<TreeFile | undefined> {
  const links = ["README", "README.md", "README.rst"].map((path) => ({ sha: `${head}:${path}` }));
  let found: TreeFile | undefined;
  await readFileTexts(git, directory, links, (_, text) => {
    found ??= files.find(({ path }) => path === text.replace(/^\.\//, ""));
  });
  return found;
}
